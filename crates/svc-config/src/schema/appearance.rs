//! The keys of the look of a site.

use serde_json::json;

use super::{
    patterns,
    table::{
        Definition, List, Object, Property, Shape,
        Shape::{Boolean, Enum, NonEmpty, Number, Pattern, Suggested},
        key, list, object, variants,
    },
};
use crate::{
    CODE_THEMES, ColorMode, Decoration, Eyebrows, FontFormat, IconLibrary, ThumbnailMode, icons,
};

pub(super) static COLORS: Object = object(&[&[
    key(
        "primary",
        "Accent color, normally in light mode.",
        Pattern(&patterns::COLOR),
    )
    .required()
    .rule("For text, its shade is adjusted until it is readable."),
    key(
        "light",
        "Accent color in dark mode.",
        Pattern(&patterns::COLOR),
    )
    .default("`primary`"),
    key(
        "dark",
        "Color of buttons and hover states, depending on the theme.",
        Pattern(&patterns::COLOR),
    )
    .default("`primary`"),
]]);

/// A color for each mode.
pub(super) static MODE_COLORS: Definition = Definition {
    name: "modeColors",
    title: "",
    description: "A color for each mode.",
    shape: Shape::Object(&MODE_COLORS_OBJECT),
};

static MODE_COLORS_OBJECT: Object = object(&[&[
    key("light", "Color in light mode.", Pattern(&patterns::COLOR)),
    key("dark", "Color in dark mode.", Pattern(&patterns::COLOR)),
]]);

/// An image that differs by mode needs both modes.
static MODE_IMAGES: &[Property] = &[
    key("light", "Image in light mode.", Pattern(&patterns::FILE)).required(),
    key("dark", "Image in dark mode.", Pattern(&patterns::FILE)).required(),
];

pub(super) static LOGO: Shape =
    Shape::Any(&[Pattern(&patterns::IMAGE), Shape::Object(&LOGO_OBJECT)]);

static LOGO_OBJECT: Object = object(&[
    MODE_IMAGES,
    &[key("href", "Target of a click.", Pattern(&patterns::LINK))
        .default("the first page of the language, otherwise the home page")],
]);

pub(super) static FAVICON: Shape = Shape::Any(&[
    Pattern(&patterns::IMAGE),
    Shape::Object(&MODE_IMAGES_OBJECT),
]);

static MODE_IMAGES_OBJECT: Object = object(&[MODE_IMAGES]);

pub(super) static APPEARANCE: Object = object(&[&[
    key(
        "default",
        "Initial mode; `system` follows the device of the reader.",
        Enum(variants::<ColorMode>),
    )
    .default("\"system\""),
    key(
        "strict",
        "Whether the switch between the modes is hidden.",
        Boolean,
    )
    .default("false"),
]]);

static FONT_KEYS: &[Property] = &[
    key("family", "Name of the family.", NonEmpty)
        .rule("Families of the public web-font catalog need no `source`."),
    key(
        "weight",
        "Weight, from 1 to 1000. Variable fonts support any number, including fractions; other families are shown in their nearest weight.",
        Number,
    )
    .example("400"),
    key(
        "source",
        "URL or path of a font file.",
        Pattern(&patterns::FILE),
    )
    .rule("Needs `format`.")
    .example("\"/fonts/inter.woff2\""),
    key(
        "format",
        "Format of the font file.",
        Enum(variants::<FontFormat>),
    ),
];

fn source_needs_format() -> serde_json::Value {
    json!({ "dependentRequired": { "source": ["format"] } })
}

fn details_need_family() -> serde_json::Value {
    json!({ "dependentRequired": {
        "weight": ["family"],
        "source": ["family"],
        "format": ["family"],
    } })
}

fn sides_need_family() -> serde_json::Value {
    let side = json!({
        "if": { "anyOf": [
            { "$ref": "#/$defs/reference" },
            { "not": { "type": "object" } },
        ] },
        "else": { "required": ["family"] },
    });
    json!({
        "if": { "not": { "required": ["family"] } },
        "then": { "properties": { "heading": side, "body": side } },
    })
}

static FONT: Definition = Definition {
    name: "font",
    title: "",
    description: "One typeface.",
    shape: Shape::Object(&FONT_OBJECT),
};

static FONT_OBJECT: Object = Object {
    keys: &[FONT_KEYS],
    rules: &[source_needs_format],
    allows_source_ref: false,
    strict: false,
    inherited: 0,
};

pub(super) static FONTS: Object = Object {
    keys: &[
        FONT_KEYS,
        &[
            key(
                "heading",
                "Typeface of headings; overrides the common one.",
                Shape::Definition(&FONT),
            ),
            key(
                "body",
                "Typeface of all other text; overrides the common one.",
                Shape::Definition(&FONT),
            ),
        ],
    ],
    rules: &[source_needs_format, details_need_family, sides_need_family],
    allows_source_ref: false,
    strict: false,
    inherited: 0,
};

pub(super) static ICONS: Object = object(&[&[key(
    "library",
    "The library that all icon names are taken from.",
    Enum(variants::<IconLibrary>),
)
.required()
.default("\"fontawesome\"")]]);

