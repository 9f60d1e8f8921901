//! `$ref`: a value in another file.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use svc_data::{Limits, Member, Node, Object, Value, escape_pointer};
use svc_diagnostics::{Diagnostic, DiagnosticCode, Severity, SourceFile, Span};

use crate::{
    codes::{LIMIT, REF_CYCLE, REF_ESCAPES, REF_INVALID, REF_MISSING},
    files::{Files, Origin},
    path::{Segment, pointer},
    text::{MAX_DIAGNOSTICS, shorten},
    tree::Map,
};

/// Maximum depth of the document once all references are resolved.
const MAX_DEPTH: usize = 160;
/// Maximum number of values; references can repeat a file any number of times.
const MAX_VALUES: usize = 2_000_000;

/// A document with its references resolved.
pub(crate) struct Resolution {
    pub(crate) tree: Node,
    pub(crate) files: Files,
    /// Starts of the values that are not available.
    pub(crate) failed: BTreeSet<u32>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Resolves all references of `root`, which was read from `file`.
pub(crate) fn resolve(
    root: Node,
    file: &SourceFile,
    lookup: &dyn Fn(&str) -> Option<SourceFile>,
) -> Resolution {
    let mut resolver = Resolver {
        lookup,
        files: Files::default(),
        failed: BTreeSet::new(),
        cache: BTreeMap::new(),
        chain: vec![0],
        values: 0,
        limit_reported: false,
        diagnostics: Vec::new(),
    };
    // Reading already cuts off a text that is too long for spans.
    let origin = resolver.files.add(file.clone()).unwrap_or_default();
    let tree = resolver.build(root, origin, &PathToRoot::default());
    Resolution {
        tree,
        files: resolver.files,
        failed: resolver.failed,
        diagnostics: resolver.diagnostics,
    }
}

struct Resolver<'a> {
    lookup: &'a dyn Fn(&str) -> Option<SourceFile>,
    files: Files,
    failed: BTreeSet<u32>,
    /// Files by path with origin and content; None for a file that cannot be read.
    cache: BTreeMap<String, Option<(Origin, Rc<Node>)>>,
    /// The files being resolved, outermost first.
    chain: Vec<usize>,
    values: usize,
    limit_reported: bool,
    diagnostics: Vec<Diagnostic>,
}

/// The path from a value up to the root. The pointer is only built for a diagnostic.
#[derive(Clone, Copy, Default)]
struct PathToRoot<'a> {
    parent: Option<&'a Self>,
    segment: Segment<'a>,
    /// Depth in the document, including the levels that references add.
    depth: usize,
}

impl PathToRoot<'_> {
    const fn down<'a>(&'a self, step: Segment<'a>) -> PathToRoot<'a> {
        PathToRoot {
            parent: Some(self),
            segment: step,
            depth: self.depth + 1,
        }
    }

    /// The JSON pointer (RFC 6901).
    fn pointer(&self) -> String {
        let path = std::iter::successors(Some(self), |at| at.parent);
        pointer(path.map(|at| at.segment), pointer_segment)
    }
}

