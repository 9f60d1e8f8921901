//! `navigation`: elements that contain each other.
// Long because each of the eight kinds of elements is a table.

use serde_json::{Value, json};

use super::{
    api, appearance, bars, patterns,
    table::{
        Definition, List, Object, Property, Shape,
        Shape::{Anything, Boolean, NonEmpty, Number, OneOf, Pattern, Text},
        key, list, object,
    },
};
use crate::{Directory, LANGUAGE_CODES};

const UNSUPPORTED_NOTE: &str = "Accepted, but has no effect yet.";

/// Beside `openapi` any other text is the folder of generated pages, so the values are suggestions.
const DIRECTORY: Shape = Shape::Definition(&DIRECTORY_DEFINITION);

static DIRECTORY_DEFINITION: Definition = Definition {
    name: "directory",
    title: "",
    description: "",
    shape: Shape::Suggested(super::table::variants::<Directory>),
};

static LANGUAGE_CODE: Definition = Definition {
    name: "languageCode",
    title: "",
    description: "",
    shape: Shape::CaseInsensitive(LANGUAGE_CODES),
};

/// The documents of an element; any other value is ignored with a warning.
const DOCUMENTS: Shape = Shape::Definition(&DOCUMENTS_DEFINITION);

static DOCUMENTS_DEFINITION: Definition = Definition {
    name: "documents",
    title: "",
    description: "",
    shape: Shape::Any(&[
        Shape::Definition(&api::OPENAPI),
        Shape::Deprecated(
            &Shape::Scalar,
            "Write the path or URL of an OpenAPI document.",
        ),
    ]),
};

