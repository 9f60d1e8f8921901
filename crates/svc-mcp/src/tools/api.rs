//! `api`: an operation, webhook or schema of the OpenAPI documents.

use std::collections::HashMap;

use serde_json::{Value, json};
use svc_nav::{OperationRef, Route};
use svc_openapi::{ApiDocument, Operation, OperationKind};
use svc_site::{Site, estimated_tokens};

use super::{Tool, ToolCall};
use crate::bounded_text::{BoundedText, quoted};
use crate::visible::{self, Surface};

/// Maximum number of similar names in a message.
const MAX_SIMILAR: usize = 8;
/// Maximum number of lines to skip and position in a text.
const MAX_OFFSET: usize = 1 << 30;

pub(super) static TOOL: Tool = Tool {
    name: "api",
    title: "Read an API operation",
    description: "One operation, webhook or schema of the API as compact text: parameters, body and responses with their schemas. By `method` and `path`, or by `name`. Without both: the list of all operations.",
    properties,
    required: &[],
    is_listed: has_api,
    call,
};

fn properties() -> Value {
    json!({
        "method": {"type": "string", "description": "HTTP method."},
        "path": {"type": "string", "description": "Path of the operation, such as `/users/{id}`; values instead of parameters match too."},
        "name": {"type": "string", "description": "Operation ID, `METHOD /path`, or the name of a webhook or schema."},
        "document": {"type": "string", "description": "Path or title of the OpenAPI document, if several have the operation."},
        "offset": {"type": "integer", "minimum": 0, "description": "Where to continue, as the last answer says."}
    })
}

fn has_api(site: &Site) -> bool {
    Items::new(site).all().next().is_some()
}

/// What a client can ask for.
#[derive(Debug, Clone, Copy)]
enum Item<'s> {
    Operation(&'s Operation),
    Schema(&'s str),
}

/// An item with its document and its page.
#[derive(Debug, Clone, Copy)]
struct Located<'s> {
    document: &'s ApiDocument,
    item: Item<'s>,
    route: Option<&'s Route>,
}

/// Kind of item, document, method and path or name.
type ItemKey<'s> = (u8, usize, &'s str, &'s str);

/// The visible parts of all documents: those that have a page, and those of documents that can be
/// downloaded.
struct Items<'s> {
    site: &'s Site,
    routes: HashMap<ItemKey<'s>, &'s Route>,
}

impl<'s> Items<'s> {
    fn new(site: &'s Site) -> Self {
        let routes = site.map.routes.values();
        let routes = routes.filter_map(|route| Some((key_of(route.operation.as_ref()?), route)));
        Self {
            site,
            routes: routes.collect(),
        }
    }

    /// All items that may be read.
    fn all(&self) -> impl Iterator<Item = Located<'s>> {
        let documents = self.site.catalog.documents.iter().enumerate();
        documents.flat_map(move |(index, document)| {
            let operations = document.operations.iter().chain(&document.webhooks);
            let operations = operations.map(Item::Operation);
            let schemas = document.schema_names().map(Item::Schema);
            operations.chain(schemas).filter_map(move |item| {
                let key = match item {
                    Item::Schema(name) => (2, index, "", name),
                    Item::Operation(operation) => match operation.kind {
                        OperationKind::Path => (0, index, &*operation.method, &*operation.path),
                        OperationKind::Webhook => (1, index, "", &*operation.path),
                    },
                };
                let route = self.routes.get(&key).copied();
                let is_open = self.site.map.documents.contains(&index)
                    && !matches!(item, Item::Operation(operation) if operation.hidden || operation.protected);
                let is_visible = match route {
                    Some(route) => visible::is_visible(route, Surface::Path),
                    None => is_open,
                };
                is_visible.then_some(Located {
                    document,
                    item,
                    route,
                })
            })
        })
    }

    /// The operations and webhooks that lists may show.
    fn listed(&self) -> impl Iterator<Item = Located<'s>> {
        self.all().filter(|located| {
            let is_listed = located
                .route
                .is_none_or(|route| visible::is_visible(route, Surface::List));
            is_listed && matches!(located.item, Item::Operation(_))
        })
    }
}

