//! OpenAPI documents as compact text for language models: an index for each document, files with
//! the operations of each tag, and files with the schemas that several tags use.
//!
//! Only operations whose pages language models may know are part of them. Each schema is written
//! once, in the files of the only tag that uses it or in those of all schemas; schemas that an
//! operation names directly are in the files of its tag.

mod blocks;
mod pack;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use indexmap::IndexMap;
use svc_nav::{OperationRef, Route};
use svc_openapi::{ApiDocument, Operation, SchemaRef, UNTAGGED_GROUP, slugify};

use self::blocks::{Blocks, SchemaText};
use super::markdown;
use super::text::{label, line, unique_slug};
use super::tokens::estimated_tokens;
use crate::Site;
use crate::page::CompressedBytes;

/// Directory of the files.
const DIR: &str = "/_llms/api/";
/// Slug of documents and tags whose names have no letters.
const DEFAULT_SLUG: &str = "api";
/// Name of the index of a document, and of the files with schemas of several tags.
const INDEX: &str = "index";
const SCHEMAS: &str = "schemas";

/// The texts of all documents.
#[derive(Debug, Default)]
pub(crate) struct ApiTexts {
    /// By URL path.
    files: BTreeMap<String, Arc<CompressedBytes>>,
    documents: Vec<ApiTextEntry>,
}

/// The text of a document in a list.
#[derive(Debug)]
pub(super) struct ApiTextEntry {
    pub(super) title: String,
    /// URL path of the index.
    pub(super) path: String,
    /// Number of operations.
    pub(super) operations: usize,
    /// Estimated tokens of all files.
    pub(super) tokens: usize,
}

/// The operations of a tag, each with the path of the Markdown version of its page.
type Group<'a> = Vec<(&'a Operation, String)>;

/// Operations of a tag as text.
struct Part {
    /// File name without number and extension.
    slug: String,
    title: String,
    about: String,
    operations: usize,
    blocks: Vec<String>,
}

impl ApiTexts {
    fn new(site: &Site) -> Self {
        let mut texts = Self::default();
        let mut slugs = HashSet::new();
        for (at, pages) in pages_by_document(site) {
            let Some(document) = site.catalog.documents.get(at) else {
                continue;
            };
            let slug = unique_slug(&mut slugs, &document_slug(document), DEFAULT_SLUG);
            texts.add(document, &slug, groups(document, pages));
        }
        texts
    }

    fn add(&mut self, document: &ApiDocument, slug: &str, groups: IndexMap<&str, Group<'_>>) {
        let mut blocks = Blocks::new(document);
        let mut slugs = HashSet::from([INDEX.to_owned(), SCHEMAS.to_owned()]);
        let operations = groups.values().map(Vec::len).sum();
        let mut parts = Vec::new();
        let mut direct: Vec<Vec<SchemaRef>> = Vec::new();
        for (tag, group) in groups {
            let mut references = Vec::new();
            let texts = group.iter().map(|(operation, page)| {
                let (text, schemas) = blocks.operation(operation, page);
                references.extend(schemas);
                text
            });
            let texts = texts.collect();
            direct.push(references);
            let about = document.tag(tag).and_then(|tag| tag.description.as_deref());
            parts.push(Part {
                slug: unique_slug(&mut slugs, &slugify(tag), DEFAULT_SLUG),
                title: document.label_of(tag).to_owned(),
                about: about.map(|text| blocks.line(text)).unwrap_or_default(),
                operations: group.len(),
                blocks: texts,
            });
        }
        let schemas = blocks.schemas(direct.iter().flatten());
        let owners = owners(&schemas, &direct);
        for (part, direct) in parts.iter_mut().zip(&direct) {
            let mut known = HashSet::new();
            for schema in direct.iter().filter(|schema| known.insert(*schema)) {
                let text = schemas.get(schema);
                let text = text.filter(|_| owners.get(schema) == Some(&Owner::Many));
                part.blocks.extend(text.map(SchemaText::block));
            }
        }
        let mut shared = BTreeMap::new();
        for (schema, text) in &schemas {
            match owners.get(schema) {
                Some(Owner::One(owner)) => {
                    if let Some(part) = parts.get_mut(*owner) {
                        part.blocks.push(text.block());
                    }
                }
                _ => {
                    shared.insert(text.name.clone(), text.block());
                }
            }
        }
        if !shared.is_empty() {
            parts.push(Part {
                slug: SCHEMAS.to_owned(),
                title: "Schemas of several tags".to_owned(),
                about: String::new(),
                operations: 0,
                blocks: shared.into_values().collect(),
            });
        }
        self.write(document, slug, &parts, operations);
    }

