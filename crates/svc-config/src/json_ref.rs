//! `$ref`: a value that stands in another file.

use std::{collections::BTreeMap, rc::Rc};

use svc_data::{KeyMap, Limits, Node, escape_pointer};
use svc_diagnostics::{Diagnostic, DiagnosticCode, Severity, SourceFile, Span};

use crate::{
    codes::{LIMIT, REF_CYCLE, REF_ESCAPES, REF_INVALID, REF_MISSING},
    decode::{MAX_DIAGNOSTICS, shorten},
    files::{Files, Origin},
    tree::{FileSpan, Map, Member, Tree, Value},
};

/// How deep the document may be once all references are followed.
const MAX_DEPTH: usize = 160;
/// How many values it may have; references can repeat a file any number of times.
const MAX_VALUES: usize = 2_000_000;

/// A document with its references followed.
pub(crate) struct Resolution {
    pub(crate) tree: Tree,
    pub(crate) files: Files,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Follows all references of `root`, which was read from `file`.
pub(crate) fn resolve(
    root: Node,
    file: &SourceFile,
    lookup: &dyn Fn(&str) -> Option<SourceFile>,
) -> Resolution {
    let mut resolver = Resolver {
        lookup,
        files: Files::default(),
        cache: BTreeMap::new(),
        chain: vec![0],
        values: 0,
        limit_reported: false,
        diagnostics: Vec::new(),
    };
    // Places of a text that is too long for them were cut when it was read.
    let origin = resolver.files.add(file.clone()).unwrap_or_default();
    let tree = resolver.build(root, origin, &PathToRoot::default());
    Resolution {
        tree,
        files: resolver.files,
        diagnostics: resolver.diagnostics,
    }
}

struct Resolver<'a> {
    lookup: &'a dyn Fn(&str) -> Option<SourceFile>,
    files: Files,
    /// Files by path: where its places begin and its content; `None` when it cannot be read.
    cache: BTreeMap<String, Option<(Origin, Rc<Node>)>>,
    /// The files being followed, outermost first.
    chain: Vec<usize>,
    values: usize,
    limit_reported: bool,
    diagnostics: Vec<Diagnostic>,
}

/// The way to a value, from the value upwards: a pointer is only written for a problem.
#[derive(Clone, Copy, Default)]
struct PathToRoot<'a> {
    parent: Option<&'a Self>,
    segment: Segment<'a>,
    /// Levels of the document, with those that a reference adds.
    depth: usize,
}

#[derive(Clone, Copy, Default)]
enum Segment<'a> {
    /// The value of the file that a `$ref` names stands where the `$ref` stood.
    #[default]
    Empty,
    Key(&'a str),
    Index(usize),
}

impl PathToRoot<'_> {
    const fn down<'a>(&'a self, step: Segment<'a>) -> PathToRoot<'a> {
        PathToRoot {
            parent: Some(self),
            segment: step,
            depth: self.depth + 1,
        }
    }

    /// The JSON pointer.
    fn pointer(&self) -> String {
        let mut steps = Vec::new();
        let mut at = Some(self);
        while let Some(here) = at {
            match here.segment {
                Segment::Empty => {}
                Segment::Key(key) => steps.push(pointer_segment(key)),
                Segment::Index(index) => steps.push(index.to_string()),
            }
            at = here.parent;
        }
        steps
            .iter()
            .rev()
            .fold(String::new(), |pointer, step| pointer + "/" + step)
    }
}