fn key_of(operation: &OperationRef) -> ItemKey<'_> {
    match operation {
        OperationRef::Operation {
            document,
            method,
            path,
        } => (0, *document, method, path),
        OperationRef::Webhook { document, name } => (1, *document, "", name),
        OperationRef::Schema { document, name } => (2, *document, "", name),
        OperationRef::Tool { document, name } => (3, *document, "", name),
    }
}

fn call(call: &ToolCall<'_>) -> Result<String, String> {
    let site = call.site;
    let name = call.arguments.text("name")?;
    let document = call.arguments.text("document")?;
    let offset = call.arguments.number("offset", 0..=MAX_OFFSET, 0)?;
    let (mut method, mut path) = (call.arguments.text("method")?, call.arguments.text("path")?);
    let mut name = name;
    if let Some((verb, target)) = name.and_then(|name| name.split_once(' '))
        && target.starts_with('/')
    {
        (method, path, name) = (Some(verb), Some(target.trim()), None);
    }
    let items = Items::new(site);
    let of_document = |located: &Located<'_>| {
        document.is_none_or(|wanted| {
            let own = located.document;
            own.path.trim_start_matches('/') == wanted.trim_start_matches('/')
                || own.title.eq_ignore_ascii_case(wanted)
        })
    };
    if document.is_some() && !items.all().any(|located| of_document(&located)) {
        return Err(unknown_document(&items));
    }
    let found: Vec<Located<'_>> = match (name, path) {
        (None, None) => return list(&items, method, &of_document, offset, call.max_tokens),
        (Some(name), _) => {
            let all: Vec<Located<'_>> = items.all().filter(of_document).collect();
            let exact = all.iter().filter(|located| located.is_named(name, false));
            let exact: Vec<Located<'_>> = exact.copied().collect();
            match exact.is_empty() {
                false => exact,
                true => all
                    .into_iter()
                    .filter(|located| located.is_named(name, true))
                    .collect(),
            }
        }
        (None, Some(path)) => at_path(&items, &of_document, method, path),
    };
    if found.is_empty() {
        let wanted = match (name, path) {
            (Some(name), _) => quoted(name, 100),
            (None, path) => format!(
                "{} {}",
                quoted(method.unwrap_or("*"), 20).to_uppercase(),
                quoted(path.unwrap_or_default(), 200)
            ),
        };
        return Err(not_found(&items, &wanted));
    }
    Ok(write(site, &found, offset, call.max_tokens))
}

impl Located<'_> {
    fn is_named(&self, name: &str, ignore_case: bool) -> bool {
        let equals = |own: &str| match ignore_case {
            true => own.eq_ignore_ascii_case(name),
            false => own == name,
        };
        match self.item {
            Item::Schema(own) => equals(own),
            Item::Operation(operation) => {
                operation.operation_id.as_deref().is_some_and(equals)
                    || (operation.kind == OperationKind::Webhook && equals(&operation.path))
            }
        }
    }

    /// The item in one line.
    fn label(&self) -> String {
        let operation = match self.item {
            Item::Schema(name) => return format!("schema {}", quoted(name, 100)),
            Item::Operation(operation) => operation,
        };
        let path = quoted(&operation.path, 200);
        match operation.kind {
            OperationKind::Path => format!("{} {path}", operation.method.to_uppercase()),
            OperationKind::Webhook => format!("webhook {path}"),
        }
    }
}

/// The operations at a path: with the same text, or else with values instead of parameters.
fn at_path<'s>(
    items: &Items<'s>,
    of_document: &dyn Fn(&Located<'_>) -> bool,
    method: Option<&str>,
    path: &str,
) -> Vec<Located<'s>> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let fits = |located: &Located<'_>, matches: &dyn Fn(&str) -> bool| match located.item {
        Item::Schema(_) => false,
        Item::Operation(operation) => {
            operation.kind == OperationKind::Path
                && method.is_none_or(|method| operation.method.eq_ignore_ascii_case(method))
                && matches(&operation.path)
        }
    };
    let all: Vec<Located<'s>> = items.all().filter(|located| of_document(located)).collect();
    let trimmed = path.trim_end_matches('/');
    let same = |own: &str| own.trim_end_matches('/') == trimmed;
    let similar = |own: &str| matches_template(own, path);
    let by = |matches: &dyn Fn(&str) -> bool| -> Vec<Located<'s>> {
        let found = all.iter().filter(|located| fits(located, matches));
        found.copied().collect()
    };
    match by(&same) {
        none if none.is_empty() => by(&similar),
        found => found,
    }
}

