//! Front matter of pages.
// Long because every field has its type, its problems and their fixes here.

use svc_data::{Limits, Node, Object, Value, parse_toml, parse_yaml};
use svc_diagnostics::{Checked, Diagnostic, Fix, Severity, SourceFile, Span, did_you_mean};

use crate::codes::{EXPECTED_MAP, UNCLOSED, UNKNOWN_KEY, UNKNOWN_MODE, WRONG_TYPE};
use crate::front_matter_fields::FRONT_MATTER_FIELDS;
use crate::simple_yaml;

/// Layout of a page: the field `mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Sidebar, content and table of contents.
    #[default]
    Default,
    /// No table of contents.
    Wide,
    /// Only the navigation bar; the page provides the rest.
    Custom,
    /// Like `custom`, with the sidebar.
    Frame,
    /// No sidebar and no table of contents.
    Center,
}

impl Mode {
    /// All modes with their names in the front matter.
    pub const ALL: [(&'static str, Self); 5] = [
        ("default", Self::Default),
        ("wide", Self::Wide),
        ("custom", Self::Custom),
        ("frame", Self::Frame),
        ("center", Self::Center),
    ];

    /// Returns the name in the front matter.
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(_, mode)| *mode == self)
            .map_or("default", |(name, _)| name)
    }
}

/// Front matter of a page: the known fields, and all fields as written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrontMatter {
    /// Heading of the page and its name in navigation and search.
    pub title: Option<String>,
    /// Short title for the sidebar (`sidebarTitle`).
    pub sidebar_title: Option<String>,
    /// Description for the subheading and for meta tags.
    pub description: Option<String>,
    /// Icon in the sidebar: a name, a URL or a file path.
    pub icon: Option<String>,
    /// Style of the icon (`iconType`).
    pub icon_type: Option<String>,
    /// Icon library: the key `library` of the object form of `icon`.
    pub icon_library: Option<String>,
    /// Label next to the title in the sidebar.
    pub tag: Option<String>,
    /// Layout of the page.
    pub mode: Mode,
    /// `true` hides the page from navigation and search; `false` includes it in search.
    pub hidden: Option<bool>,
    /// Excludes the page from search engines, from the site's search and from generated indexes.
    pub noindex: bool,
    /// `false` excludes the page from the site's search only.
    pub searchable: Option<bool>,
    /// Weight of the page in search.
    pub boost: Option<f64>,
    /// Marks the page as deprecated.
    pub deprecated: bool,
    /// URL that the navigation entry links to instead of the page.
    pub url: Option<String>,
    /// OpenAPI operation that the page documents.
    pub openapi: Option<String>,
    /// OpenAPI schema that the page documents (`openapi-schema`).
    pub openapi_schema: Option<String>,
    /// Endpoint described without OpenAPI: `POST /v1/x`.
    pub api: Option<String>,
    /// Version label of the page.
    pub version: Option<String>,
    /// Names of the groups of readers that may access the page.
    pub groups: Option<Vec<String>>,
    /// Whether the page is public on a protected site.
    pub public: Option<bool>,
    /// Additional search keywords.
    pub keywords: Vec<String>,
    /// Shows or hides the date of the last change; `None` if the site decides.
    pub timestamp: Option<bool>,
    /// Canonical URL.
    pub canonical: Option<String>,
    /// Content of the robots meta tag.
    pub robots: Option<String>,
    /// Hides the links to the previous and next page (`hideFooterPagination`).
    pub hide_footer_pagination: bool,
    /// Hides the method badge in the sidebar (`hideApiMarker`).
    pub hide_api_marker: bool,
    /// Shows a link to the RSS feed.
    pub rss: bool,
    /// Display mode of the API playground.
    pub playground: Option<String>,
    /// All fields, with their spans in the file.
    pub raw: Node,
}

impl FrontMatter {
    /// Reads the fields of an object in another file, for example an OpenAPI document.
    pub fn from_node(file: &SourceFile, node: Node) -> Checked<Self> {
        let inside = node.span.range();
        let mut reader = Reader {
            file,
            diagnostics: Vec::new(),
            broken: false,
        };
        let value = reader.read(node, inside);
        Checked {
            value,
            diagnostics: reader.diagnostics,
        }
    }

