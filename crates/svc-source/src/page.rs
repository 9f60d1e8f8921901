//! Pages of a repository.

use std::sync::Arc;

use svc_diagnostics::SourceFile;

use crate::{FrontMatter, Import, default_title};

/// A page file, with everything that is known without parsing its body.
#[derive(Debug, Clone)]
pub struct Page {
    /// Path relative to the root, such as `guides/a.mdx`.
    pub path: Arc<str>,
    /// Path without extension, such as `guides/a`; `x/index` is not shortened.
    pub slug: Arc<str>,
    /// The source file, including its front matter.
    pub file: SourceFile,
    /// Byte offset of the body, which follows the front matter.
    pub body: u32,
    /// Front matter of the page.
    pub front_matter: FrontMatter,
    /// Imports of the page.
    pub imports: Vec<Import>,
}

impl Page {
    /// Returns the title of the front matter, or a title derived from the file name.
    pub fn title(&self) -> String {
        self.front_matter
            .title
            .clone()
            .unwrap_or_else(|| default_title(&self.slug))
    }

    /// Returns the text after the front matter.
    pub fn body_text(&self) -> &str {
        self.file.text().get(self.body as usize..).unwrap_or("")
    }
}