impl Resolver<'_> {
    fn build(&mut self, node: Node, origin: Origin, path_to_root: &PathToRoot<'_>) -> Node {
        let span = origin.file_span(node.span);
        self.values += 1;
        if path_to_root.depth > MAX_DEPTH || self.values > MAX_VALUES {
            self.limit(span, path_to_root);
            return self.fail(span);
        }
        let value = match node.value {
            // The vector is reused in place.
            Value::Array(items) => Value::Array(
                items
                    .into_iter()
                    .enumerate()
                    .map(|(index, item)| {
                        self.build(item, origin, &path_to_root.down(Segment::Index(index)))
                    })
                    .collect(),
            ),
            Value::Object(object) => {
                let target = object.get("$ref").and_then(|target| {
                    let text = target.as_str()?.to_owned();
                    Some((text, target.span))
                });
                if let Some((reference, target_span)) = target {
                    let at = origin.file_span(target_span);
                    return self.follow(object, span, &reference, (origin, at), path_to_root);
                }
                Value::Object(self.members(object.into_map(), origin, path_to_root).into())
            }
            scalar => scalar,
        };
        Node { span, value }
    }

    /// A value that is not available; the problem is already reported.
    fn fail(&mut self, span: Span) -> Node {
        self.failed.insert(span.start);
        Node::new(span, Value::Null)
    }

    fn limit(&mut self, span: Span, path_to_root: &PathToRoot<'_>) {
        if self.limit_reported {
            return;
        }
        self.limit_reported = true;
        let message = if path_to_root.depth > MAX_DEPTH {
            format!("the configuration exceeds the limit of {MAX_DEPTH} levels")
        } else {
            format!("the configuration exceeds the limit of {MAX_VALUES} values")
        };
        let hint = "use fewer levels and do not repeat large files through `$ref`";
        self.report(&LIMIT, span, path_to_root, message, hint);
    }

    fn members(&mut self, members: Map, origin: Origin, path_to_root: &PathToRoot<'_>) -> Map {
        members.map_values(|key, member| Member {
            key_span: origin.file_span(member.key_span),
            value: self.build(member.value, origin, &path_to_root.down(Segment::Key(key))),
        })
    }

    /// The value of the file that the `$ref` of the object at `span` refers to.
    fn follow(
        &mut self,
        object: Object,
        span: Span,
        reference: &str,
        (origin, at): (Origin, Span),
        path_to_root: &PathToRoot<'_>,
    ) -> Node {
        let Some((inner, root)) = self.open(reference, at, origin, path_to_root) else {
            return self.fail(span);
        };
        self.chain.push(inner.index);
        let mut tree = self.build((*root).clone(), inner, &path_to_root.down(Segment::Root));
        self.chain.pop();
        // Members beside `$ref` override those of an object; beside any other value they have no
        // effect.
        if let Some(map) = tree.as_map_mut()
            && object.len() > 1
        {
            let mut siblings = object.into_map();
            siblings.remove("$ref");
            for (key, member) in self.members(siblings, origin, path_to_root) {
                map.insert(key, member);
            }
        }
        tree
    }

    fn open(
        &mut self,
        reference: &str,
        at: Span,
        origin: Origin,
        path_to_root: &PathToRoot<'_>,
    ) -> Option<(Origin, Rc<Node>)> {
        let from = self
            .files
            .get(origin.index)
            .map_or_else(String::new, |file| file.path().to_string());
        let Some(path) = join(&from, reference) else {
            let message = format!("`$ref` to `{reference}` points outside of the repository");
            let hint = "write the relative path of a file in the repository, for example `./navigation.json`";
            self.report(&REF_ESCAPES, at, path_to_root, message, hint);
            return None;
        };
        let is_open = |index: &usize| {
            self.files
                .get(*index)
                .is_some_and(|file| **file.path() == *path)
        };
        if let Some(start) = self.chain.iter().position(is_open) {
            let chain: Vec<&str> = self.chain[start..]
                .iter()
                .filter_map(|index| self.files.get(*index).map(|file| &**file.path()))
                .chain([path.as_str()])
                .collect();
            let message = format!("`$ref` cycle: {}", chain.join(" → "));
            self.report(
                &REF_CYCLE,
                at,
                path_to_root,
                message,
                "remove one `$ref` of the cycle",
            );
            return None;
        }
        if !self.cache.contains_key(&path) {
            let Some(source) = (self.lookup)(&path) else {
                let message =
                    format!("`{path}`, the target of a `$ref` in `{from}`, does not exist");
                let hint = "check the spelling; the path is relative to the file with the `$ref`";
                self.report(&REF_MISSING, at, path_to_root, message, hint);
                return None;
            };
            let Some(own) = self.files.add(source.clone()) else {
                self.cache.insert(path, None);
                let message = "the files of all `$ref`s exceed the limit of 4 GiB";
                let hint = "refer to fewer or smaller files";
                self.report(&LIMIT, at, path_to_root, message.to_owned(), hint);
                return None;
            };
            let parsed = svc_data::parse_json(&source, &Limits::default());
            let broken = parsed.diagnostics.iter().any(|diagnostic| {
                diagnostic.severity >= Severity::Error && diagnostic.code.id != "data-duplicate-key"
            });
            self.diagnostics.extend(parsed.diagnostics);
            let usable = !(broken && parsed.value.is_null());
            self.cache
                .insert(path.clone(), usable.then(|| (own, Rc::new(parsed.value))));
            if broken {
                let message = format!("`{path}`, the target of a `$ref`, is not valid JSON");
                let hint = "correct the file; its problems are reported with their locations";
                self.report(&REF_INVALID, at, path_to_root, message, hint);
            }
        }
        self.cache.get(&path).cloned().flatten()
    }

    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        at: Span,
        path_to_root: &PathToRoot<'_>,
        message: String,
        hint: &str,
    ) {
        if self.diagnostics.len() >= MAX_DIAGNOSTICS {
            return;
        }
        let mut diagnostic = Diagnostic::new(code, message)
            .hint(hint)
            .pointer(path_to_root.pointer());
        if let Some(location) = self.files.location(at) {
            diagnostic = diagnostic.at(location);
        }
        self.diagnostics.push(diagnostic);
    }
}