    /// Returns the span of the value of a field, or `None` if the field is missing.
    pub fn span_of(&self, key: &str) -> Option<Span> {
        self.raw.get(key).map(|node| node.span)
    }

    /// Returns the value of any field as text; `None` if it is missing or not a scalar.
    pub fn extra(&self, key: &str) -> Option<String> {
        self.raw.get(key).and_then(Node::to_text)
    }
}

/// Parses the front matter of a file and returns it with the byte offset of the body. Without a
/// fence on the first line the front matter is empty and the body is the whole file.
///
/// ```
/// use svc_source::{SourceFile, front_matter};
/// let file = SourceFile::new("a.mdx", "---\ntitle: A page\nteam: docs\n---\nText");
/// let (front_matter, body) = front_matter(&file).value;
/// assert_eq!(front_matter.title.as_deref(), Some("A page"));
/// assert_eq!(front_matter.extra("team").as_deref(), Some("docs"));
/// assert!(front_matter.span_of("title").is_some());
/// assert_eq!(&file.text()[body as usize..], "Text");
/// ```
pub fn front_matter(file: &SourceFile) -> Checked<(FrontMatter, u32)> {
    let mut diagnostics = Vec::new();
    let text: &str = file.text();
    let Some(fenced) = find_fences(text) else {
        let bom = text.len() - text.trim_start_matches('\u{feff}').len();
        return Checked::clean((FrontMatter::default(), Span::from_range(bom..bom).start));
    };
    let (inside, body, toml) = match fenced {
        FencedBlock::Closed { inside, body, toml } => (inside, body, toml),
        FencedBlock::Open { pos: at } => {
            let problem = Diagnostic::new(&UNCLOSED, "the front matter is not closed")
                .at(file.location(Span::from_range(at..at + 3)))
                .hint("end it with a line that equals its first line");
            let head = text.get(at..).unwrap_or("");
            diagnostics.push(problem.fix(close_fence(file, at)));
            let end = head.find("\n\n").unwrap_or(head.len());
            let protected = mentions_protection(head.get(..end).unwrap_or(""));
            let front_matter = FrontMatter {
                public: protected.then_some(false),
                ..FrontMatter::default()
            };
            let value = (front_matter, Span::from_range(at..at).start);
            return Checked { value, diagnostics };
        }
    };
    let slice = text.get(inside.clone()).unwrap_or("");
    let raw = parse_block(file, slice, inside.start, toml, &mut diagnostics);
    // After a syntax error values may be truncated, so their types are not checked.
    let broken = diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity >= Severity::Error);
    let mut reader = Reader {
        file,
        diagnostics,
        broken,
    };
    let mut front_matter = reader.read(raw, inside);
    if broken && mentions_protection(slice) {
        front_matter.public = Some(false);
    }
    let body = Span::from_range(body..body).start;
    Checked {
        value: (front_matter, body),
        diagnostics: reader.diagnostics,
    }
}

/// Returns true if lines that could not be parsed appear to restrict access. Such a page is not
/// made public.
fn mentions_protection(text: &str) -> bool {
    text.lines().any(|line| {
        let key = line.split([':', '=']).next().unwrap_or("");
        let key = key.trim().trim_matches(['"', '\'']);
        matches!(key, "groups" | "public" | "isPublic")
    })
}

enum FencedBlock {
    Closed {
        inside: std::ops::Range<usize>,
        body: usize,
        toml: bool,
    },
    Open {
        pos: usize,
    },
}

/// Finds the fences. Compares bytes only, because it runs for every page of a site.
fn find_fences(text: &str) -> Option<FencedBlock> {
    let stripped = text.trim_start_matches('\u{feff}');
    // Blank lines before the fence are accepted.
    let start = text.len() - stripped.trim_start_matches(['\n', '\r', ' ', '\t']).len();
    let rest = text.get(start..)?;
    let fence = ["---", "+++"]
        .into_iter()
        .find(|fence| rest.starts_with(fence))?;
    let first = rest.split_once('\n').map_or(rest, |(line, _)| line);
    if first.trim_end() != fence {
        return None;
    }
    let inside = start + first.len() + 1;
    let mut at = inside;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let line = rest.split_once('\n').map_or(rest, |(line, _)| line);
        if line.starts_with(fence) && line.trim_end() == fence {
            let body = (at + line.len() + 1).min(text.len());
            return Some(FencedBlock::Closed {
                inside: inside..at,
                body,
                toml: fence == "+++",
            });
        }
        at += line.len() + 1;
    }
    // A page may begin with a thematic break; it is treated as an unclosed fence only if a field
    // follows.
    let second = text
        .get(inside..)
        .unwrap_or("")
        .lines()
        .next()
        .unwrap_or("");
    let field = second.split_once([':', '=']).is_some_and(|(key, _)| {
        let key = key.trim();
        !key.is_empty()
            && key
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_-\"'".contains(&b))
    });
    field.then_some(FencedBlock::Open { pos: start })
}

