//! What a text refers to: a page, a file, an operation.

use svc_data::percent::decode_lossy;
use svc_data::{Limits, Node, at_pointer, unescape_pointer};
use svc_diagnostics::Span;
use svc_nav::{OperationRef, Route};
use svc_openapi::Operation;
use svc_render::components::{ALL, Prop, PropKind, Spec};
use svc_source::{normalize, resolve_import};

use crate::cursor::{Cursor, Step, Target, json_cursor, page_cursor};
use crate::features::headings::anchor_span;
use crate::schema::Declaration;
use crate::view::{FileKind, View, relative_specifier};

/// Kind of reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A page of the navigation, or an operation: `guides/start`, `GET /users`.
    Page,
    /// A link to a page or file: `/guides/start#install`.
    Link,
    /// An image.
    Image,
    /// An icon: a name, a path or a URL.
    Icon,
    /// An operation of front matter: `GET /users`.
    Operation,
    /// An imported file.
    Import,
    /// A file in the directory of snippets.
    Snippet,
    /// A file that holds a part of `docs.json`.
    Include,
    /// An OpenAPI document.
    Document,
    /// A `$ref` of an OpenAPI document.
    Reference,
    /// A component that a page imports.
    Component,
}

/// What a reference leads to.
#[derive(Debug)]
pub(crate) struct Destination<'a> {
    /// The file, relative to the root of the site.
    pub(crate) file: String,
    pub(crate) span: Span,
    /// The page, if the destination is one.
    pub(crate) route: Option<&'a Route>,
}

/// The tag of a built-in component with this name.
pub(crate) fn spec_of(tag: &str) -> Option<&'static Spec> {
    let mut tags = ALL.iter().flat_map(|component| component.tags);
    tags.find(|spec| spec.tag == tag)
}

/// The declared attribute of a tag.
pub(crate) fn prop_of(tag: &str, name: &str) -> Option<&'static Prop> {
    spec_of(tag)?.props.iter().find(|prop| prop.name == name)
}

impl<'a> View<'a> {
    /// What is at an offset of the document. `None` if it is nothing that the server knows.
    pub(crate) fn cursor(&self, offset: usize) -> Option<Cursor> {
        match &self.kind {
            FileKind::Config(prefix) if self.path.ends_with(".json") => {
                let mut cursor = json_cursor(self.text, offset);
                if let Target::Key(steps) | Target::Value(steps) = &mut cursor.target {
                    *steps = [prefix.as_slice(), steps].concat();
                }
                Some(cursor)
            }
            FileKind::Page => page_cursor(self.text, offset),
            FileKind::Data if self.path.ends_with(".json") => Some(json_cursor(self.text, offset)),
            FileKind::Data => self.yaml_reference(offset),
            FileKind::Config(_) | FileKind::Other => None,
        }
    }

    /// The value of `$ref` on the line of a YAML document.
    fn yaml_reference(&self, offset: usize) -> Option<Cursor> {
        let line = self.index.line_at(offset);
        let inside = self.text.get(line.clone())?;
        let (before, rest) = inside.split_once("$ref:")?;
        let rest = rest.trim_start();
        let quote = rest
            .chars()
            .next()
            .filter(|first| ['"', '\''].contains(first));
        let value = rest.strip_prefix(['"', '\'']).unwrap_or(rest);
        let length = match quote {
            Some(quote) => value.find(quote),
            None => value.find([' ', ',', '}']),
        };
        let value = value.get(..length.unwrap_or(value.len()))?;
        let start = line.start + before.len() + inside.get(before.len()..)?.find(value)?;
        Some(Cursor {
            target: Target::Value(vec![Step::Key("$ref".to_owned())]),
            span: start..start + value.len(),
            quoted: true,
        })
    }

