//! Markdown elements and HTML elements of pages.

mod attributes;
mod block;
mod code_block;
mod embed;
mod footnote;
mod heading;
mod html_element;
mod image;
mod island;
pub(crate) mod link;
mod list;
mod math;
mod names;
mod plain;
mod sanitize;
mod table;

pub(crate) use attributes::{BLOCKED_ATTRIBUTE, html_attributes};
pub use code_block::book_code_css;
pub(crate) use code_block::{Code, default_palette, show, site_palette};
pub(crate) use footnote::footnotes;
pub(crate) use heading::{Heading, heading_with};
pub(crate) use html_element::{BLOCKED_ELEMENT, html_element};
pub(crate) use image::{Actions, Image, image_html};
pub(crate) use island::{is_void, island_attributes, island_element};
pub(crate) use link::{
    SiteLink, UNSAFE_URL, author_attributes, link_attributes, site_link, target,
};
pub(crate) use math::{INVALID_FORMULA, formula};
pub use plain::document_text;
pub(crate) use plain::{document_markdown, plain_inline, plain_text};

#[cfg(test)]
mod tests;

/// Style sheets of this module, for the bundle.
pub(crate) const CSS: &[&str] = &[
    include_str!("code_block.css"),
    include_str!("embed.css"),
    include_str!("heading.css"),
    include_str!("image.css"),
    include_str!("math.css"),
    include_str!("table.css"),
];

/// Scripts of this module, for the bundle.
pub(crate) const JS: &[&str] = &[
    include_str!("code_block.js"),
    include_str!("fragment.js"),
    include_str!("image.js"),
];
