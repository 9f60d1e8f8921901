//! One page.

use std::sync::Arc;

use svc_diagnostics::SourceFile;

use crate::{FrontMatter, Import, default_title};

/// A page file: what can be known without parsing its body.
#[derive(Debug, Clone)]
pub struct Page {
    /// `guides/a.mdx`.
    pub path: Arc<str>,
    /// `guides/a`; `x/index` stays as it is.
    pub slug: Arc<str>,
    /// The whole file.
    pub file: SourceFile,
    /// The byte where the body starts, behind the front matter.
    pub body: u32,
    /// The fields at the top.
    pub front_matter: FrontMatter,
    /// What the page imports.
    pub imports: Vec<Import>,
}

impl Page {
    /// The title of the front matter, or one made from the file name.
    pub fn title(&self) -> String {
        self.front_matter
            .title
            .clone()
            .unwrap_or_else(|| default_title(&self.slug))
    }

    /// The text behind the front matter.
    pub fn body_text(&self) -> &str {
        self.file.text().get(self.body as usize..).unwrap_or("")
    }
}