impl Resolver<'_> {
    fn build(&mut self, node: Node, origin: Origin, way: &PathToRoot<'_>) -> Tree {
        let place = origin.file_span(node.span);
        self.values += 1;
        if way.depth > MAX_DEPTH || self.values > MAX_VALUES {
            self.limit(place, way);
            return Tree {
                span: place,
                value: Value::Failed,
            };
        }
        let value = match node.value {
            svc_data::Value::Null => Value::Null,
            svc_data::Value::Bool(value) => Value::Bool(value),
            svc_data::Value::Number(number) => Value::Number(number),
            svc_data::Value::String(text) => Value::String(text),
            // Values are of the same size before and after, so that lists keep their memory.
            svc_data::Value::Array(items) => Value::Array(
                items
                    .into_iter()
                    .enumerate()
                    .map(|(index, item)| self.build(item, origin, &way.down(Segment::Index(index))))
                    .collect(),
            ),
            svc_data::Value::Object(object) => {
                let target = object.get("$ref").and_then(|target| {
                    let text = target.as_str()?.to_owned();
                    Some((text, target.span))
                });
                if let Some((reference, span)) = target {
                    let at = origin.file_span(span);
                    return self.follow(object, place, &reference, (origin, at), way);
                }
                Value::Object(self.members(object.into_map(), origin, way))
            }
        };
        Tree { span: place, value }
    }

    fn limit(&mut self, place: FileSpan, way: &PathToRoot<'_>) {
        if self.limit_reported {
            return;
        }
        self.limit_reported = true;
        let message = if way.depth > MAX_DEPTH {
            format!("the configuration is nested more than {MAX_DEPTH} levels deep")
        } else {
            format!("the configuration has more than {MAX_VALUES} values")
        };
        let hint = "use fewer levels and do not repeat large files through `$ref`";
        self.report(&LIMIT, place, way, message, hint);
    }

    fn members(
        &mut self,
        members: KeyMap<svc_data::Member>,
        origin: Origin,
        way: &PathToRoot<'_>,
    ) -> Map {
        members.map_values(|key, member| Member {
            key: origin.file_span(member.key_span),
            value: self.build(member.value, origin, &way.down(Segment::Key(key))),
        })
    }

    /// The value of the file that the object at `place` names in its `$ref`, which stands in a
    /// file at a place.
    fn follow(
        &mut self,
        object: svc_data::Object,
        place: FileSpan,
        reference: &str,
        (origin, at): (Origin, FileSpan),
        way: &PathToRoot<'_>,
    ) -> Tree {
        let found = self.open(reference, at, origin, way);
        let mut tree = found.map_or(
            Tree {
                span: place,
                value: Value::Failed,
            },
            |(inner, root)| {
                self.chain.push(inner.index);
                let tree = self.build((*root).clone(), inner, &way.down(Segment::Empty));
                self.chain.pop();
                tree
            },
        );
        // Members beside `$ref` override those of an object; beside anything else they mean
        // nothing.
        if let Value::Object(map) = &mut tree.value
            && object.len() > 1
        {
            let mut beside = object.into_map();
            beside.remove("$ref");
            for (key, member) in self.members(beside, origin, way) {
                map.insert(key, member);
            }
        }
        tree
    }

    fn open(
        &mut self,
        reference: &str,
        at: FileSpan,
        origin: Origin,
        way: &PathToRoot<'_>,
    ) -> Option<(Origin, Rc<Node>)> {
        let from = self
            .files
            .get(origin.index)
            .map_or_else(String::new, |file| file.path().to_string());
        let Some(path) = join(&from, reference) else {
            let message = format!("`$ref` to `{reference}` leaves the repository");
            let hint = "name a file of the repository by a relative path, `./navigation.json`";
            self.report(&REF_ESCAPES, at, way, message, hint);
            return None;
        };
        let on_the_way = |index: &usize| {
            self.files
                .get(*index)
                .is_some_and(|file| **file.path() == *path)
        };
        if let Some(start) = self.chain.iter().position(on_the_way) {
            let chain: Vec<&str> = self.chain[start..]
                .iter()
                .filter_map(|index| self.files.get(*index).map(|file| &**file.path()))
                .chain([path.as_str()])
                .collect();
            let message = format!("`$ref` leads in a circle: {}", chain.join(" → "));
            self.report(
                &REF_CYCLE,
                at,
                way,
                message,
                "remove one `$ref` of the circle",
            );
            return None;
        }
        if !self.cache.contains_key(&path) {
            let Some(source) = (self.lookup)(&path) else {
                let message = format!("`{path}`, named by `$ref` in `{from}`, does not exist");
                let hint = "check the spelling; the path is relative to the file with the `$ref`";
                self.report(&REF_MISSING, at, way, message, hint);
                return None;
            };
            let Some(own) = self.files.add(source.clone()) else {
                self.cache.insert(path, None);
                let message = "the files that `$ref` names are larger than 4 GiB in all";
                let hint = "name fewer or smaller files";
                self.report(&LIMIT, at, way, message.to_owned(), hint);
                return None;
            };
            let parsed = svc_data::parse_json(&source, &Limits::default());
            let broken = parsed.diagnostics.iter().any(|found| {
                found.severity >= Severity::Error && found.code.id != "data-duplicate-key"
            });
            self.diagnostics.extend(parsed.diagnostics);
            let usable = !(broken && parsed.value.is_null());
            self.cache
                .insert(path.clone(), usable.then(|| (own, Rc::new(parsed.value))));
            if broken {
                let message = format!("`{path}`, named by `$ref`, is not valid JSON");
                let hint = "correct the file; its problems are listed with their own places";
                self.report(&REF_INVALID, at, way, message, hint);
            }
        }
        self.cache.get(&path).cloned().flatten()
    }

    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        at: FileSpan,
        way: &PathToRoot<'_>,
        message: String,
        hint: &str,
    ) {
        if self.diagnostics.len() >= MAX_DIAGNOSTICS {
            return;
        }
        let mut diagnostic = Diagnostic::new(code, message)
            .hint(hint)
            .pointer(way.pointer());
        if let Some(location) = self.files.location(at) {
            diagnostic = diagnostic.at(location);
        }
        self.diagnostics.push(diagnostic);
    }
}

