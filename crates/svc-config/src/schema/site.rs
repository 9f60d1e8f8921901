//! The top level: identity of the site, and small keys.

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
        "URL of the JSON Schema of this file; editors use it for completion and validation.",
        Pattern(&patterns::URI),
    )
    .rule("Any URL; it is never fetched.")
    .example("\"https://svc.dev/schema/docs.json\""),
    key(
        "theme",
        "Theme of the site.",
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
        "Name of the project, organization or product; shown in the title of the browser tab.",
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
        "Whether pages are public unless they say otherwise. Readers cannot sign in yet: with `false`, pages without `public: true` are not served at all, unless the operator allows it.",
        Boolean,
    )
    .default("`true`; `false` beside `auth` or `userAuth`"),
    key(
        "auth",
        "Sign-in of readers.",
        Shape::Anything,
    )
    .deprecated("Readers cannot sign in yet: as with `\"public\": false`, pages are not served."),
    key(
        "userAuth",
        "Sign-in of readers for personalized content.",
        Shape::Anything,
    )
    .deprecated("Readers cannot sign in yet: as with `\"public\": false`, pages are not served."),
    key("colors", "Accent colors.", Shape::Object(&appearance::COLORS))
        .required()
        .rule("Without `light` and `dark`, `primary` is used everywhere.")
        .example(r##"{ "primary": "#0f766e", "light": "#2dd4bf", "dark": "#0f766e" }"##),
    key("logo", "Image in the header.", appearance::LOGO)
        .example(r#"{ "light": "/logo/light.svg", "dark": "/logo/dark.svg", "href": "/" }"#),
    key("favicon", "Icon in the browser tab.", appearance::FAVICON).example("\"/favicon.svg\""),
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
        "Icon library.",
        Shape::Object(&appearance::ICONS),
    )
    .example(r#"{ "library": "lucide" }"#),
    key(
        "background",
        "Page background.",
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
        "Generated preview images of pages.",
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
        "The pages of the site and their order.",
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
        "Settings for search engines.",
        Shape::Object(&general::SEO),
    )
    .example(r#"{ "indexing": "navigable", "metatags": { "og:site_name": "Acme" } }"#),
    key(
        "redirects",
        "Moved paths.",
        Shape::List(&general::REDIRECTS),
    )
    .rule("Every `source` must be unique.")
    .example(r#"[{ "source": "/old/:slug*", "destination": "/new/:slug*" }]"#),
    key(
        "integrations",
        "Analytics, chat and consent services.",
        Shape::Services,
    )
    .rule("Validated, but not loaded yet. Load what you need from a `.js` file of the repository.")
    .example(r#"{ "plausible": { "domain": "docs.example.com" } }"#),
    key(
        "errors",
        "The page for paths that do not exist.",
        Shape::Object(&ERRORS),
    )
    .example(r#"{ "404": { "title": "Nothing here", "description": "Try the search." } }"#),
    key(
        "metadata",
        "Metadata that pages show.",
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
    "Whether selecting a group opens its first page (`true`) or only expands it (`false`).",
    Boolean,
)
.default("the theme's choice")]]);

static SEARCH: Object = object(&[&[key("prompt", "Text in the empty search field.", Text)]]);

static NOT_FOUND: Object = object(&[&[
    key(
        "redirect",
        "Whether readers are redirected to the home page instead.",
        Boolean,
    )
    .default("false"),
    key("title", "Title of the page.", Text),
    key("description", "Text of the page, in MDX.", Text),
]]);

static ERRORS: Object = object(&[&[key("404", "The page.", Shape::Object(&NOT_FOUND)).required()]]);

static METADATA: Object = object(&[&[key(
    "timestamp",
    "Whether pages show the date of their last change.",
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
        "Whether the Markdown of endpoint pages contains their part of the OpenAPI document.",
        Boolean,
    )
    .default("true"),
    key(
        "instructions",
        "Instructions for language models, added to the Markdown of pages and to `llms.txt`.",
        Shape::Any(&[NonEmpty, Shape::List(&INSTRUCTIONS)]),
    ),
]]);