/// Closes front matter after its fields, if a blank line or a heading ends them.
fn close_fence(file: &SourceFile, start: usize) -> Option<Fix> {
    let rest = file.text().get(start..)?;
    let mut at = start;
    let mut lines = rest.split_inclusive('\n');
    let fence = lines.next()?;
    at += fence.len();
    for line in lines {
        let blank = line.trim().is_empty();
        let field = line.starts_with([' ', '\t', '-']) || line.contains([':', '=']);
        if blank || line.starts_with(['#', '<']) {
            let location = file.location(Span::from_range(at..at));
            let fence = format!("{}\n", fence.trim_end());
            return Some(Fix::new("close the front matter", location, fence));
        }
        if !field {
            return None;
        }
        at += line.len();
    }
    None
}

/// Parses the text between the fences and shifts all spans from the slice to the file.
fn parse_block(
    file: &SourceFile,
    slice: &str,
    start: usize,
    is_toml: bool,
    sink: &mut Vec<Diagnostic>,
) -> Node {
    let by = Span::from_range(start..start).start;
    if slice.trim().is_empty() {
        return Node::new(Span::new(by, by), Value::Null);
    }
    if !is_toml && let Some(node) = simple_yaml::parse(slice, start) {
        return node;
    }
    let limits = Limits {
        bytes: 1 << 20,
        depth: 32,
        nodes: 50_000,
    };
    let view = SourceFile::new(file.path().clone(), slice);
    let parse = if is_toml { parse_toml } else { parse_yaml };
    let Checked { value, diagnostics } = parse(&view, &limits);
    sink.extend(diagnostics.into_iter().map(|mut diagnostic| {
        let moved = |span: Span| file.location(span.shifted(by));
        diagnostic.location = diagnostic.location.map(|at| moved(at.span));
        for label in &mut diagnostic.labels {
            label.location = moved(label.location.span);
        }
        for edit in diagnostic.fix.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.location = moved(edit.location.span);
        }
        diagnostic
    }));
    shift(&value, by)
}

/// Returns the tree shifted by `by` bytes. Its depth is bounded by the limits of the parser.
fn shift(node: &Node, by: u32) -> Node {
    let value = match &node.value {
        Value::Array(items) => Value::Array(items.iter().map(|item| shift(item, by)).collect()),
        Value::Object(members) => {
            let mut object = Object::default();
            for (key, member) in members.members() {
                object.insert(key, member.key_span.shifted(by), shift(&member.value, by));
            }
            Value::Object(object)
        }
        plain => plain.clone(),
    };
    Node::new(node.span.shifted(by), value)
}

struct Reader<'a> {
    file: &'a SourceFile,
    diagnostics: Vec<Diagnostic>,
    broken: bool,
}

