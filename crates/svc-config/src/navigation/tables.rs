//! The shapes of elements, which contain each other, for the schema and the reference.

use serde_json::{Value, json};

use super::{
    children::needs_one,
    keys::{
        ChoiceKeys, CommonKeys, ContentKeys, DivisionContentKeys, DivisionKeys, GroupKeys,
        LanguageKeys, ProductKeys, ReferenceKeys, RootKeys, TabKeys, VersionKeys,
    },
    links::name_key,
    types::{Directory, ElementKind},
};
use crate::keys::{
    kinds::names,
    shape::{Definition, List, Object, Property, Shape, list, property, unsupported},
};

/// The root.
pub(super) fn root() -> Shape {
    let mut keys = list_keys(true);
    keys.extend(RootKeys::properties());
    Shape::Object(Object {
        rules: vec![directory_is_a_style(), one_pattern(), something()],
        ..Object::new(keys)
    })
}

/// Sections that the reference has once for all elements: title, introduction, keys.
pub(crate) fn common_sections() -> [(&'static str, &'static str, Vec<Property>); 2] {
    [
        (
            "Every element",
            "Keys that groups, tabs, menu items, anchors, dropdowns, products, versions and languages have in common.",
            [common_keys(), unsupported_keys()]
                .into_iter()
                .flatten()
                .collect(),
        ),
        (
            "Every element except groups",
            "Keys that all elements except groups have in common. Only one of the lists may be set.",
            [division_keys(), list_keys(false)]
                .into_iter()
                .flatten()
                .collect(),
        ),
    ]
}

/// The shape of an element.
fn element(kind: ElementKind) -> Shape {
    let (title, description, _) = texts(kind);
    let name = if kind == ElementKind::MenuItem {
        "menuItem"
    } else {
        kind.name()
    };
    Definition::new(name, title, description).of(move || Shape::Object(object(kind)))
}

/// The title and the description of a kind, and the description of the key of its name.
const fn texts(kind: ElementKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        ElementKind::Group => (
            "Groups",
            "A section of the sidebar, in `groups` or among `pages`.",
            "Title; white space hides it.",
        ),
        ElementKind::Tab => ("Tabs", "An entry of the row below the header.", "Name."),
        ElementKind::MenuItem => (
            "Menu items",
            "An entry of the `menu` of a tab or product.",
            "Name.",
        ),
        ElementKind::Anchor => (
            "Anchors",
            "A link at the top of the sidebar that opens a section.",
            "Name.",
        ),
        ElementKind::Dropdown => (
            "Dropdowns",
            "A section that is chosen in a menu above the sidebar.",
            "Name.",
        ),
        ElementKind::Product => (
            "Products",
            "One of several products that share a site.",
            "Name in URLs and menus.",
        ),
        ElementKind::Version => (
            "Versions",
            "One version of the documentation.",
            "Name; also the version of the endpoint pages below.",
        ),
        ElementKind::Language => (
            "Languages",
            "The pages of one language.",
            "Code of the language.",
        ),
    }
}

fn object(kind: ElementKind) -> Object {
    let (.., about) = texts(kind);
    let mut keys = vec![Property {
        rule: if kind == ElementKind::Language {
            "Case does not matter."
        } else {
            ""
        },
        ..name_key(kind, about)
    }];
    match kind {
        ElementKind::Group => {
            keys.extend(GroupKeys::properties());
            keys.push(Property {
                rule: "Required unless `openapi`, `mcp` or `root` is set.",
                ..property(
                    "pages",
                    "Pages and nested groups. A page is the path of its file; `GET /users` or `spec.json GET /users` is an operation, and the name of a tool of `mcp` is a tool.",
                    pages(),
                )
            });
        }
        ElementKind::Tab => keys.extend(TabKeys::properties()),
        ElementKind::Product => keys.extend(ProductKeys::properties()),
        ElementKind::Version => {
            keys.extend(ChoiceKeys::properties());
            keys.extend(ReferenceKeys::properties());
        }
        ElementKind::Language => {
            keys.extend(ChoiceKeys::properties());
            keys.extend(LanguageKeys::properties());
        }
        ElementKind::MenuItem | ElementKind::Anchor | ElementKind::Dropdown => {}
    }
    let mut rule = one_pattern();
    if matches!(kind, ElementKind::Tab | ElementKind::Product) {
        rule = one_pattern_or_menu();
        keys.push(Property {
            rule: "An entry should contain only `groups`, `pages` or `href`.",
            ..property(
                "menu",
                "Entries of a menu below the tab.",
                Shape::List(Box::new(list(element(ElementKind::MenuItem)))),
            )
        });
    }
    let mut inherited = common_keys();
    if kind == ElementKind::Group {
        rule = group_content();
    } else {
        inherited.extend(division_keys());
        inherited.extend(list_keys(false));
    }
    inherited.extend(unsupported_keys());
    Object {
        inherited,
        rules: vec![directory_is_a_style(), rule],
        allows_source_ref: true,
        ..Object::new(keys)
    }
}

