//! docs.json to a checked site configuration.
//!
//! One module per top-level key, in the order of the specification: its type, its decoder and its
//! tests. [`parse`] never fails and reports every problem in one pass.

mod aliases;
mod api;
mod appearance;
mod background;
mod banner;
mod codes;
mod colors;
mod contextual;
mod decode;
mod errors;
mod favicon;
mod fonts;
mod footer;
mod icons;
mod integrations;
mod interaction;
mod legacy;
mod link;
mod logo;
mod markdown;
mod navbar;
mod navigation;
mod redirects;
mod reference;
mod seo;
mod site;
mod styling;
mod theme;
mod thumbnails;
mod tree;
mod variables;
mod words;

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
pub use errors::NotFound;
pub use favicon::Favicon;
pub use fonts::{Font, FontFormat, Fonts};
pub use footer::{Footer, FooterColumn, FooterItem, SOCIALS};
pub use icons::{Icon, IconLibrary};
pub use interaction::Interaction;
pub use logo::Logo;
pub use markdown::Markdown;
pub use navbar::{Navbar, NavbarLink, NavbarPrimary, PrimaryKind};
pub use navigation::{
    Children, Directory, Element, ElementKind, LANGUAGES, Navigation, PageEntry, PageRef,
};
pub use redirects::Redirect;
pub use seo::{Organization, Seo, SeoPath};
pub use site::{SiteConfig, parse};
pub use styling::{CODE_THEMES, CodeBlocks, Eyebrows, Styling};
pub use theme::Theme;
pub use thumbnails::{ThumbnailMode, Thumbnails};

#[cfg(test)]
mod tests;
