//! Components: one module each.
//!
//! To add a component, create a directory named like the tag in snake case with `mod.rs`, a style
//! sheet and a documentation page, and add its static to [`ALL`], which is sorted by name.

mod common;
mod component;
mod prop;

mod accordion;
mod badge;
mod callout;
mod card;
mod code_block;
mod code_group;
mod color;
mod columns;
mod expandable;
mod frame;
mod git_hub;
mod heading;
mod icon;
mod image;
mod latex;
mod link;
mod mermaid;
mod panel;
mod param_field;
mod prompt;
mod request_example;
mod response_field;
mod snippet;
mod steps;
mod table;
mod tabs;
mod tile;
mod tooltip;
mod tree;
mod update;
mod view;
mod visibility;

#[cfg(test)]
mod tests;

pub(crate) use component::{BAD_PROP, MISSING_PROP, UNKNOWN_PROP, render};
pub use component::{Component, Spec};
pub use prop::{Prop, PropKind};
pub(crate) use visibility::UNKNOWN_READER;

use crate::ctx::{Ctx, RenderContext};
use crate::html::Html;
use crate::modules::Modules;

/// Prepends the controls of components to the text of a page: the view selector and the tag filter
/// of a changelog.
pub(crate) fn with_controls(cx: &Ctx<'_>, html: Html) -> Html {
    let mut out = view::switch(cx);
    out.add(&update::filters(cx));
    if out.is_empty() {
        return html;
    }
    out.add(&html);
    out
}

/// All components, sorted by directory name.
pub static ALL: &[&Component] = &[
    &accordion::ACCORDION,
    &badge::BADGE,
    &callout::CALLOUT,
    &card::CARD,
    &code_block::CODE_BLOCK,
    &code_group::CODE_GROUP,
    &color::COLOR,
    &columns::COLUMNS,
    &expandable::EXPANDABLE,
    &frame::FRAME,
    &git_hub::GIT_HUB,
    &heading::HEADING,
    &icon::ICON_COMPONENT,
    &image::IMAGE,
    &latex::LATEX,
    &link::LINK,
    &mermaid::MERMAID,
    &panel::PANEL,
    &param_field::PARAM_FIELD,
    &prompt::PROMPT,
    &request_example::REQUEST_EXAMPLE,
    &response_field::RESPONSE_FIELD,
    &snippet::SNIPPET,
    &steps::STEPS,
    &table::TABLE,
    &tabs::TABS_COMPONENT,
    &tile::TILE,
    &tooltip::TOOLTIP,
    &tree::TREE,
    &update::UPDATE,
    &view::VIEW,
    &visibility::VISIBILITY,
];

/// Alternative spellings of tags.
const ALIASES: &[(&str, &str)] = &[
    ("Color.item", "Color.Item"),
    ("FileTree", "Tree"),
    ("FileTree.File", "Tree.File"),
    ("FileTree.Folder", "Tree.Folder"),
    ("Github.Repo", "GitHub.Repo"),
];

/// The tag with this name or alias. `None` if there is none.
pub(crate) fn find(name: &str) -> Option<&'static Spec> {
    let name = ALIASES
        .iter()
        .find(|(other, _)| *other == name)
        .map_or(name, |(_, own)| own);
    if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    ALL.iter()
        .flat_map(|component| component.tags)
        .find(|spec| spec.tag == name)
}

/// The names of all tags.
pub(crate) fn tags() -> impl Iterator<Item = &'static str> {
    ALL.iter()
        .flat_map(|component| component.tags)
        .map(|spec| spec.tag)
}

/// Whether a name is a tag or an alias of one.
pub(crate) fn is_tag(name: &str) -> bool {
    find(name).is_some()
}

/// The tag with this name in any case. `None` if there is none.
fn similar_tag(name: &str) -> Option<&'static str> {
    tags().find(|tag| tag.eq_ignore_ascii_case(name))
}

/// The files of a page that can use components.
pub(crate) fn modules<'c>(cx: &RenderContext<'c>) -> Modules<'c> {
    Modules::new(cx, is_tag, similar_tag)
}
