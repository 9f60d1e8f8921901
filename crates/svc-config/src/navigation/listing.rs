//! `directory`: a listing style or an output folder.

use super::types::Directory;
use crate::{
    McpRef, OpenApiRef,
    keys::{kinds::names, shape::Shape, value_kind},
};

/// A value of `directory`.
pub(super) enum Listing {
    Style(Directory),
    /// The output folder of generated pages.
    Dir(String),
}

value_kind!(
    /// A listing style or, beside `openapi` or `mcp`, an output folder, so the styles are suggestions.
    pub(super) AnyListing -> Listing = Shape::Suggested(names::<Directory>()), |cx, at| {
        let Some(text) = at.tree.as_str() else {
            cx.type_mismatch(at, "a string");
            return None;
        };
        let generated = at
            .parent_fields()
            .is_some_and(|fields| fields.has("openapi") || fields.has("mcp"));
        if generated && Directory::from_name(text).is_none() {
            return cx.non_empty_string(at).map(Listing::Dir);
        }
        cx.string_enum(at).map(Listing::Style)
    },
    definition ("directory", "", "")
);
/// The listing style; an output folder is moved to what is generated.
pub(super) fn listing_style(
    listing: Option<Listing>,
    openapi: &mut Option<OpenApiRef>,
    mcp: &mut Option<McpRef>,
) -> Option<Directory> {
    match listing? {
        Listing::Style(style) => Some(style),
        Listing::Dir(dir) => {
            let folders = [
                openapi.as_mut().map(|openapi| &mut openapi.directory),
                mcp.as_mut().map(|mcp| &mut mcp.directory),
            ];
            for folder in folders.into_iter().flatten() {
                folder.get_or_insert_with(|| dir.clone());
            }
            None
        }
    }
}
