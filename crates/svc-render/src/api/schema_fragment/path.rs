//! URLs of schema fragments.

use svc_openapi::{ApiCatalog, ApiDocument, Direction, SchemaPath};

/// Prefix of the URL paths of fragments.
const PREFIX: &str = "/_svc/api/schema/";

/// Identifies a schema fragment: the document, the position in it, the direction and the language.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SchemaFragment {
    /// Index of the document in the catalog.
    pub document: usize,
    /// Whether the schema belongs to a request or a response.
    pub direction: Direction,
    /// Language code of the surrounding pages.
    pub language: String,
    /// Position of the schema in the document.
    pub schema: SchemaPath,
    /// Index of the first property or alternative.
    pub from: usize,
}

/// The name of a document in the URLs of its fragments. For a remote document it is a hash, because
/// its URL can be long and can contain characters that file names must not.
fn name_of(document: &ApiDocument) -> String {
    if !document.is_remote() {
        return document.path.replace('~', "~0").replace('/', "~1");
    }
    // FNV-1a, because URLs must not change with the compiler version.
    let hash = document
        .path
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    format!("hosted-{hash:016x}")
}

impl SchemaFragment {
    /// The URL path without base path, decoded; `None` if the position cannot be expressed in a
    /// URL.
    pub fn path(&self, catalog: &ApiCatalog) -> Option<String> {
        let document = catalog.documents.get(self.document)?;
        let direction = match self.direction {
            Direction::Request => "request",
            Direction::Response => "response",
        };
        let document = name_of(document);
        let schema_path = self.schema.to_url_path()?;
        let from = match self.from {
            0 => String::new(),
            from => format!("~f{from}"),
        };
        Some(format!(
            "{PREFIX}{direction}/{}/{document}/{schema_path}{from}.html",
            self.language
        ))
    }

    /// Parses the URL path of a fragment; `None` if it is not one.
    pub fn from_path(catalog: &ApiCatalog, path: &str) -> Option<Self> {
        let rest = path.strip_prefix(PREFIX)?.strip_suffix(".html")?;
        let (direction, rest) = rest.split_once('/')?;
        let direction = match direction {
            "request" => Direction::Request,
            "response" => Direction::Response,
            _ => return None,
        };
        let (language, rest) = rest.split_once('/')?;
        let (name, url) = rest.split_once('/')?;
        let mut documents = catalog.documents.iter();
        let at = documents.position(|document| name_of(document) == name)?;
        let (url, from) = match url.rsplit_once("~f") {
            Some((url, from)) => (url, from.parse().ok().filter(|from| *from > 0)?),
            None => (url, 0),
        };
        let part = Self {
            document: at,
            direction,
            language: language.to_owned(),
            schema: SchemaPath::from_url_path(catalog.documents.get(at)?, url)?,
            from,
        };
        // Only the canonical form is accepted: `7`, but not `07`.
        (part.path(catalog).as_deref() == Some(path)).then_some(part)
    }
}