/// Whether a path fits a template such as `/users/{id}`.
fn matches_template(template: &str, path: &str) -> bool {
    let (mut own, mut other) = (
        template.trim_matches('/').split('/'),
        path.trim_matches('/').split('/'),
    );
    loop {
        match (own.next(), other.next()) {
            (None, None) => return true,
            (Some(own), Some(other)) if own == other => {}
            (Some(own), Some(other)) if own.contains('{') && !other.is_empty() => {}
            _ => return false,
        }
    }
}

/// Lists operations.
fn list(
    items: &Items<'_>,
    method: Option<&str>,
    of_document: &dyn Fn(&Located<'_>) -> bool,
    offset: usize,
    max_tokens: usize,
) -> Result<String, String> {
    let fits = |located: &Located<'_>| match located.item {
        Item::Operation(operation) => {
            method.is_none_or(|method| operation.method.eq_ignore_ascii_case(method))
        }
        Item::Schema(_) => false,
    };
    let all: Vec<Located<'_>> = items
        .listed()
        .filter(|located| of_document(located) && fits(located))
        .collect();
    let mut answer = BoundedText::new(max_tokens);
    answer.push(&format!("{} operations.\n", all.len()));
    let mut end = offset.min(all.len());
    let mut document = "";
    for located in all.iter().skip(offset) {
        let mut line = String::new();
        if document != located.document.path {
            document = &located.document.path;
            line = format!(
                "\n{} ({})\n",
                quoted(&located.document.title, 100),
                quoted(document, 200)
            );
        }
        line.push_str(&format!("- {}", located.label()));
        if let Item::Operation(operation) = located.item {
            line.push_str(&format!(": {}", quoted(&operation.title(), 100)));
        }
        line.push('\n');
        if !answer.push(&line) {
            break;
        }
        end += 1;
    }
    let footer = match all.len() - end {
        0 => String::new(),
        left => format!("{left} more operations: `offset` {end}, or set `document` or `method`."),
    };
    Ok(answer.finish(&footer))
}

/// Writes one item, or the labels of several.
fn write(site: &Site, found: &[Located<'_>], offset: usize, max_tokens: usize) -> String {
    let mut answer = BoundedText::new(max_tokens);
    let [located] = found else {
        answer.push("Several match; set `method` or `document`:\n");
        for located in found {
            let document = quoted(&located.document.path, 200);
            if !answer.push(&format!("- {} in {document}\n", located.label())) {
                break;
            }
        }
        return answer.finish("");
    };
    let mut text = String::new();
    if let Item::Operation(operation) = located.item {
        text.push_str(&format!("# {}\n", quoted(&operation.title(), 200)));
        if let Some(id) = &operation.operation_id {
            text.push_str(&format!("\nOperation ID `{}`\n", quoted(id, 200)));
        }
    }
    if let Some(route) = located.route {
        text.push_str(&format!("\nPage: {}\n", visible::href(site, route)));
    }
    match located.item {
        Item::Operation(operation) => {
            text.push_str(&site.operation_markdown(located.document, operation));
        }
        Item::Schema(name) => {
            let schema = site.schema_markdown(located.document, name);
            text.push_str(&schema.unwrap_or_default());
        }
    }
    let start = text.floor_char_boundary(offset.min(text.len()));
    let written = answer.push_start(&text[start..], answer.left());
    let end = start + written;
    let footer = match estimated_tokens(&text[end..]) {
        0 => String::new(),
        left => format!("{left} more tokens: the same call with `offset` {end}."),
    };
    answer.finish(&footer)
}

fn not_found(items: &Items<'_>, wanted: &str) -> String {
    let lower = separated(wanted);
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() > 1)
        .collect();
    let score = |located: &Located<'_>| {
        let mut label = located.label().to_lowercase();
        if let Item::Operation(operation) = located.item {
            let id = operation.operation_id.as_deref().unwrap_or_default();
            label.push_str(&id.to_lowercase());
        }
        let found = words.iter().filter(|word| label.contains(*word));
        found.map(|word| word.len()).sum::<usize>()
    };
    let mut similar: Vec<(usize, String)> = items
        .listed()
        .map(|located| (score(&located), located.label()))
        .filter(|(score, _)| *score > 0)
        .collect();
    // Stable: equal ones stay in the order of the documents.
    similar.sort_by_key(|(score, _)| usize::MAX - score);
    let similar = similar.into_iter().take(MAX_SIMILAR);
    let similar: Vec<String> = similar.map(|(_, label)| format!("`{label}`")).collect();
    match similar.is_empty() {
        true => format!(
            "No operation, webhook or schema `{wanted}`. Call `api` without arguments for a list."
        ),
        false => format!(
            "No operation, webhook or schema `{wanted}`. Similar: {}.",
            similar.join(", ")
        ),
    }
}

