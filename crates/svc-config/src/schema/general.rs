//! `contextual`, `seo` and `redirects`.

use super::{
    appearance, patterns,
    table::{
        List, Map, Object, Shape,
        Shape::{Boolean, Enum, NonEmpty, OneOf, Pattern, Text},
        key, list, object, variants,
    },
};
use crate::{ContextualAction, ContextualDisplay};

pub(super) static CONTEXTUAL: Object = object(&[&[
    key(
        "options",
        "Entries; the first one is the button itself.",
        Shape::List(&OPTIONS),
    )
    .required()
    .rule("Entries must be unique; an empty list removes the menu."),
    key(
        "display",
        "Position of the menu.",
        Enum(variants::<ContextualDisplay>),
    )
    .default("\"header\""),
]]);

static OPTIONS: List = List {
    item: Shape::Any(&[
        Enum(variants::<ContextualAction>),
        Shape::Object(&CUSTOM_OPTION),
    ]),
    min: 0,
    max: None,
    unique: true,
};

static CUSTOM_OPTION: Object = object(&[&[
    key("title", "Title of a custom entry.", NonEmpty).required(),
    key("description", "One line below the title.", Text).required(),
    key("icon", "Icon.", Shape::Definition(&appearance::ICON)),
    key(
        "href",
        "Target; `$page`, `$path` and `$mcp` are replaced by the Markdown of the page, its path and the URL of the MCP server.",
        Shape::Any(&[Pattern(&patterns::LINK), Shape::Object(&TARGET)]),
    )
    .required(),
]]);

static TARGET: Object = object(&[&[
    key(
        "base",
        "Target without the parameters.",
        Pattern(&patterns::LINK),
    )
    .required(),
    key(
        "query",
        "Query parameters that are encoded and appended.",
        Shape::List(&PARAMETERS),
    ),
]]);

static PARAMETERS: List = list(Shape::Object(&PARAMETER));

static PARAMETER: Object = object(&[&[
    key("key", "Name of the parameter.", NonEmpty).required(),
    key("value", "Value of the parameter.", Text).required(),
]]);

pub(super) static SEO: Object = object(&[&[
    key(
        "indexing",
        "Pages that search engines may index: those of the navigation, or all.",
        OneOf(&["navigable", "all"]),
    )
    .default("\"navigable\""),
    key(
        "metatags",
        "Meta tags of every page: name and content.",
        Shape::Map(&METATAGS),
    )
    .rule("`seo.paths` and the front matter of a page override them.")
    .example(r#"{ "og:site_name": "Acme" }"#),
    key("paths", "Meta tags of folders.", Shape::List(&PATHS))
        .rule("The longest path takes precedence; paths must be unique."),
    key(
        "organization",
        "The publisher, for structured data.",
        Shape::Object(&ORGANIZATION),
    ),
    key(
        "trailingSlash",
        "Whether printed URLs end with a slash.",
        Boolean,
    )
    .rule("URLs without it work as before."),
]]);

static METATAGS: Map = Map {
    names: None,
    value: NonEmpty,
};

static PATHS: List = list(Shape::Object(&PATH));

static PATH: Object = object(&[&[
    key(
        "path",
        "Folder without leading and trailing slash.",
        Pattern(&patterns::DIRECTORY),
    )
    .required(),
    key(
        "metatags",
        "Meta tags of the pages below: name and content.",
        Shape::Map(&METATAGS),
    )
    .required(),
]]);

static SAME_AS: List = list(Pattern(&patterns::WEB_URL));

static ORGANIZATION: Object = object(&[&[
    key("id", "Identifier.", Pattern(&patterns::WEB_URL)),
    key("name", "Name.", NonEmpty),
    key("legalName", "Legal name.", NonEmpty),
    key("url", "Home page.", Pattern(&patterns::WEB_URL)),
    key("logo", "Logo.", Pattern(&patterns::WEB_URL)),
    key(
        "sameAs",
        "Other pages about the publisher.",
        Shape::List(&SAME_AS),
    ),
]]);

pub(super) static REDIRECTS: List = list(Shape::Object(&REDIRECT));

static REDIRECT: Object = object(&[&[
    key(
        "source",
        "Old path; `*` and `:name` match parts of it.",
        NonEmpty,
    )
    .required()
    .example("\"/old/:slug*\""),
    key(
        "destination",
        "New path or URL; it may contain the named parts.",
        Pattern(&patterns::LINK),
    )
    .required()
    .example("\"/new/:slug*\""),
    key(
        "permanent",
        "Whether the status is 308 (permanent) or 307 (temporary).",
        Boolean,
    )
    .default("true"),
]]);