impl Reader<'_> {
    fn read(&mut self, raw: Node, inside: std::ops::Range<usize>) -> FrontMatter {
        let mut out = FrontMatter::default();
        match &raw.value {
            Value::Object(object) => self.fields(object, &mut out),
            Value::Null => {}
            _ if self.diagnostics.is_empty() => {
                let message = format!(
                    "the front matter must be keys and values, found {}",
                    raw.kind()
                );
                let problem = Diagnostic::new(&EXPECTED_MAP, message)
                    .at(self.file.location(Span::from_range(inside)))
                    .hint("write fields such as `title: Quickstart`");
                self.diagnostics.push(problem);
            }
            _ => {}
        }
        out.raw = raw;
        out
    }

    fn fields(&mut self, object: &Object, out: &mut FrontMatter) {
        for (key, member) in object.members() {
            let node = &member.value;
            if node.is_null() {
                continue;
            }
            match key {
                "title" => out.title = self.text(key, node),
                "sidebarTitle" => out.sidebar_title = self.text(key, node),
                "description" => out.description = self.text(key, node),
                "icon" => self.icon(node, out),
                "iconType" => out.icon_type = self.text(key, node),
                "tag" => out.tag = self.text(key, node),
                "mode" => out.mode = self.mode(node),
                "hidden" => out.hidden = self.flag(key, node),
                "noindex" => out.noindex = self.flag(key, node).unwrap_or(false),
                "searchable" => out.searchable = self.flag(key, node),
                "boost" => out.boost = self.number(key, node),
                "deprecated" => out.deprecated = self.flag(key, node).unwrap_or(false),
                "url" => out.url = self.text(key, node),
                "openapi" => out.openapi = self.text(key, node),
                "openapi-schema" => out.openapi_schema = self.text(key, node),
                "api" => out.api = self.text(key, node),
                "version" => out.version = self.text(key, node),
                "groups" => out.groups = Some(groups(node)),
                // Only an explicit `true` makes a page public.
                "public" | "isPublic" => {
                    let open = self.flag(key, node).unwrap_or(false);
                    out.public = Some(open && out.public != Some(false));
                }
                "keywords" => out.keywords = string_list(node),
                "timestamp" => out.timestamp = self.flag(key, node),
                "canonical" => out.canonical = self.text(key, node),
                "robots" => out.robots = self.text(key, node),
                "hideFooterPagination" => {
                    out.hide_footer_pagination = self.flag(key, node).unwrap_or(false);
                }
                "hideApiMarker" => out.hide_api_marker = self.flag(key, node).unwrap_or(false),
                "rss" => out.rss = self.flag(key, node).unwrap_or(false),
                "playground" => out.playground = self.text(key, node),
                _ => self.unknown_key(key, member.key_span, object),
            }
        }
    }

    /// Pages may have custom fields, so only names similar to known ones are reported.
    fn unknown_key(&mut self, key: &str, span: Span, keys: &Object) {
        let mut names = FRONT_MATTER_FIELDS.iter().map(|field| field.name);
        if self.broken || key.contains(':') || names.clone().any(|name| name == key) {
            return;
        }
        // Short names differ by a letter without being typos: `author` and `auth`, `code` and
        // `mode`.
        let first = key.chars().next();
        let is_slip = |near: &&str| {
            near.len() > 4 || (near.len() == key.len() && near.chars().next() == first)
        };
        let Some(near) = did_you_mean(key, &mut names).filter(is_slip) else {
            return;
        };
        let message = format!("unknown field `{key}`");
        let problem = Diagnostic::new(&UNKNOWN_KEY, message)
            .at(self.file.location(span))
            .hint(format!("did you mean `{near}`?"));
        let is_free = !keys.iter().any(|(known, _)| known == near);
        let fix = Fix::replace(self.file, span, key, near).filter(|_| is_free);
        self.diagnostics.push(problem.fix(fix));
    }

    fn wrong_type(&mut self, key: &str, node: &Node, expected: &str) {
        if self.broken {
            return;
        }
        let message = format!("`{key}` must be {expected}, found {}", node.kind());
        let problem = Diagnostic::new(&WRONG_TYPE, message)
            .at(self.file.location(node.span))
            .hint(format!("write `{key}:` with {expected}"));
        let fix = self.conversion(node, expected);
        self.diagnostics.push(problem.fix(fix));
    }

    /// Takes the only value out of a list, or reads a word as a Boolean.
    fn conversion(&self, node: &Node, expected: &str) -> Option<Fix> {
        let text = match node.as_array() {
            Some([item]) if item.as_str().is_some() && expected == "a string" => {
                self.file.slice(item.span)
            }
            Some([item]) if item.as_bool().is_some() && expected != "a string" => {
                self.file.slice(item.span)
            }
            Some(_) => return None,
            None => match &*node.to_text()?.trim().to_ascii_lowercase() {
                "on" | "y" if expected == "`true` or `false`" => "true",
                "off" | "n" if expected == "`true` or `false`" => "false",
                _ => return None,
            },
        };
        // A block list is on the lines after its key.
        let written = self.file.slice(node.span);
        (!written.contains('\n') && !written.starts_with('-')).then(|| {
            Fix::new(
                format!("write `{text}`"),
                self.file.location(node.span),
                text,
            )
        })
    }

    fn text(&mut self, key: &str, node: &Node) -> Option<String> {
        let text = node.to_text();
        if text.is_none() {
            self.wrong_type(key, node, "a string");
        }
        text.map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
    }

    /// Reads a boolean, also from a string, because quoted booleans are common.
    fn flag(&mut self, key: &str, node: &Node) -> Option<bool> {
        let value = node.to_text().map(|text| text.trim().to_ascii_lowercase());
        match value.as_deref() {
            Some("true" | "yes") => Some(true),
            Some("false" | "no") => Some(false),
            _ => {
                self.wrong_type(key, node, "`true` or `false`");
                None
            }
        }
    }

    fn number(&mut self, key: &str, node: &Node) -> Option<f64> {
        let text = node
            .to_text()
            .and_then(|text| text.trim().parse::<f64>().ok());
        let number = text.filter(|number| number.is_finite());
        if number.is_none() {
            self.wrong_type(key, node, "a number");
        }
        number
    }

    fn icon(&mut self, node: &Node, out: &mut FrontMatter) {
        let part = |key: &str| node.get(key).and_then(Node::to_text);
        if node.as_object().is_none() {
            out.icon = self.text("icon", node);
            return;
        }
        out.icon = part("name");
        out.icon_library = part("library");
        out.icon_type = part("style").or(out.icon_type.take());
        if out.icon.is_none() {
            self.wrong_type("icon", node, "a string or an object with `name`");
        }
    }

    fn mode(&mut self, node: &Node) -> Mode {
        let name = node.to_text().unwrap_or_default();
        if let Some((_, mode)) = Mode::ALL.iter().find(|(known, _)| *known == name.trim()) {
            return *mode;
        }
        let names = Mode::ALL.map(|(name, _)| name);
        let near = did_you_mean(&name, names);
        let hint = near.map_or_else(
            || {
                format!(
                    "one of {}",
                    names.map(|name| format!("`{name}`")).join(", ")
                )
            },
            |near| format!("did you mean `{near}`?"),
        );
        let problem = Diagnostic::new(&UNKNOWN_MODE, format!("invalid page mode `{name}`"))
            .at(self.file.location(node.span))
            .hint(hint);
        let fix = near.and_then(|near| Fix::replace(self.file, node.span, &name, near));
        self.diagnostics.push(problem.fix(fix));
        Mode::Default
    }
}