    /// The text of a cursor.
    pub(crate) fn text_of(&self, cursor: &Cursor) -> &'a str {
        self.text.get(cursor.span.clone()).unwrap_or_default()
    }

    /// The kind of reference at a cursor. `None` if it is none.
    pub(crate) fn role(&self, cursor: &Cursor) -> Option<Role> {
        match &cursor.target {
            Target::Value(steps) => match self.kind {
                FileKind::Config(_) => config_role(steps),
                _ => {
                    (steps.last() == Some(&Step::Key("$ref".to_owned()))).then_some(Role::Reference)
                }
            },
            Target::FieldValue(field) => match field.as_str() {
                "icon" => Some(Role::Icon),
                "openapi" => Some(Role::Operation),
                "url" | "canonical" => Some(Role::Link),
                _ => None,
            },
            Target::AttributeValue { tag, name } => attribute_role(tag, name),
            Target::Link => Some(Role::Link),
            Target::Image => Some(Role::Image),
            Target::Import => Some(Role::Import),
            Target::Tag { .. } => Some(Role::Component),
            Target::Key(_) | Target::Field | Target::Attribute { .. } => None,
        }
    }

    /// What a reference leads to. `None` if it is broken or leads to another site.
    pub(crate) fn destination(&self, role: Role, value: &str) -> Option<Destination<'a>> {
        match role {
            Role::Page => self.page(value).or_else(|| self.operation_page(value)),
            Role::Link => self.link(value),
            Role::Image | Role::Icon => self.file(value),
            Role::Operation => self.operation_page(value),
            Role::Import => self.existing(resolve_import(&self.path, value)),
            Role::Snippet => {
                let mut dirs = ["snippets", "_snippets"].iter();
                dirs.find_map(|dir| self.existing(normalize(&format!("{dir}/{value}"))))
            }
            Role::Include => self.existing(resolve_import(&self.path, &relative_specifier(value))),
            Role::Document => {
                let document = self.project.site.catalog.find(value)?;
                self.existing(document.path.clone())
            }
            Role::Reference => self.reference(value),
            Role::Component => self.component(value),
        }
    }

    /// The operation of an entry, such as `GET /users`.
    pub(crate) fn operation(&self, entry: &str) -> Option<&'a Operation> {
        let catalog = &self.project.site.catalog;
        let entry = catalog.operation_ref(entry)?;
        catalog
            .lookup(&entry, None)
            .map(|located| located.operation)
    }

    fn existing(&self, file: String) -> Option<Destination<'a>> {
        let exists = self.project.site.tree.contains(&file);
        exists.then_some(Destination {
            file,
            span: Span::default(),
            route: None,
        })
    }

    fn page(&self, slug: &str) -> Option<Destination<'a>> {
        let page = self.project.site.pages.get(slug)?;
        Some(Destination {
            file: page.path.to_string(),
            span: Span::default(),
            route: self.project.route_of(&page.path),
        })
    }

    fn operation_page(&self, entry: &str) -> Option<Destination<'a>> {
        let operation = self.operation(entry)?;
        Some(Destination {
            file: operation.location.file.to_string(),
            span: operation.location.span,
            route: None,
        })
    }

    /// The operation that a generated page documents.
    pub(crate) fn operation_of(&self, route: &Route) -> Option<&'a Operation> {
        let documents = &self.project.site.catalog.documents;
        match route.operation.as_ref()? {
            OperationRef::Operation {
                document,
                method,
                path,
            } => documents.get(*document)?.operation(method, path),
            OperationRef::Webhook { document, name } => documents.get(*document)?.webhook(name),
            _ => None,
        }
    }

    /// The directory of the document, with a trailing slash unless it is the root.
    fn dir(&self) -> &str {
        self.path.rfind('/').map_or("", |at| &self.path[..=at])
    }

    fn file(&self, value: &str) -> Option<Destination<'a>> {
        let path = value.split(['#', '?']).next()?;
        if path.is_empty() || path.contains("://") || path.starts_with("//") {
            return None;
        }
        let path = decode_lossy(path);
        if path.starts_with('/') || matches!(self.kind, FileKind::Config(_)) {
            return self.existing(normalize(&path));
        }
        let relative = normalize(&format!("{}{path}", self.dir()));
        self.existing(relative)
            .or_else(|| self.existing(normalize(&path)))
    }

    /// The route of the page part of a link: absolute, relative to the file, or the page itself.
    /// Redirects are followed.
    pub(crate) fn linked_route(&self, url: &str) -> Option<&'a Route> {
        self.named_route(url).or_else(|| {
            let map = &self.project.site.map;
            let (to, _) = map.redirect(&format!("/{}", self.linked_path(url)?))?;
            map.route(to.split('#').next()?)
        })
    }

    /// Whether the page part of a link is the source of a redirect.
    pub(crate) fn is_redirect(&self, url: &str) -> bool {
        self.named_route(url).is_none() && self.linked_route(url).is_some()
    }

    /// The route that a link names, without redirects.
    fn named_route(&self, url: &str) -> Option<&'a Route> {
        if url.is_empty() || url.starts_with(['#', '?']) {
            return self.project.route_of(&self.path);
        }
        let path = self.linked_path(url)?;
        let find = |path: &str| self.project.site.map.route(&format!("/{path}"));
        let stem = path
            .strip_suffix(".mdx")
            .or_else(|| path.strip_suffix(".md"));
        find(&path)
            .or_else(|| find(stem?))
            .or_else(|| find(path.strip_suffix("index")?))
    }

    /// The path that a link names, from the root of the site. `None` for other sites and for links
    /// without a path.
    fn linked_path(&self, url: &str) -> Option<String> {
        let path = url.split(['#', '?']).next()?;
        let is_elsewhere = path.starts_with("//") || svc_data::url_scheme(path).is_some();
        if path.is_empty() || is_elsewhere {
            return None;
        }
        let path = decode_lossy(path);
        let is_absolute = path.starts_with('/') || matches!(self.kind, FileKind::Config(_));
        Some(match is_absolute {
            true => normalize(&path),
            false => normalize(&format!("{}{path}", self.dir())),
        })
    }

    fn link(&self, url: &str) -> Option<Destination<'a>> {
        let Some(route) = self.linked_route(url) else {
            return self.file(url);
        };
        let Some(file) = self.project.file_of(route) else {
            let location = &self.operation_of(route)?.location;
            return Some(Destination {
                file: location.file.to_string(),
                span: location.span,
                route: Some(route),
            });
        };
        Some(Destination {
            file: file.to_owned(),
            span: Span::default(),
            route: Some(route),
        })
    }

    /// The span of the heading or key that a reference to a file names. `None` if it names none that
    /// exists. Parses the file, so it is not part of [`View::destination`].
    pub(crate) fn named_span(&self, role: Role, value: &str, file: &str) -> Option<Span> {
        let (_, fragment) = value.split_once('#')?;
        let fragment = decode_lossy(fragment);
        match role {
            // The document itself may be newer than the site.
            Role::Link if *file == *self.path => anchor_span(self.text, &fragment),
            Role::Link => anchor_span(self.project.site.text_of(file)?, &fragment),
            Role::Reference => {
                let source = self.project.site.tree.text(file)?;
                let root = svc_data::parse(source, &Limits::default()).value;
                key_span(&root, &fragment)
            }
            _ => None,
        }
    }

    fn reference(&self, value: &str) -> Option<Destination<'a>> {
        let (file, _) = value.split_once('#').unwrap_or((value, ""));
        self.existing(match file {
            "" => self.path.clone(),
            file => resolve_import(&self.path, &relative_specifier(file)),
        })
    }

    /// The declaration of a component in the file that the document imports it from.
    fn component(&self, name: &str) -> Option<Destination<'a>> {
        let root = name.split('.').next().filter(|root| !root.is_empty())?;
        let specifier = imports(self.text).find_map(|(clause, specifier)| {
            let mut names = clause.split(|c: char| !(c.is_alphanumeric() || "_$".contains(c)));
            names.any(|other| other == root).then_some(specifier)
        })?;
        let mut found = self.existing(resolve_import(&self.path, specifier))?;
        let text = self.project.site.text_of(&found.file).unwrap_or_default();
        found.span = export_span(text, root).unwrap_or_default();
        Some(found)
    }
}