/// A key as a pointer segment. A very long key is cut, because every diagnostic repeats the
/// pointer.
fn pointer_segment(key: &str) -> String {
    if key.len() <= 200 {
        escape_pointer(key)
    } else {
        escape_pointer(&shorten(key))
    }
}

/// Resolves `reference` relative to the file `from`; None if it points outside of the repository.
fn join(from: &str, reference: &str) -> Option<String> {
    let reference = reference.trim().replace('\\', "/");
    let drive = reference.as_bytes().get(1) == Some(&b':');
    if reference.starts_with('/') || drive || reference.contains("://") {
        return None;
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in reference.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use crate::tests::{problems, site_with};

    #[test]
    fn a_reference_is_relative_to_its_file_and_siblings_override() {
        let checked = site_with(&[
            (
                "docs.json",
                r#"{"theme":"svc","name":"X","$ref":"conf\\rest.json"}"#,
            ),
            (
                "conf/rest.json",
                r##"{"name":"Y","colors":{"$ref":"./c.json","dark":"#000"},"navigation":{"pages":["a"]}}"##,
            ),
            ("conf/c.json", r##"{"primary":"#012","dark":"#111"}"##),
        ]);
        assert_eq!(problems(&checked), [""; 0]);
        let site = checked.value.unwrap();
        assert_eq!(site.name, "X");
        assert_eq!(site.colors.primary, "#001122");
        assert_eq!(site.colors.dark.as_deref(), Some("#000000"));
    }

    #[test]
    fn problems_in_a_referenced_file_are_located_there() {
        let checked = site_with(&[
            (
                "docs.json",
                r#"{"theme":"svc","name":"X","navigation":{"pages":["a"]},"colors":{"$ref":"c.json"}}"#,
            ),
            ("c.json", "{\n  \"primary\": \"red\"\n}"),
        ]);
        assert_eq!(checked.diagnostics[0].location_string(), "c.json:2:14");
        assert_eq!(
            checked.diagnostics[0].pointer.as_deref(),
            Some("/colors/primary")
        );
    }

    #[test]
    fn missing_outside_cyclic_and_invalid_references_are_one_error_each() {
        let head = r##"{"theme":"svc","name":"X","colors":{"primary":"#000"},"navigation":{"pages":["a"]},"redirects":"##;
        for (reference, code) in [
            ("gone.json", "config-ref-missing"),
            ("../x.json", "config-ref-outside"),
            ("/x.json", "config-ref-outside"),
            ("https://x.com/x.json", "config-ref-outside"),
            ("docs.json", "config-ref-cycle"),
            ("a.json", "config-ref-cycle"),
            ("empty.json", "config-ref-invalid"),
        ] {
            let docs = format!("{head}{{\"$ref\":\"{reference}\"}}}}");
            let checked = site_with(&[
                ("docs.json", &docs),
                ("a.json", r#"{"$ref":"b.json"}"#),
                ("b.json", r#"{"$ref":"a.json"}"#),
                ("empty.json", ""),
            ]);
            let codes: Vec<&str> = checked
                .diagnostics
                .iter()
                .map(|d| d.code.id)
                .filter(|id| *id != "data-syntax")
                .collect();
            assert_eq!(codes, [code], "{reference}");
        }
    }

    #[test]
    fn references_that_multiply_stop_at_the_limit() {
        let line = |next: &str| {
            let entry = format!("{{\"$ref\":\"{next}\"}}");
            format!("[{}]", [entry.as_str(); 40].join(","))
        };
        let files: Vec<(String, String)> = (0..9)
            .map(|n| (format!("{n}.json"), line(&format!("{}.json", n + 1))))
            .chain([("9.json".to_owned(), "1".to_owned())])
            .chain([(
                "docs.json".to_owned(),
                r#"{"x":{"$ref":"0.json"}}"#.to_owned(),
            )])
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
        let checked = site_with(&files);
        let limits = checked
            .diagnostics
            .iter()
            .filter(|d| d.code.id == "config-limit")
            .count();
        assert_eq!(limits, 1);
    }
}