/// Reads a list of strings, or a string with comma-separated values.
fn string_list(node: &Node) -> Vec<String> {
    let list: Vec<String> = match node.as_array() {
        Some(items) => items.iter().filter_map(Node::to_text).collect(),
        None => node
            .to_text()
            .iter()
            .flat_map(|text| text.split(','))
            .map(str::to_owned)
            .collect(),
    };
    list.into_iter()
        .map(|item| item.trim().to_owned())
        .filter(|item| !item.is_empty())
        .collect()
}

/// Reads the names of groups; of the object form, the names in `includes`.
fn groups(node: &Node) -> Vec<String> {
    let Some(items) = node.as_array() else {
        return string_list(node);
    };
    items
        .iter()
        .flat_map(|item| {
            item.get("includes")
                .map_or_else(|| string_list(item), string_list)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (FrontMatter, String, Vec<Diagnostic>) {
        let file = SourceFile::new("a.mdx", text);
        let checked = front_matter(&file);
        let (front_matter, body) = checked.value;
        (
            front_matter,
            text[body as usize..].to_owned(),
            checked.diagnostics,
        )
    }

    #[test]
    fn fields_are_read_and_spans_refer_to_the_file() {
        let text = "---\ntitle: \"Über uns\"\nsidebarTitle: Us\nboost: 2\nhidden: true\nkeywords: [a, b]\n---\n# Body";
        let (front_matter, body, problems) = read(text);
        assert_eq!(problems, []);
        assert_eq!(front_matter.title.as_deref(), Some("Über uns"));
        assert_eq!(front_matter.hidden, Some(true));
        assert_eq!(front_matter.boost, Some(2.0));
        assert_eq!(front_matter.keywords, ["a", "b"]);
        assert_eq!(body, "# Body");
        let span = front_matter.span_of("sidebarTitle").unwrap();
        assert_eq!(&text[span.range()], "Us");
    }

    #[test]
    fn bad_yaml_is_reported_with_line_and_column_of_the_file() {
        let (front_matter, body, problems) = read("---\ntitle: a\nx: [1\ny: 2\n---\nBody");
        assert_eq!(front_matter.title.as_deref(), Some("a"));
        assert_eq!(body, "Body");
        let at = problems[0].location.as_ref().unwrap();
        assert!(at.start.line >= 3, "{at:?}");
        assert_eq!(problems[0].severity, Severity::Error);
    }

    #[test]
    fn wrong_types_are_named() {
        let (front_matter, _, problems) =
            read("---\nopenapi:\n  - GET /a\nhidden: maybe\nmode: wid\n---\n");
        assert_eq!(front_matter.openapi, None);
        assert_eq!(problems.len(), 3);
        assert_eq!(problems[0].location_string(), "a.mdx:3:3");
        assert_eq!(problems[2].hint.as_deref(), Some("did you mean `wide`?"));
    }

    #[test]
    fn a_misspelled_field_is_reported_and_a_custom_field_is_not() {
        let (_, _, problems) = read(
            "---\ntitel: a\nsidbarTitle: b\nauthor: c\ncode: d\nrelated: e\nog:titel: f\n---\n",
        );
        let reported: Vec<_> = problems
            .iter()
            .map(|problem| (problem.location_string(), problem.hint.as_deref().unwrap()))
            .collect();
        assert_eq!(
            reported,
            [
                ("a.mdx:2:1".to_owned(), "did you mean `title`?"),
                ("a.mdx:3:1".to_owned(), "did you mean `sidebarTitle`?"),
            ]
        );
    }

    #[test]
    fn toml_front_matter_is_read() {
        let (front_matter, body, problems) = read("+++\ntitle = \"T\"\nnoindex = true\n+++\nBody");
        assert_eq!(problems, []);
        assert_eq!(
            (
                front_matter.title.as_deref(),
                front_matter.noindex,
                body.as_str()
            ),
            (Some("T"), true, "Body")
        );
    }

    #[test]
    fn toml_front_matter_can_use_all_of_toml() {
        let text = "+++\ndescription = \"\"\"\nTwo\nlines\"\"\"\ntitle = 'T' # comment\nboost = 1.5\nkeywords = [\n  'a',\n]\n[extra]\nsince = 2026-01-02\n+++\nBody";
        let (front_matter, body, problems) = read(text);
        assert_eq!(problems, []);
        assert_eq!(front_matter.title.as_deref(), Some("T"));
        assert_eq!(front_matter.description.as_deref(), Some("Two\nlines"));
        assert_eq!(body, "Body");
        let (front_matter, _, problems) = read("+++\ntitle = \"T\"\nx = \"open\n+++\n");
        assert_eq!(front_matter.title.as_deref(), Some("T"));
        assert_eq!(problems[0].location_string(), "a.mdx:3:10");
    }

    #[test]
    fn a_thematic_break_on_the_first_line_is_not_front_matter() {
        let (_, body, problems) = read("---\n\nText");
        assert_eq!((body.as_str(), problems.len()), ("---\n\nText", 0));
        let (_, _, problems) = read("---\ntitle: x\n\nText");
        assert_eq!(problems[0].code, &UNCLOSED);
    }

    #[test]
    fn carriage_returns_and_a_byte_order_mark_are_accepted() {
        let (front_matter, body, problems) = read("\u{feff}---\r\ntitle: T\r\n---\r\nBody");
        assert_eq!(problems, []);
        assert_eq!(
            (front_matter.title.as_deref(), body.as_str()),
            (Some("T"), "Body")
        );
        let (_, body, _) = read("\u{feff}Body");
        assert_eq!(body, "Body");
    }

    #[test]
    fn malformed_front_matter_does_not_panic() {
        let text = "---\ntitle: \"é\"\nicon: {name: x, style: y}\n---\nBody";
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            read(&text[..end]);
        }
        assert_eq!(read("---").1, "---");
        assert_eq!(read("---\n---").1, "");
    }
}
