//! The shapes of links to elements, for the schema and the reference.

use super::{language::LANGUAGE_CODES, types::ElementKind};
use crate::{
    ModeColors,
    icons::AnyIcon,
    keys::{
        ValueKind as _, patterns,
        shape::{Definition, Object, Property, Shape, list, property},
        shape_of,
    },
    link::Link,
};

/// The key with the name of an element.
pub(super) fn name_key(kind: ElementKind, about: &str) -> Property {
    let shape = match kind {
        ElementKind::Group => Shape::Pattern(&patterns::TITLE),
        ElementKind::Language => {
            Definition::new("languageCode", "", "").of(|| Shape::CaseInsensitive(LANGUAGE_CODES))
        }
        _ => Shape::NonEmpty,
    };
    Property {
        required: true,
        ..property(kind.name_key(), about, shape)
    }
}

/// The shape of `global`: links of each kind.
pub(super) fn global_links() -> Shape {
    let links = |(kind, about): (ElementKind, &str)| {
        let link = Shape::Object(Object::new(link_keys(kind)));
        property(kind.array_key(), about, Shape::List(Box::new(list(link))))
    };
    let keys = [
        (ElementKind::Anchor, "Links at the top of the sidebar."),
        (ElementKind::Tab, "Links among the tabs."),
        (
            ElementKind::Dropdown,
            "Links in the menu above the sidebar.",
        ),
        (ElementKind::Product, "Links among the products."),
        (ElementKind::Version, "Links among the versions."),
        (ElementKind::Language, "Links among the languages."),
    ];
    Shape::Object(Object::new(keys.map(links).into()))
}

/// The keys of a link in `global`.
fn link_keys(kind: ElementKind) -> Vec<Property> {
    let about = if kind == ElementKind::Language {
        "Code of the language."
    } else {
        "Name."
    };
    let flag = |name, about| Property {
        default: "false".to_owned(),
        ..property(name, about, Shape::Boolean)
    };
    vec![
        name_key(kind, about),
        Property {
            required: true,
            ..property("href", "Target.", Link::shape())
        },
        property("icon", "Icon.", shape_of::<AnyIcon>()),
        property("description", "One line below the name.", Shape::Text),
        property("color", "Colour.", shape_of::<ModeColors>()),
        flag("hidden", "Whether it is hidden."),
        property("tag", "Badge beside the name.", Shape::Text),
        flag("default", "Whether it is the default."),
    ]
}