/// The key of the name of an element.
fn common_keys() -> Vec<Property> {
    let mut keys = CommonKeys::properties();
    keys.extend(ContentKeys::properties());
    keys.extend(VersionKeys::properties());
    keys
}

fn division_keys() -> Vec<Property> {
    let mut keys = DivisionContentKeys::properties();
    keys.splice(1..1, DivisionKeys::properties());
    keys
}

fn unsupported_keys() -> Vec<Property> {
    vec![
        unsupported("asyncapi", "AsyncAPI documents."),
        unsupported("graphql", "A GraphQL schema."),
        unsupported("sdk", "A generated library reference."),
        unsupported("sourceRef", "Another repository."),
    ]
}

fn pages() -> Shape {
    let entry = Shape::Any(vec![Shape::NonEmpty, element(ElementKind::Group)]);
    Shape::List(Box::new(list(entry)))
}

/// The children of the root or of an element: one of these keys.
fn list_keys(is_root: bool) -> Vec<Property> {
    let about = if is_root {
        "Pages, without a title above them."
    } else {
        "Pages and groups, mixed."
    };
    let mut keys = vec![property("pages", about, pages())];
    for (kind, about) in [
        (ElementKind::Group, "Groups of the sidebar."),
        (ElementKind::Tab, "Tabs in the header."),
        (ElementKind::Anchor, "Links at the top of the sidebar."),
        (
            ElementKind::Dropdown,
            "Entries of a menu above the sidebar.",
        ),
        (
            ElementKind::Product,
            "Products, of which a reader chooses one.",
        ),
        (
            ElementKind::Version,
            "Versions, of which a reader chooses one.",
        ),
        (
            ElementKind::Language,
            "Languages, of which a reader chooses one.",
        ),
    ] {
        let required = is_root && needs_one(Some(kind));
        let shape = Shape::List(Box::new(List {
            min: usize::from(required),
            ..list(element(kind))
        }));
        keys.push(Property {
            rule: if required { "At least one." } else { "" },
            ..property(kind.array_key(), about, shape)
        });
    }
    keys
}

/// Without documents, `directory` cannot be a folder.
fn directory() -> Value {
    json!({
        "if": { "not": { "anyOf": [{ "required": ["openapi"] }, { "required": ["mcp"] }] } },
        "then": { "properties": { "directory": { "anyOf": [
            { "enum": names::<Directory>() },
            { "$ref": "#/$defs/reference" },
        ] } } },
    })
}

const PATTERNS: [&str; 8] = [
    "products",
    "languages",
    "versions",
    "tabs",
    "dropdowns",
    "anchors",
    "groups",
    "pages",
];

fn one_of(patterns: &[&str]) -> Value {
    let mut pairs = Vec::new();
    for (index, first) in patterns.iter().enumerate() {
        let (_, rest) = patterns.split_at(index + 1);
        for second in rest {
            pairs.push(json!({ "required": [first, second] }));
        }
    }
    json!({
        "not": { "anyOf": pairs },
        "errorMessage": "A level can have only one of the lists: keep one, or nest one in the other.",
    })
}

fn one_pattern() -> Value {
    json!({ "$ref": "#/$defs/onePattern" })
}

fn one_pattern_or_menu() -> Value {
    json!({ "$ref": "#/$defs/onePatternOrMenu" })
}

fn directory_is_a_style() -> Value {
    json!({ "$ref": "#/$defs/directoryIsAStyle" })
}

/// The rules that many elements share.
pub(crate) fn rules() -> [(&'static str, Value); 3] {
    let mut patterns = PATTERNS.to_vec();
    let alone = one_of(&patterns);
    patterns.push("menu");
    [
        ("onePattern", alone),
        ("onePatternOrMenu", one_of(&patterns)),
        ("directoryIsAStyle", directory()),
    ]
}

fn something() -> Value {
    let mut options: Vec<Value> = PATTERNS
        .iter()
        .map(|key| json!({ "required": [key] }))
        .collect();
    options.push(json!({ "required": ["openapi"] }));
    json!({ "anyOf": options })
}

fn group_content() -> Value {
    let options = ["pages", "openapi", "mcp", "root", "asyncapi", "sdk"];
    let options: Vec<Value> = options
        .iter()
        .map(|key| json!({ "required": [key] }))
        .collect();
    json!({ "anyOf": options })
}
