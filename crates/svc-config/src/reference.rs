//! `$ref`: a value that stands in another file.

use std::{collections::BTreeMap, fmt::Write as _, rc::Rc};

use svc_data::{Limits, Node, escape_pointer};
use svc_diagnostics::{Code, Diagnostic, Severity, SourceFile, Span};

use crate::{
    codes::{LIMIT, REF_CYCLE, REF_INVALID, REF_MISSING, REF_OUTSIDE},
    decode::{PROBLEMS, shorten},
    tree::{Map, Member, Place, Tree, Value},
};

/// How deep the document may be once all references are followed.
const DEPTH: usize = 160;
/// How many values it may have; references can repeat a file any number of times.
const VALUES: usize = 2_000_000;

/// A document with its references followed.
pub(crate) struct Resolved {
    pub(crate) tree: Tree,
    pub(crate) files: Vec<SourceFile>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Follows all references of `root`, which was read from `file`.
pub(crate) fn resolve(
    root: Node,
    file: &SourceFile,
    lookup: &dyn Fn(&str) -> Option<SourceFile>,
) -> Resolved {
    let mut resolver = Resolver {
        lookup,
        files: vec![file.clone()],
        read: BTreeMap::new(),
        chain: vec![0],
        pointer: String::new(),
        values: 0,
        limit_reported: false,
        diagnostics: Vec::new(),
    };
    let tree = resolver.build(root, 0, 0);
    Resolved {
        tree,
        files: resolver.files,
        diagnostics: resolver.diagnostics,
    }
}

struct Resolver<'a> {
    lookup: &'a dyn Fn(&str) -> Option<SourceFile>,
    files: Vec<SourceFile>,
    /// Files by path: index and content; `None` when it cannot be read.
    read: BTreeMap<String, Option<(usize, Rc<Node>)>>,
    /// The files being followed, outermost first.
    chain: Vec<usize>,
    pointer: String,
    values: usize,
    limit_reported: bool,
    diagnostics: Vec<Diagnostic>,
}

impl Resolver<'_> {
    fn build(&mut self, node: Node, file: usize, depth: usize) -> Tree {
        let place = Place {
            file,
            span: node.span,
        };
        self.values += 1;
        if depth > DEPTH || self.values > VALUES {
            if !self.limit_reported {
                self.limit_reported = true;
                let message = if depth > DEPTH {
                    format!("the configuration is nested more than {DEPTH} levels deep")
                } else {
                    format!("the configuration has more than {VALUES} values")
                };
                let hint = "use fewer levels and do not repeat large files through `$ref`";
                self.report(&LIMIT, place, message, hint);
            }
            return Tree {
                place,
                value: Value::Failed,
            };
        }
        let value = match node.value {
            svc_data::Value::Null => Value::Null,
            svc_data::Value::Bool(value) => Value::Bool(value),
            svc_data::Value::Number(number) => Value::Number(number),
            svc_data::Value::String(text) => Value::String(text),
            svc_data::Value::Array(items) => {
                let mut built = Vec::with_capacity(items.len());
                for (index, item) in items.into_iter().enumerate() {
                    let mark = self.pointer.len();
                    // Writing to a String cannot fail.
                    let _ = write!(self.pointer, "/{index}");
                    built.push(self.build(item, file, depth + 1));
                    self.pointer.truncate(mark);
                }
                Value::Array(built)
            }
            svc_data::Value::Object(object) => {
                let target = object.get("$ref").and_then(|target| {
                    let text = target.as_str()?.to_owned();
                    Some((text, target.span))
                });
                if let Some((reference, span)) = target {
                    let at = Place { file, span };
                    return self.follow(object, place, &reference, at, depth);
                }
                Value::Object(self.members(object, file, depth))
            }
        };
        Tree { place, value }
    }

    fn members(&mut self, object: svc_data::Object, file: usize, depth: usize) -> Map {
        let mut map = Map::with_capacity(object.len());
        for (key, member) in object.into_members() {
            if &*key == "$ref" && member.value.as_str().is_some() {
                continue;
            }
            let mark = self.enter(&key);
            let value = self.build(member.value, file, depth + 1);
            self.pointer.truncate(mark);
            map.insert(
                key,
                Member {
                    key: Place {
                        file,
                        span: member.key_span,
                    },
                    value,
                },
            );
        }
        map
    }

    fn enter(&mut self, key: &str) -> usize {
        let mark = self.pointer.len();
        self.pointer.push('/');
        if key.len() > 200 || key.contains(['~', '/']) {
            self.pointer.push_str(&pointer_segment(key));
        } else {
            self.pointer.push_str(key);
        }
        mark
    }

    /// The value of the file that the object at `place` names in its `$ref`, which stands at `at`.
    fn follow(
        &mut self,
        object: svc_data::Object,
        place: Place,
        reference: &str,
        at: Place,
        depth: usize,
    ) -> Tree {
        let file = place.file;
        let found = self.open(reference, at, file);
        let mut tree = found.map_or(
            Tree {
                place,
                value: Value::Failed,
            },
            |(index, root)| {
                self.chain.push(index);
                let tree = self.build((*root).clone(), index, depth + 1);
                self.chain.pop();
                tree
            },
        );
        // Members beside `$ref` override those of an object; beside anything else they mean
        // nothing.
        if let Value::Object(map) = &mut tree.value
            && object.len() > 1
        {
            for (key, member) in self.members(object, file, depth) {
                map.insert(key, member);
            }
        }
        tree
    }

    fn open(&mut self, reference: &str, at: Place, file: usize) -> Option<(usize, Rc<Node>)> {
        let from = self
            .files
            .get(file)
            .map_or_else(String::new, |file| file.path().to_string());
        let Some(path) = join(&from, reference) else {
            let message = format!("`$ref` to `{reference}` leaves the repository");
            let hint = "name a file of the repository by a relative path, `./navigation.json`";
            self.report(&REF_OUTSIDE, at, message, hint);
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
            self.report(&REF_CYCLE, at, message, "remove one `$ref` of the circle");
            return None;
        }
        if !self.read.contains_key(&path) {
            let Some(source) = (self.lookup)(&path) else {
                let message = format!("`{path}`, named by `$ref` in `{from}`, does not exist");
                let hint = "check the spelling; the path is relative to the file with the `$ref`";
                self.report(&REF_MISSING, at, message, hint);
                return None;
            };
            let parsed = svc_data::parse_json(&source, &Limits::default());
            let index = self.files.len();
            self.files.push(source);
            let broken = parsed.diagnostics.iter().any(|found| {
                found.severity >= Severity::Error && found.code.id != "data-duplicate-key"
            });
            self.diagnostics.extend(parsed.diagnostics);
            let usable = !(broken && parsed.value.is_null());
            self.read
                .insert(path.clone(), usable.then(|| (index, Rc::new(parsed.value))));
            if broken {
                let message = format!("`{path}`, named by `$ref`, is not valid JSON");
                let hint = "correct the file; its problems are listed with their own places";
                self.report(&REF_INVALID, at, message, hint);
            }
        }
        self.read.get(&path).cloned().flatten()
    }

    fn report(&mut self, code: &'static Code, at: Place, message: String, hint: &str) {
        if self.diagnostics.len() >= PROBLEMS {
            return;
        }
        let mut diagnostic = Diagnostic::new(code, message)
            .hint(hint)
            .pointer(self.pointer.clone());
        if let Some(file) = self.files.get(at.file) {
            diagnostic = diagnostic.at(file.location(at.span));
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
        assert_eq!(found.diagnostics[0].place(), "c.json:2:14");
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