/// The import statements of a page on one line each: the names, and the file.
pub(crate) fn imports(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| {
        let (clause, rest) = line.strip_prefix("import ")?.split_once(" from ")?;
        let specifier = rest.trim().trim_end_matches(';').trim_matches(['"', '\'']);
        Some((clause, specifier))
    })
}

/// The name in the statement that exports it.
fn export_span(text: &str, name: &str) -> Option<Span> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_name = |rest: &str| {
            let next = rest.get(name.len()..).and_then(|rest| rest.chars().next());
            rest.starts_with(name) && next.is_none_or(|next| !next.is_alphanumeric())
        };
        let mut keywords = ["const ", "function ", "let ", "default function "].iter();
        let found = line.strip_prefix("export ").and_then(|rest| {
            let keyword =
                keywords.find(|keyword| rest.strip_prefix(**keyword).is_some_and(is_name))?;
            Some(at + "export ".len() + keyword.len())
        });
        if let Some(start) = found {
            return Some(Span::from_range(start..start + name.len()));
        }
        at += line.len();
    }
    None
}

/// The span of the key at a JSON pointer, or of the value if it has no key.
fn key_span(root: &Node, pointer: &str) -> Option<Span> {
    let node = at_pointer(root, pointer)?;
    let key = pointer.rsplit_once('/').and_then(|(outer, key)| {
        let object = at_pointer(root, outer)?.as_object()?;
        object.member(&unescape_pointer(key))
    });
    Some(key.map_or(node.span, |member| member.key_span))
}

fn config_role(steps: &[Step]) -> Option<Role> {
    let keys = steps.iter().rev().filter_map(|step| match step {
        Step::Key(key) => Some(key.as_str()),
        Step::Item => None,
    });
    let key = keys.clone().next()?;
    if key == "$ref" {
        return Some(Role::Include);
    }
    let is_navigation = steps.first() == Some(&Step::Key("navigation".to_owned()));
    if is_navigation && matches!(key, "pages" | "root") {
        return Some(Role::Page);
    }
    let declaration = Declaration::at(steps);
    let roles = [
        ("iconName", Role::Icon),
        ("link", Role::Link),
        ("elementLink", Role::Link),
        ("footerLink", Role::Link),
        ("file", Role::Image),
        ("picture", Role::Image),
        ("openapi", Role::Document),
    ];
    let role = roles
        .iter()
        .find(|(name, _)| declaration.has_definition(name));
    let is_source = key == "source" && keys.clone().nth(1) == Some("openapi");
    role.map(|(_, role)| *role)
        .or(is_source.then_some(Role::Document))
}

fn attribute_role(tag: &str, name: &str) -> Option<Role> {
    if prop_of(tag, name).is_some_and(|prop| prop.kind == PropKind::Icon) {
        return Some(Role::Icon);
    }
    match (tag, name) {
        ("Snippet", "file") => Some(Role::Snippet),
        (_, "icon") => Some(Role::Icon),
        (_, "href") => Some(Role::Link),
        (_, "src" | "img" | "poster") => Some(Role::Image),
        _ => None,
    }
}