    /// Divides the parts into files and writes the index.
    fn write(&mut self, document: &ApiDocument, slug: &str, parts: &[Part], operations: usize) {
        let title = line(&document.title);
        let mut list = String::new();
        let mut tokens = 0;
        let pack = |part: &Part, note: &str| {
            let title = format!("{title}: {}", line(&part.title));
            pack::pack(&head(document, &title, note), &part.blocks)
        };
        let schemas = parts.last().filter(|part| part.slug == SCHEMAS);
        let note = schemas.map(|part| schemas_note(&pack(part, "")));
        for part in parts {
            let note = note.as_deref().filter(|_| part.slug != SCHEMAS);
            let files = pack(part, note.unwrap_or_default());
            let mut links = Vec::new();
            let mut part_tokens = 0;
            for (at, text) in files.iter().enumerate() {
                let name = pack::file_name(&part.slug, at, files.len());
                part_tokens += estimated_tokens(text);
                links.push(match files.len() {
                    1 => format!("[{}]({name})", label(&part.title)),
                    _ => format!("[{} ({})]({name})", label(&part.title), at + 1),
                });
                self.put(format!("{DIR}{slug}/{name}"), text);
            }
            tokens += part_tokens;
            let mut entry = format!("- {}: ", links.join(", "));
            if part.operations > 0 {
                // Writing to a String cannot fail.
                let _ = write!(entry, "{} operations, ", part.operations);
            }
            let _ = write!(entry, "{part_tokens} tokens");
            if !part.about.is_empty() {
                let _ = write!(entry, ". {}", part.about);
            }
            let _ = writeln!(list, "{entry}");
        }
        let files = pack::pack(&blocks::index_head(document), &[list]);
        for (at, text) in files.iter().enumerate() {
            let name = pack::file_name(INDEX, at, files.len());
            // The first file has the address that lists name.
            let name = if at == 0 { format!("{INDEX}.md") } else { name };
            self.put(format!("{DIR}{slug}/{name}"), text);
        }
        self.documents.push(ApiTextEntry {
            title,
            path: format!("{DIR}{slug}/{INDEX}.md"),
            operations,
            tokens,
        });
    }

    fn put(&mut self, path: String, text: &str) {
        let packed = CompressedBytes::new(text.as_bytes());
        self.files.insert(path, Arc::new(packed));
    }

    /// The documents in the order of the catalog.
    pub(super) fn documents(&self) -> &[ApiTextEntry] {
        &self.documents
    }

    /// All files by URL path.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &Arc<CompressedBytes>)> {
        self.files.iter().map(|(path, packed)| (&**path, packed))
    }
}

impl Site {
    /// The OpenAPI documents as text; computed once.
    pub(crate) fn api_texts(&self) -> &ApiTexts {
        self.generated.api_texts.get_or_init(|| ApiTexts::new(self))
    }

    /// The text at a URL path. `None` if there is none.
    pub(crate) fn api_text(&self, path: &str) -> Option<&Arc<CompressedBytes>> {
        path.starts_with(DIR)
            .then(|| self.api_texts().files.get(path))?
    }
}

/// Who uses a schema.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Owner {
    /// Only the tag with this index.
    One(usize),
    /// Several tags.
    Many,
}

