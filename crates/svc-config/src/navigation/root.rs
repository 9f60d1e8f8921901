//! The root of the navigation.

use super::{
    children,
    keys::RootKeys,
    listing::listing_style,
    tables,
    types::{Children, Navigation},
};
use crate::{
    codes::MISSING,
    decode::{Cx, NodeRef},
    keys::{ValueKind, shape::Shape},
};

impl ValueKind for Navigation {
    type Value = Self;

    fn shape() -> Shape {
        tables::root()
    }

    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let mut known = RootKeys::NAMES.to_vec();
        known.rotate_right(1);
        known.extend(children::keys(None));
        let fields = cx.object(at, &known)?;
        let RootKeys {
            directory,
            mut openapi,
            global,
        } = RootKeys::read(cx, &fields)?;
        let directory = listing_style(directory, &mut openapi, &mut None);
        let children = Children::decode(cx, &fields, None);
        let pattern = children::keys(None).any(|key| fields.has(key));
        if !pattern && openapi.is_none() && !cx.is_cut(at) {
            let hint = "add one of `pages`, `groups`, `tabs`, `anchors`, `dropdowns`, `products`, \
                        `versions` and `languages`";
            cx.report(&MISSING, at, "`navigation` has no pages", hint);
        }
        Some(Self {
            directory,
            openapi,
            children,
            global,
        })
    }
}
