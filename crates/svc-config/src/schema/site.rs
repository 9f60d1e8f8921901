//! The top level: identity of the site, and the small keys.

use super::{
    api, appearance, bars, general, navigation, patterns,
    table::{
        List, Map, Object, Property, Shape,
        Shape::{Boolean, NonEmpty, OneOf, Pattern, Text},
        key, list, object, variants,
    },
};
use crate::Theme;

/// The whole document.
pub(super) static SITE: Object = Object {
    keys: &[KEYS],
    rules: &[],
    allows_source_ref: false,
    strict: false,
    inherited: 0,
};

static KEYS: &[Property] = &[
    key(
        "$schema",
        "Where the JSON Schema of this file is; editors complete and check by it.",
        Pattern(&patterns::URI),
    )
    .rule("Any URL; it is never fetched.")
    .example("\"https://svc.dev/schema/docs.json\""),
    key(
        "theme",
        "Look of the site.",
        Shape::Any(&[
            Shape::Enum(variants::<Theme>),
            Shape::Deprecated(&OneOf(&["mint"]), "Write `svc`."),
        ]),
    )
    .required()
    .rule("The older name `mint` is read as `svc`.")
    .example("\"svc\""),
    key(
        "name",
        "Name of the project, organisation or product; it stands in the title of the browser tab.",
        NonEmpty,
    )
    .required()
    .example("\"Acme\""),
    key(
        "description",
        "One sentence about the site, for search engines and `llms.txt`.",
        Text,
    )
    .example("\"How to build with Acme.\""),
    key(
        "public",
        "Whether pages are open to everybody unless they say otherwise. There is no sign-in of readers yet: with `false`, pages that do not say `public: true` are not served at all, unless the operator says so.",
        Boolean,
    )
    .default("`true`; `false` beside `auth` or `userAuth`"),
    key(
        "auth",
        "How readers sign in.",
        Shape::Anything,
    )
    .deprecated("There is no sign-in of readers yet: as with `\"public\": false`, pages are not served."),
    key(
        "userAuth",
        "How readers sign in to see what is theirs.",
        Shape::Anything,
    )
    .deprecated("There is no sign-in of readers yet: as with `\"public\": false`, pages are not served."),
    key("colors", "Accent colours.", Shape::Object(&appearance::COLORS))
        .required()
        .rule("With `primary` alone that colour serves everywhere.")
        .example(r##"{ "primary": "#0f766e", "light": "#2dd4bf", "dark": "#0f766e" }"##),
    key("logo", "Picture in the header.", appearance::LOGO)
        .example(r#"{ "light": "/logo/light.svg", "dark": "/logo/dark.svg", "href": "/" }"#),
    key("favicon", "Picture in the browser tab.", appearance::FAVICON).example("\"/favicon.svg\""),
    key(
        "appearance",
        "Light and dark mode.",
        Shape::Object(&appearance::APPEARANCE),
    )
    .example(r#"{ "default": "dark", "strict": true }"#),
    key(
        "fonts",
        "Typefaces of headings and text.",
        Shape::Object(&appearance::FONTS),
    )
    .default("the fonts of the theme")
    .example(r#"{ "family": "Inter", "heading": { "family": "Lora", "weight": 700 } }"#),
    key(
        "icons",
        "Where icon names come from.",
        Shape::Object(&appearance::ICONS),
    )
    .example(r#"{ "library": "lucide" }"#),
    key(
        "background",
        "What lies behind the page.",
        Shape::Object(&appearance::BACKGROUND),
    )
    .example(r##"{ "decoration": "grid", "color": { "light": "#ffffff", "dark": "#0b0f14" } }"##),
    key(
        "styling",
        "Details of the look.",
        Shape::Object(&appearance::STYLING),
    )
    .example(r#"{ "eyebrows": "breadcrumbs", "codeblocks": "dark" }"#),
    key(
        "thumbnails",
        "Preview pictures that are made for pages.",
        Shape::Object(&appearance::THUMBNAILS),
    )
    .example(r#"{ "appearance": "light", "background": "/images/thumbnail.png" }"#),
    key(
        "navbar",
        "Links in the header.",
        Shape::Definition(&bars::NAVBAR),
    )
    .rule("A language's own header replaces it.")
    .example(
        r#"{ "links": [{ "label": "Blog", "href": "/blog" }], "primary": { "type": "button", "label": "Sign up", "href": "https://example.com" } }"#,
    ),
    key(
        "footer",
        "Links at the end of every page.",
        Shape::Definition(&bars::FOOTER),
    )
    .rule("A language's own footer replaces it.")
    .example(
        r#"{ "socials": { "github": "https://github.com/acme" }, "links": [{ "header": "Company", "items": [{ "label": "About", "href": "https://example.com/about" }] }] }"#,
    ),
    key(
        "banner",
        "A line above the header.",
        Shape::Definition(&bars::BANNER),
    )
    .rule("A language's own banner replaces it.")
    .example(r#"{ "content": "Version 2 is [out](/changelog).", "dismissible": true }"#),
    key(
        "navigation",
        "Which pages there are, in which order.",
        Shape::Object(&navigation::NAVIGATION),
    )
    .required()
    .rule(
        "Exactly one of `pages`, `groups`, `tabs`, `anchors`, `dropdowns`, `products`, `versions` and `languages`, or `openapi` alone.",
    )
    .example(r#"{ "groups": [{ "group": "Start", "pages": ["introduction", "quickstart"] }] }"#),
    key(
        "interaction",
        "What a click in the sidebar does.",
        Shape::Object(&INTERACTION),
    )
    .example(r#"{ "drilldown": true }"#),
    key(
        "contextual",
        "Menu beside the title of a page.",
        Shape::Object(&general::CONTEXTUAL),
    )
    .rule("A page's own menu replaces it.")
    .example(r#"{ "options": ["copy", "view", "download-spec"] }"#),
    key("api", "The API reference.", Shape::Object(&api::API))
        .example(r#"{ "openapi": "openapi.yaml", "playground": { "display": "interactive" } }"#),
    key("search", "The search field.", Shape::Object(&SEARCH))
        .example(r#"{ "prompt": "Find something" }"#),
    key(
        "seo",
        "What search engines see.",
        Shape::Object(&general::SEO),
    )
    .example(r#"{ "indexing": "navigable", "metatags": { "og:site_name": "Acme" } }"#),
    key(
        "redirects",
        "Addresses that moved.",
        Shape::List(&general::REDIRECTS),
    )
    .rule("Every `source` stands once.")
    .example(r#"[{ "source": "/old/:slug*", "destination": "/new/:slug*" }]"#),
    key(
        "integrations",
        "Analytics, chat and consent services.",
        Shape::Services,
    )
    .rule("Checked, but none is loaded yet. A `.js` file of the repository may load what you need.")
    .example(r#"{ "plausible": { "domain": "docs.example.com" } }"#),
    key(
        "errors",
        "The page for addresses that do not exist.",
        Shape::Object(&ERRORS),
    )
    .example(r#"{ "404": { "title": "Nothing here", "description": "Try the search." } }"#),
    key(
        "metadata",
        "What pages say of themselves.",
        Shape::Object(&METADATA),
    )
    .example(r#"{ "timestamp": true }"#),
    key(
        "variables",
        "Texts that replace `{{name}}` in pages and snippets.",
        Shape::Map(&VARIABLES),
    )
    .rule("Names hold letters, digits, `-`, `_` and `.`.")
    .example(r#"{ "product-name": "Acme" }"#),
    key(
        "markdown",
        "The Markdown form of pages.",
        Shape::Object(&MARKDOWN),
    )
    .example(r#"{ "instructions": "Prefer the REST API in examples." }"#),
    key("variations", "Variants of one site.", Shape::Anything)
        .deprecated("Accepted, but has no effect yet."),
    key(
        "assistant",
        "Settings of a chat assistant.",
        Shape::Anything,
    )
    .deprecated("Accepted, but has no effect yet."),
];

static INTERACTION: Object = object(&[&[key(
    "drilldown",
    "Whether selecting a group opens its first page (`true`) or only unfolds it (`false`).",
    Boolean,
)
.default("the theme's choice")]]);

static SEARCH: Object = object(&[&[key("prompt", "Text in the empty search field.", Text)]]);

static NOT_FOUND: Object = object(&[&[
    key(
        "redirect",
        "Whether readers are sent to the home page instead.",
        Boolean,
    )
    .default("false"),
    key("title", "Title of the page.", Text),
    key("description", "Text of the page, in MDX.", Text),
]]);

static ERRORS: Object = object(&[&[key("404", "The page.", Shape::Object(&NOT_FOUND)).required()]]);

static METADATA: Object = object(&[&[key(
    "timestamp",
    "Whether pages show when they were changed last.",
    Boolean,
)
.default("false")]]);

static VARIABLES: Map = Map {
    names: Some(patterns::VARIABLE),
    value: Text,
};

static INSTRUCTIONS: List = list(NonEmpty);

static MARKDOWN: Object = object(&[&[
    key(
        "schema",
        "Whether the Markdown of endpoint pages carries their part of the API document.",
        Boolean,
    )
    .default("true"),
    key(
        "instructions",
        "Lines for machines, added to the Markdown of pages and to `llms.txt`.",
        Shape::Any(&[NonEmpty, Shape::List(&INSTRUCTIONS)]),
    ),
]]);
