//! Loads a documentation repository from disk as an immutable source tree with a page index.
//!
//! [`load`] reads a directory once; later stages use the [`SourceTree`] in memory and read no text
//! from disk. [`pages`] finds the pages among the files and parses their front matter and imports
//! only; bodies are parsed when a page is rendered.
//!
//! ```
//! use svc_source::{SourceTree, pages};
//! let tree = SourceTree::from_files([("guides/a.mdx", "---\ntitle: A guide\n---\n# Hello")]);
//! let index = pages(&tree).value;
//! assert_eq!(index.get("/guides/a").map(|page| page.title()), Some("A guide".to_owned()));
//! ```

mod atomic_file;
mod codes;
mod file_transaction;
mod front_matter;
mod front_matter_fields;
mod ignore;
mod image;
mod imports;
mod load;
mod mount;
mod page;
mod pages;
mod paths;
mod read_limited;
mod reload;
mod simple_yaml;
mod slug;
mod tree;

pub use atomic_file::{AtomicFile, remove_temporary_files, sync_dir, write_atomic};
pub use codes::CODES;
pub use file_transaction::FileTransaction;
pub use front_matter::{FrontMatter, Mode, front_matter};
pub use front_matter_fields::{FRONT_MATTER_FIELDS, FrontMatterField};
pub use imports::{Import, resolve_import};
pub use load::{
    EXPORT_MARKER, FileEntry, FileList, LoadOptions, list, load, load_bytes, unreadable,
};
pub use mount::{Mount, Mounts};
pub use page::Page;
pub use pages::{PageIndex, pages, update_pages};
pub use paths::{canonical_path, encoded_path, normalize};
pub use read_limited::read_regular;
pub use reload::{Changes, IgnoreRules, load_reusing_hardlinks, reload};
pub use slug::{default_title, heading_id};
pub use svc_diagnostics::{Checked, Diagnostic, Severity, SourceFile, Span};
pub use tree::{Contents, Difference, SourceTree};
