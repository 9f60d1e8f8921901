//! `docs.json` as a checked site configuration.
//!
//! The file has two forms, which are different types. [`Document`] is the raw form: the text and
//! all values as they are written, with their spans and with unknown keys; it can be edited and
//! saved. [`SiteConfig`] is the checked form: defaults are filled in, and invalid values cannot be
//! represented. [`parse`] converts the text to the checked form. It never fails and reports all
//! problems in one pass, each with code, JSON pointer, location, message and hint.
//!
//! ```
//! use svc_config::{Document, SourceFile, Theme, parse};
//!
//! let text = r##"{
//!   "theme": "mapel",
//!   "name": "Acme",
//!   "colors": { "primary": "#0f766e" },
//!   "navigation": { "pages": ["index"] }
//! }"##;
//! let file = SourceFile::new("docs.json", text);
//! let checked = parse(&file, &|_path| None);
//! let diagnostic = &checked.diagnostics[0];
//! assert_eq!((diagnostic.code.id, diagnostic.location_string()), ("config-invalid-value", "docs.json:2:12".to_owned()));
//! assert_eq!(diagnostic.pointer.as_deref(), Some("/theme"));
//!
//! let mut document = Document::read(&file).value;
//! document.set("/theme", &"maple".into())?;
//! let checked = parse(document.file(), &|_path| None);
//! assert!(checked.diagnostics.is_empty());
//! assert_eq!(checked.value.map(|site| site.theme), Some(Theme::Maple));
//! # Ok::<(), svc_config::EditError>(())
//! ```
//!
//! The crate opens no file. The caller provides the files that `$ref` refers to, and the existing
//! images and icons, through [`ResolveContext`]. Whether the pages of the navigation exist is
//! checked by the crate that resolves the navigation.
//!
//! There is one module per top-level key, in the order of the specification, with its type and its
//! tests. Every key is declared once, as a field with a doc comment (`keys::object!`). The
//! declaration drives the decoder, [`schema()`], completion in editors and [`option_docs()`].
#![deny(missing_docs)]

mod aliases;
mod api;
mod appearance;
mod background;
mod banner;
mod codes;
mod colors;
mod contextual;
mod decode;
mod deferred;
mod document;
mod effect;
mod errors;
mod favicon;
mod files;
mod fix;
mod fonts;
mod footer;
mod i18n;
mod icons;
mod integrations;
mod interaction;
mod json_ref;
mod keys;
mod legacy;
mod link;
mod logo;
mod markdown;
mod mcp;
mod migrate;
mod mount;
mod navbar;
mod navigation;
mod parse;
mod path;
mod redirects;
mod remote;
mod resolve_context;
mod schema;
mod search;
mod seo;
mod site;
mod string_enum;
mod styling;
mod text;
mod theme;
mod thumbnails;
mod tree;
mod url;
mod variables;

pub use aliases::{ALIASES, Alias};
pub use api::{
    Api, ExampleDefaults, Examples, MdxAuth, MdxAuthMethod, OpenApiRef, ParamsExpanded, Playground,
    PlaygroundDisplay,
};
pub use appearance::{Appearance, ColorMode};
pub use background::{Background, Decoration, ModeImages};
pub use banner::{Banner, BannerKind};
pub use codes::CODES;
pub use colors::{Colors, ModeColors};
pub use contextual::{
    Contextual, ContextualAction, ContextualDisplay, ContextualOption, CustomOption,
};
pub use document::{Document, EditError};
pub use errors::NotFound;
pub use favicon::Favicon;
pub use fonts::{Font, FontFormat, Fonts};
pub use footer::{Footer, FooterColumn, FooterItem, SOCIALS};
pub use i18n::I18n;
pub use icons::{Icon, IconLibrary};
pub use integrations::Integration;
pub use interaction::Interaction;
pub use logo::Logo;
pub use markdown::Markdown;
pub use mcp::McpRef;
pub use migrate::migrate;
pub use mount::VersionSettings;
pub use navbar::{Navbar, NavbarLink, NavbarPrimary, PrimaryKind};
pub use navigation::{
    Children, Directory, Element, ElementKind, LANGUAGE_CODES, Navigation, PageEntry, PageRef,
    VersionRef,
};
pub use parse::{parse, parse_with};
pub use redirects::Redirect;
pub use remote::{RemoteDocument, remote_url, remote_url_of_entry};
pub use resolve_context::{IconLookup, ResolveContext};
pub use schema::{OptionDoc, OptionGroup, SCHEMA_URL, option_docs, schema};
pub use search::Search;
pub use seo::{Crawlers, Organization, Seo, SeoPath, excludes};
pub use site::SiteConfig;
pub use styling::{CODE_THEMES, CodeBlocks, Eyebrows, Styling};
pub use svc_diagnostics::{Checked, Diagnostic, Severity, SourceFile, Span};
pub use theme::Theme;
pub use thumbnails::{ThumbnailMode, Thumbnails};
pub use url::https_origin;

#[cfg(test)]
mod tests;