/// A key as a segment; every problem repeats the pointer, so a very long key is cut.
fn pointer_segment(key: &str) -> String {
    if key.len() <= 200 {
        escape_pointer(key)
    } else {
        escape_pointer(&shorten(key))
    }
}

/// The path that `reference` means in the file `from`; `None` when it leaves the repository.
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

/// The first character of a range, to point at the start of a long value.
pub(crate) const fn opening(span: Span) -> Span {
    Span::new(
        span.start,
        if span.end > span.start {
            span.start + 1
        } else {
            span.end
        },
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{problems, site_with};

    #[test]
    fn values_need_the_same_room_before_and_after() {
        // Lists keep their memory only then.
        use std::mem::size_of;
        assert_eq!(size_of::<super::Tree>(), size_of::<super::Node>());
        assert_eq!(size_of::<super::Member>(), size_of::<svc_data::Member>());
    }

    #[test]
    fn a_reference_is_relative_to_its_file_and_siblings_override() {
        let found = site_with(&[
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
        assert_eq!(problems(&found), [""; 0]);
        let site = found.value.unwrap();
        assert_eq!(site.name, "X");
        assert_eq!(site.colors.primary, "#001122");
        assert_eq!(site.colors.dark.as_deref(), Some("#000000"));
    }

    #[test]
    fn problems_inside_a_referenced_file_are_placed_there() {
        let found = site_with(&[
            (
                "docs.json",
                r#"{"theme":"svc","name":"X","navigation":{"pages":["a"]},"colors":{"$ref":"c.json"}}"#,
            ),
            ("c.json", "{\n  \"primary\": \"red\"\n}"),
        ]);
        assert_eq!(found.diagnostics[0].location_string(), "c.json:2:14");
        assert_eq!(
            found.diagnostics[0].pointer.as_deref(),
            Some("/colors/primary")
        );
    }

    #[test]
    fn missing_outside_circular_and_broken_references_are_one_error_each() {
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
            let found = site_with(&[
                ("docs.json", &docs),
                ("a.json", r#"{"$ref":"b.json"}"#),
                ("b.json", r#"{"$ref":"a.json"}"#),
                ("empty.json", ""),
            ]);
            let codes: Vec<&str> = found
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
        let found = site_with(&files);
        let limits = found
            .diagnostics
            .iter()
            .filter(|d| d.code.id == "config-limit")
            .count();
        assert_eq!(limits, 1);
    }
}