/// Without documents, `directory` cannot be a folder.
fn directory() -> Value {
    json!({
        "if": { "not": { "required": ["openapi"] } },
        "then": { "properties": { "directory": { "anyOf": [
            { "enum": super::table::variants::<Directory>() },
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
pub(super) fn rules() -> [(&'static str, Value); 3] {
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
    let options = ["pages", "openapi", "root", "asyncapi", "sdk"];
    let options: Vec<Value> = options
        .iter()
        .map(|key| json!({ "required": [key] }))
        .collect();
    json!({ "anyOf": options })
}

/// Sections that the reference has once for all elements: title, introduction, keys.
pub(super) static COMMON_SECTIONS: [(&str, &str, Object); 2] = [
    (
        "Every element",
        "Keys that groups, tabs, menu items, anchors, dropdowns, products, versions and languages have in common.",
        object(&[COMMON, UNSUPPORTED_KEYS]),
    ),
    (
        "Every element except groups",
        "Keys that all elements except groups have in common. Only one of the lists may be set.",
        object(&[DIVISION, LISTS]),
    ),
];

/// The root.
pub(super) static NAVIGATION: Object = Object {
    keys: &[ROOT_LISTS, ROOT],
    rules: &[directory_is_a_style, one_pattern, something],
    allows_source_ref: false,
    strict: false,
    inherited: 0,
};

static ROOT: &[Property] = &[
    key(
        "directory",
        "How the root page of a group lists the pages of the group.",
        DIRECTORY,
    )
    .default("\"none\"")
    .rule("All elements below inherit it."),
    key("openapi", "OpenAPI documents of all elements.", DOCUMENTS)
        .rule("Elements below inherit them unless they have their own."),
    key(
        "global",
        "Links that all pages show.",
        Shape::Object(&GLOBAL),
    ),
    key("asyncapi", "AsyncAPI documents.", Anything).deprecated(UNSUPPORTED_NOTE),
];

const fn non_empty_list(item: Shape) -> List {
    List {
        item,
        min: 1,
        max: None,
        unique: false,
    }
}

static ROOT_LISTS: &[Property] = &[
    key(
        "pages",
        "Pages, without a title above them.",
        Shape::List(&PAGES),
    ),
    key(
        "groups",
        "Groups of the sidebar.",
        Shape::List(&SOME_GROUPS),
    )
    .rule("At least one."),
    key("tabs", "Tabs in the header.", Shape::List(&SOME_TABS)).rule("At least one."),
    key(
        "anchors",
        "Links at the top of the sidebar.",
        Shape::List(&SOME_ANCHORS),
    )
    .rule("At least one."),
    key(
        "dropdowns",
        "Entries of a menu above the sidebar.",
        Shape::List(&DROPDOWNS),
    ),
    key(
        "products",
        "Products, of which a reader chooses one.",
        Shape::List(&PRODUCTS),
    ),
    key(
        "versions",
        "Versions, of which a reader chooses one.",
        Shape::List(&SOME_VERSIONS),
    )
    .rule("At least one."),
    key(
        "languages",
        "Languages, of which a reader chooses one.",
        Shape::List(&SOME_LANGUAGES),
    )
    .rule("At least one."),
];

/// The children of an element: one of these keys.
static LISTS: &[Property] = &[
    key("pages", "Pages and groups, mixed.", Shape::List(&PAGES)),
    key("groups", "Groups of the sidebar.", Shape::List(&GROUPS)),
    key("tabs", "Tabs in the header.", Shape::List(&TABS)),
    key(
        "anchors",
        "Links at the top of the sidebar.",
        Shape::List(&ANCHORS),
    ),
    key(
        "dropdowns",
        "Entries of a menu above the sidebar.",
        Shape::List(&DROPDOWNS),
    ),
    key(
        "products",
        "Products, of which a reader chooses one.",
        Shape::List(&PRODUCTS),
    ),
    key(
        "versions",
        "Versions, of which a reader chooses one.",
        Shape::List(&VERSIONS),
    ),
    key(
        "languages",
        "Languages, of which a reader chooses one.",
        Shape::List(&LANGUAGES),
    ),
];

static MENU: &[Property] = &[key(
    "menu",
    "Entries of a menu below the tab.",
    Shape::List(&ITEMS),
)
.rule("An entry should contain only `groups`, `pages` or `href`.")];

static PRODUCTS: List = list(Shape::Definition(&PRODUCT));
static LANGUAGES: List = list(Shape::Definition(&LANGUAGE));
static SOME_LANGUAGES: List = non_empty_list(Shape::Definition(&LANGUAGE));
static VERSIONS: List = list(Shape::Definition(&VERSION));
static SOME_VERSIONS: List = non_empty_list(Shape::Definition(&VERSION));
static TABS: List = list(Shape::Definition(&TAB));
static SOME_TABS: List = non_empty_list(Shape::Definition(&TAB));
static DROPDOWNS: List = list(Shape::Definition(&DROPDOWN));
static ANCHORS: List = list(Shape::Definition(&ANCHOR));
static SOME_ANCHORS: List = non_empty_list(Shape::Definition(&ANCHOR));
static GROUPS: List = list(Shape::Definition(&GROUP));
static SOME_GROUPS: List = non_empty_list(Shape::Definition(&GROUP));
static ITEMS: List = list(Shape::Definition(&ITEM));
static PAGES: List = list(Shape::Any(&[NonEmpty, Shape::Definition(&GROUP)]));

/// Keys of every element.
static COMMON: &[Property] = &[
    key("icon", "Icon.", Shape::Definition(&appearance::ICON)),
    key("tag", "Badge beside the name.", Text),
    key(
        "hidden",
        "Whether it is left out of menus; its pages are still available at their URLs.",
        Boolean,
    )
    .default("false"),
    key(
        "searchable",
        "Whether the pages of a hidden element can be found by search.",
        Boolean,
    )
    .default("false"),
    key(
        "public",
        "Whether the pages below are public; the nearest element takes precedence. With `false` they are not served, unless the operator allows it.",
        Boolean,
    ),
    key(
        "boost",
        "Weight in search; the nearest element takes precedence.",
        Number,
    )
    .default("1"),
    key(
        "directory",
        "How the root page of a group lists the pages of the group.",
        DIRECTORY,
    )
    .default("inherited")
    .rule("Beside `openapi` any other text is the folder of the generated pages."),
    key(
        "openapi",
        "OpenAPI documents of the pages below.",
        DOCUMENTS,
    )
    .default("inherited")
    .rule("Without pages of its own, an element shows all operations of its documents."),
    key("version", "Version of the endpoint pages below.", NonEmpty),
];

/// Additional keys of every element except groups.
static DIVISION: &[Property] = &[
    key(
        "href",
        "Target, for an element that is a link.",
        Pattern(&patterns::ELEMENT_LINK),
    )
    .rule("Content beside it is ignored."),
    key("description", "One line below the name.", Text),
    key(
        "color",
        "Colour.",
        Shape::Definition(&appearance::MODE_COLORS),
    ),
    key(
        "global",
        "Links that all pages below show.",
        Shape::Object(&GLOBAL),
    ),
];

/// Keys without effect.
static UNSUPPORTED_KEYS: &[Property] = &[
    key("asyncapi", "AsyncAPI documents.", Anything).deprecated(UNSUPPORTED_NOTE),
    key("graphql", "A GraphQL schema.", Anything).deprecated(UNSUPPORTED_NOTE),
    key("sdk", "A generated library reference.", Anything).deprecated(UNSUPPORTED_NOTE),
    key("sourceRef", "Another repository.", Anything).deprecated(UNSUPPORTED_NOTE),
];

static GROUP_LISTS: &[Property] = &[key(
    "pages",
    "Pages and nested groups. A page is the path of its file; `GET /users` or `spec.json GET /users` is an operation.",
    Shape::List(&PAGES),
)
.rule("Required unless `openapi` or `root` is set.")];

static GROUP: Definition = Definition {
    name: "group",
    title: "Groups",
    description: "A section of the sidebar, in `groups` or among `pages`.",
    shape: Shape::Object(&GROUP_OBJECT),
};

static GROUP_OBJECT: Object = Object {
    keys: &[
        &[key(
            "group",
            "Title; white space hides it.",
            Pattern(&patterns::TITLE),
        )
        .required()],
        &[
            key("root", "Page that a click on the title opens.", NonEmpty),
            key(
                "expanded",
                "Whether a nested group is initially expanded.",
                Boolean,
            )
            .default("false")
            .rule("Groups of the first level are always expanded."),
        ],
        GROUP_LISTS,
        COMMON,
        UNSUPPORTED_KEYS,
    ],
    rules: &[directory_is_a_style, group_content],
    allows_source_ref: true,
    strict: false,
    inherited: 2,
};

/// The common part of all elements except groups.
const DIVIDING: Object = Object {
    keys: &[],
    rules: &[directory_is_a_style, one_pattern],
    allows_source_ref: true,
    strict: false,
    inherited: 4,
};

static TAB: Definition = Definition {
    name: "tab",
    title: "Tabs",
    description: "An entry of the row below the header.",
    shape: Shape::Object(&TAB_OBJECT),
};

static TAB_OBJECT: Object = Object {
    keys: &[
        &[key("tab", "Name.", NonEmpty).required()],
        &[key(
            "align",
            "Side of the row on which it is shown.",
            OneOf(&["start", "end"]),
        )
        .default("\"start\"")],
        MENU,
        COMMON,
        DIVISION,
        LISTS,
        UNSUPPORTED_KEYS,
    ],
    rules: &[directory_is_a_style, one_pattern_or_menu],
    ..DIVIDING
};

static ITEM: Definition = Definition {
    name: "menuItem",
    title: "Menu items",
    description: "An entry of the `menu` of a tab or product.",
    shape: Shape::Object(&ITEM_OBJECT),
};

static ITEM_OBJECT: Object = Object {
    keys: &[
        &[key("item", "Name.", NonEmpty).required()],
        COMMON,
        DIVISION,
        LISTS,
        UNSUPPORTED_KEYS,
    ],
    ..DIVIDING
};

static ANCHOR: Definition = Definition {
    name: "anchor",
    title: "Anchors",
    description: "A link at the top of the sidebar that opens a section.",
    shape: Shape::Object(&ANCHOR_OBJECT),
};

static ANCHOR_OBJECT: Object = Object {
    keys: &[
        &[key("anchor", "Name.", NonEmpty).required()],
        COMMON,
        DIVISION,
        LISTS,
        UNSUPPORTED_KEYS,
    ],
    ..DIVIDING
};

static DROPDOWN: Definition = Definition {
    name: "dropdown",
    title: "Dropdowns",
    description: "A section that is chosen in a menu above the sidebar.",
    shape: Shape::Object(&DROPDOWN_OBJECT),
};

static DROPDOWN_OBJECT: Object = Object {
    keys: &[
        &[key("dropdown", "Name.", NonEmpty).required()],
        COMMON,
        DIVISION,
        LISTS,
        UNSUPPORTED_KEYS,
    ],
    ..DIVIDING
};

static PRODUCT: Definition = Definition {
    name: "product",
    title: "Products",
    description: "One of several products that share a site.",
    shape: Shape::Object(&PRODUCT_OBJECT),
};

static PRODUCT_OBJECT: Object = Object {
    keys: &[
        &[key("product", "Name in URLs and menus.", NonEmpty).required()],
        &[key("name", "Name that is shown instead of it.", NonEmpty)],
        MENU,
        COMMON,
        DIVISION,
        LISTS,
        UNSUPPORTED_KEYS,
    ],
    rules: &[directory_is_a_style, one_pattern_or_menu],
    ..DIVIDING
};

static VERSION: Definition = Definition {
    name: "version",
    title: "Versions",
    description: "One version of the documentation.",
    shape: Shape::Object(&VERSION_OBJECT),
};

static VERSION_OBJECT: Object = Object {
    keys: &[
        &[key(
            "version",
            "Name; also the version of the endpoint pages below.",
            NonEmpty,
        )
        .required()],
        &[key("default", "Whether it is the default.", Boolean).default("the first entry")],
        COMMON,
        DIVISION,
        LISTS,
        UNSUPPORTED_KEYS,
    ],
    ..DIVIDING
};

static LANGUAGE: Definition = Definition {
    name: "language",
    title: "Languages",
    description: "The pages of one language.",
    shape: Shape::Object(&LANGUAGE_OBJECT),
};

static LANGUAGE_OBJECT: Object = Object {
    keys: &[
        &[key(
            "language",
            "Code of the language.",
            Shape::Definition(&LANGUAGE_CODE),
        )
        .required()
        .rule("Case does not matter.")],
        &[
            key("default", "Whether it is the default.", Boolean).default("the first entry"),
            key(
                "banner",
                "Banner of this language.",
                Shape::Definition(&bars::BANNER),
            )
            .default("the banner of the site"),
            key(
                "footer",
                "Footer of this language.",
                Shape::Definition(&bars::FOOTER),
            )
            .default("the footer of the site"),
            key(
                "navbar",
                "Header of this language.",
                Shape::Definition(&bars::NAVBAR),
            )
            .default("the header of the site"),
        ],
        COMMON,
        DIVISION,
        LISTS,
        UNSUPPORTED_KEYS,
    ],
    ..DIVIDING
};

/// Keys of a link in `global`.
static LINK: &[Property] = &[
    key("href", "Target.", Pattern(&patterns::LINK)).required(),
    key("icon", "Icon.", Shape::Definition(&appearance::ICON)),
    key("description", "One line below the name.", Text),
    key(
        "color",
        "Colour.",
        Shape::Definition(&appearance::MODE_COLORS),
    ),
    key("hidden", "Whether it is hidden.", Boolean).default("false"),
    key("tag", "Badge beside the name.", Text),
    key("default", "Whether it is the default.", Boolean).default("false"),
];

static GLOBAL: Object = object(&[&[
    key(
        "anchors",
        "Links at the top of the sidebar.",
        Shape::List(&ANCHOR_LINKS),
    ),
    key("tabs", "Links among the tabs.", Shape::List(&TAB_LINKS)),
    key(
        "dropdowns",
        "Links in the menu above the sidebar.",
        Shape::List(&DROPDOWN_LINKS),
    ),
    key(
        "products",
        "Links among the products.",
        Shape::List(&PRODUCT_LINKS),
    ),
    key(
        "versions",
        "Links among the versions.",
        Shape::List(&VERSION_LINKS),
    ),
    key(
        "languages",
        "Links among the languages.",
        Shape::List(&LANGUAGE_LINKS),
    ),
]]);

static ANCHOR_LINKS: List = list(Shape::Object(&ANCHOR_LINK));
static ANCHOR_LINK: Object = object(&[&[key("anchor", "Name.", NonEmpty).required()], LINK]);
static TAB_LINKS: List = list(Shape::Object(&TAB_LINK));
static TAB_LINK: Object = object(&[&[key("tab", "Name.", NonEmpty).required()], LINK]);
static DROPDOWN_LINKS: List = list(Shape::Object(&DROPDOWN_LINK));
static DROPDOWN_LINK: Object = object(&[&[key("dropdown", "Name.", NonEmpty).required()], LINK]);
static PRODUCT_LINKS: List = list(Shape::Object(&PRODUCT_LINK));
static PRODUCT_LINK: Object = object(&[&[key("product", "Name.", NonEmpty).required()], LINK]);
static VERSION_LINKS: List = list(Shape::Object(&VERSION_LINK));
static VERSION_LINK: Object = object(&[&[key("version", "Name.", NonEmpty).required()], LINK]);
static LANGUAGE_LINKS: List = list(Shape::Object(&LANGUAGE_LINK));
static LANGUAGE_LINK: Object = object(&[
    &[key(
        "language",
        "Code of the language.",
        Shape::Definition(&LANGUAGE_CODE),
    )
    .required()],
    LINK,
]);
