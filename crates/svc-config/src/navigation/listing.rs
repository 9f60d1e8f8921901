//! `directory`: a listing style or an output folder.

use super::types::Directory;
use crate::{
    OpenApiRef,
    keys::{kinds::names, shape::Shape, value_kind},
};

/// A value of `directory`.
pub(super) enum Listing {
    Style(Directory),
    /// The output folder of the OpenAPI documents.
    Dir(String),
}

value_kind!(
    /// A listing style or, beside `openapi`, an output folder, so the styles are suggestions.
    pub(super) AnyListing -> Listing = Shape::Suggested(names::<Directory>()), |cx, at| {
        let Some(text) = at.tree.as_str() else {
            cx.type_mismatch(at, "a string");
            return None;
        };
        let documents = at.parent_fields().is_some_and(|fields| fields.has("openapi"));
        if documents && Directory::from_name(text).is_none() {
            return cx.non_empty_string(at).map(Listing::Dir);
        }
        cx.string_enum(at).map(Listing::Style)
    },
    definition ("directory", "", "")
);
/// The listing style; an output folder is moved to the documents.
pub(super) fn listing_style(
    listing: Option<Listing>,
    openapi: &mut Option<OpenApiRef>,
) -> Option<Directory> {
    match listing? {
        Listing::Style(style) => Some(style),
        Listing::Dir(dir) => {
            if let Some(openapi) = openapi {
                openapi.directory.get_or_insert(dir);
            }
            None
        }
    }
}