/// The tags that use each schema, directly or through others. The owner of a schema changes at most
/// twice, so the work is linear.
fn owners(
    schemas: &IndexMap<SchemaRef, SchemaText>,
    direct: &[Vec<SchemaRef>],
) -> HashMap<SchemaRef, Owner> {
    let mut owners: HashMap<SchemaRef, Owner> = HashMap::new();
    let mut open: Vec<(SchemaRef, Owner)> = Vec::new();
    for (tag, references) in direct.iter().enumerate() {
        open.extend(references.iter().map(|to| (to.clone(), Owner::One(tag))));
    }
    while let Some((schema, owner)) = open.pop() {
        let known = owners.get(&schema).copied();
        let next = match known {
            None => owner,
            Some(known) if known == owner || known == Owner::Many => continue,
            Some(_) => Owner::Many,
        };
        let Some(text) = schemas.get(&schema) else {
            continue;
        };
        owners.insert(schema, next);
        open.extend(text.references.iter().map(|to| (to.clone(), next)));
    }
    owners
}

/// The operations with pages that language models may know, by document.
fn pages_by_document(site: &Site) -> BTreeMap<usize, HashMap<(String, String), String>> {
    let mut documents: BTreeMap<usize, HashMap<(String, String), String>> = BTreeMap::new();
    let listed = |route: &&Route| route.visibility.llms && !route.protected;
    for route in site.map.routes.values().filter(listed) {
        let key = match &route.operation {
            Some(OperationRef::Operation { method, path, .. }) => (method.clone(), path.clone()),
            Some(OperationRef::Webhook { name, .. }) => (String::new(), name.clone()),
            _ => continue,
        };
        let document = route.operation.as_ref().map_or(0, OperationRef::document);
        let pages = documents.entry(document).or_default();
        pages.entry(key).or_insert_with(|| markdown::path(route));
    }
    documents
}

/// The operations of a document by tag, in the order of the document.
fn groups(
    document: &ApiDocument,
    pages: HashMap<(String, String), String>,
) -> IndexMap<&str, Group<'_>> {
    let mut groups: IndexMap<&str, Group<'_>> = IndexMap::new();
    let of = |method: &str, path: &str| pages.get(&(method.to_owned(), path.to_owned()));
    let operations = document.operations.iter();
    let operations =
        operations.map(|operation| (operation, of(&operation.method, &operation.path)));
    let webhooks = document.webhooks.iter();
    let webhooks = webhooks.map(|webhook| (webhook, of("", &webhook.path)));
    for (operation, page) in operations.chain(webhooks) {
        let Some(page) = page.filter(|_| !operation.hidden && !operation.protected) else {
            continue;
        };
        let tag = document.tag_of(operation).unwrap_or(UNTAGGED_GROUP);
        let group = groups.entry(tag).or_default();
        group.push((operation, page.clone()));
    }
    groups
}

/// The slug of a document: its path without extension, or the last segment of its URL.
fn document_slug(document: &ApiDocument) -> String {
    let path = document.path.split(['?', '#']).next().unwrap_or_default();
    let name = match document.is_remote() {
        true => path.rsplit('/').next().unwrap_or_default(),
        false => path,
    };
    let stem = [".json", ".yaml", ".yml"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    slugify(&stem.unwrap_or(name).trim_matches('/').replace('/', "-"))
}

fn head(document: &ApiDocument, title: &str, note: &str) -> String {
    let mut out = format!("# {title}\n\n");
    if let Some(server) = document.servers.first() {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "Base URL: {}", line(&server.url));
    }
    let _ = writeln!(out, "Index: {INDEX}.md");
    out + note
}

/// A line that says in which files the schemas of several tags are, and with which name each file
/// begins.
fn schemas_note(files: &[String]) -> String {
    let names = files.iter().enumerate().map(|(at, text)| {
        let file = pack::file_name(SCHEMAS, at, files.len());
        let block = text.split_once("```ts\n").map(|(_, text)| text);
        match block.and_then(|block| block.split_once(" = ")) {
            Some((first, _)) if files.len() > 1 => format!("{file} (from {first})"),
            _ => file,
        }
    });
    let names: Vec<String> = names.collect();
    format!("Other schemas, by name: {}\n", names.join(", "))
}

#[cfg(test)]
mod tests;