/// A name in lower case with spaces between the words of camel case.
fn separated(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 8);
    let mut was_lower = false;
    for c in name.chars() {
        if c.is_uppercase() && was_lower {
            out.push(' ');
        }
        was_lower = c.is_lowercase();
        out.extend(c.to_lowercase());
    }
    out
}

fn unknown_document(items: &Items<'_>) -> String {
    let mut names: Vec<String> = Vec::new();
    for located in items.all() {
        let name = format!("`{}`", quoted(&located.document.path, 200));
        if names.len() < MAX_SIMILAR && !names.contains(&name) {
            names.push(name);
        }
    }
    format!("`document` must be one of {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use svc_site::estimated_tokens;

    use super::*;
    use crate::test_site::{self, call, error};

    #[test]
    fn an_operation_is_found_by_path_and_by_name() {
        let site = test_site::api();
        for arguments in [
            r#"{"method": "get", "path": "/pets/{id}"}"#,
            r#"{"method": "GET", "path": "/pets/7/"}"#,
            r#"{"name": "getPet"}"#,
            r#"{"name": "getpet"}"#,
            r#"{"name": "GET /pets/{id}"}"#,
        ] {
            let text = call(&site, "api", arguments);
            assert!(
                text.starts_with("# Get a pet\n\nOperation ID `getPet`\n\nPage: /"),
                "{arguments}: {text}"
            );
            assert!(
                text.contains("| `name` | string | yes | Its name |"),
                "{text}"
            );
        }
        let text = call(&site, "api", r#"{"path": "/pets/{id}"}"#);
        assert!(
            text.contains("- GET /pets/{id} in api.json\n- DELETE /pets/{id}"),
            "{text}"
        );
        let text = call(&site, "api", r#"{"name": "Pet"}"#);
        assert!(
            text.contains("Schema `Pet`: object") && text.contains("| `name` |"),
            "{text}"
        );
        let text = call(&site, "api", r#"{"name": "petFed"}"#);
        assert!(text.contains("Webhook `petFed`"), "{text}");
    }

    #[test]
    fn operations_are_listed_and_suggested() {
        let site = test_site::api();
        let text = call(&site, "api", "{}");
        assert!(
            text.starts_with("3 operations.\n\nPets (api.json)\n- GET /pets/{id}: Get a pet\n"),
            "{text}"
        );
        let text = error(&site, "api", r#"{"name": "getPets"}"#);
        assert!(text.contains("Similar: `GET /pets/{id}`"), "{text}");
        for arguments in [
            r#"{"name": "hiddenOne"}"#,
            r#"{"method": "GET", "path": "/hidden"}"#,
        ] {
            let text = error(&site, "api", arguments);
            assert!(!text.contains("Hidden operation"), "{text}");
        }
        let text = error(&site, "api", r#"{"name": "getPet", "document": "x"}"#);
        assert_eq!(text, "`document` must be one of `api.json`");
    }

    #[test]
    fn a_long_operation_is_continued() {
        let site = test_site::api();
        let first = call(&site, "api", r#"{"name": "getPet", "max_tokens": 200}"#);
        assert!(estimated_tokens(&first) <= 200, "{first}");
        let (_, offset) = first.rsplit_once("`offset` ").unwrap();
        let offset = offset.trim_end_matches('.');
        let arguments = format!(r#"{{"name": "getPet", "max_tokens": 200, "offset": {offset}}}"#);
        let second = call(&site, "api", &arguments);
        assert!(!second.starts_with("# Get a pet"), "{second}");
    }

    #[test]
    fn values_match_templates() {
        assert!(matches_template("/a/{b}/c", "/a/1/c") && matches_template("/a", "/a/"));
        assert!(!matches_template("/a/{b}", "/a") && !matches_template("/a/{b}", "/a/1/c"));
    }
}