/// An icon of any key.
pub(super) static ICON: Definition = Definition {
    name: "icon",
    title: "Icon",
    description: "A name of the icon library, a URL, a path of the repository, or an object with more settings.",
    shape: Shape::Any(&[Pattern(&patterns::ICON_NAME), Shape::Object(&ICON_OBJECT)]),
};

static ICON_OBJECT: Object = object(&[&[
    key("name", "Name, URL or path.", Pattern(&patterns::ICON_NAME))
        .required()
        .rule("Font Awesome names are written without `fa-`."),
    key(
        "style",
        "Style of a Font Awesome icon.",
        Shape::OneOf(icons::STYLES),
    ),
    key(
        "library",
        "Library of this icon, if it is not that of the site.",
        Enum(variants::<IconLibrary>),
    ),
]]);

pub(super) static BACKGROUND: Object = object(&[&[
    key(
        "decoration",
        "Pattern of the page background.",
        Enum(variants::<Decoration>),
    ),
    key(
        "color",
        "Color of the page.",
        Shape::Definition(&MODE_COLORS),
    )
    .default("the colors of the theme"),
    key("image", "Background image of the page.", FAVICON),
]]);

static CODE_NAME: Definition = Definition {
    name: "codeTheme",
    title: "",
    description: "",
    shape: Suggested(code_themes),
};

static CODE_STYLE: Definition = Definition {
    name: "codeStyle",
    title: "",
    description: "",
    shape: Suggested(code_styles),
};

fn code_themes() -> Vec<&'static str> {
    CODE_THEMES.to_vec()
}

fn code_styles() -> Vec<&'static str> {
    [&["system", "dark"], CODE_THEMES].concat()
}

static CODE_PAIR: &[Property] = &[
    key(
        "light",
        "Theme in light mode.",
        Shape::Definition(&CODE_NAME),
    ),
    key("dark", "Theme in dark mode.", Shape::Definition(&CODE_NAME)),
];

fn both_modes() -> serde_json::Value {
    json!({ "required": ["light", "dark"] })
}

static CODE_THEME: Object = Object {
    keys: &[CODE_PAIR],
    rules: &[both_modes],
    allows_source_ref: false,
    strict: false,
    inherited: 0,
};

fn pair_without_theme() -> serde_json::Value {
    json!({
        "if": { "not": { "required": ["theme"] } },
        "then": { "dependentRequired": { "light": ["dark"], "dark": ["light"] } },
    })
}

static GRAMMARS: List = list(Pattern(&patterns::FILE));

static CODE_LANGUAGES: Object = object(&[&[key(
    "custom",
    "Paths of grammar files in the TextMate format.",
    Shape::List(&GRAMMARS),
)]]);

static CODE_BLOCKS: Object = Object {
    keys: &[
        &[
            key(
                "theme",
                "One highlighting theme, or one for each mode.",
                Shape::Any(&[Shape::Definition(&CODE_STYLE), Shape::Object(&CODE_THEME)]),
            ),
            key(
                "languages",
                "Additional languages.",
                Shape::Object(&CODE_LANGUAGES),
            ),
        ],
        &[
            key(
                "light",
                "The same as `theme.light`.",
                Shape::Definition(&CODE_NAME),
            )
            .deprecated("Write it below `theme`."),
            key(
                "dark",
                "The same as `theme.dark`.",
                Shape::Definition(&CODE_NAME),
            )
            .deprecated("Write it below `theme`."),
        ],
    ],
    rules: &[pair_without_theme],
    allows_source_ref: false,
    strict: false,
    inherited: 0,
};

pub(super) static STYLING: Object = object(&[&[
    key(
        "eyebrows",
        "Text above the title of a page: its section, or the breadcrumbs to it.",
        Enum(variants::<Eyebrows>),
    )
    .default("\"section\"")
    .rule("Some themes choose `breadcrumbs` themselves."),
    key(
        "latex",
        "Whether formulas are rendered: `false` shows them as text. They need no style sheet, so `true` has no effect.",
        Boolean,
    )
    .default("true"),
    key(
        "codeblocks",
        "Colors of code: `system` follows the mode, `dark` is dark in both, or the name of a highlighting theme, or an object.",
        Shape::Any(&[Shape::Definition(&CODE_STYLE), Shape::Object(&CODE_BLOCKS)]),
    )
    .default("\"system\""),
]]);

static THUMBNAIL_FONTS: Object = object(&[&[key(
    "family",
    "Name of a family for which `fonts` has a file. Families of the public web-font catalog have no effect on the images.",
    NonEmpty,
)
.required()]]);

pub(super) static THUMBNAILS: Object = object(&[&[
    key(
        "appearance",
        "Color scheme of the images.",
        Enum(variants::<ThumbnailMode>),
    )
    .default("the colors of the site"),
    key(
        "background",
        "Background image: a file of the repository.",
        Pattern(&patterns::FILE),
    ),
    key(
        "fonts",
        "Typeface of the images.",
        Shape::Object(&THUMBNAIL_FONTS),
    ),
]]);
