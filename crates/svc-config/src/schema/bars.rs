//! `navbar`, `footer` and `banner`, of a site or of a language.

use serde_json::json;

use super::{
    appearance, patterns,
    table::{
        Definition, List, Object, Property, Shape,
        Shape::{Boolean, Enum, NonEmpty, Pattern, Text},
        key, list, object, variants,
    },
};
use crate::{BannerKind, PrimaryKind};

pub(super) static NAVBAR: Definition = Definition {
    name: "navbar",
    title: "navbar",
    description: "",
    shape: Shape::Object(&NAVBAR_OBJECT),
};

static NAVBAR_OBJECT: Object = object(&[&[
    key("links", "Links, in order.", Shape::List(&LINKS)),
    key("primary", "The main button.", Shape::Object(&PRIMARY)),
]]);

static LINKS: List = list(Shape::Object(&LINK));

fn label_or_mark() -> serde_json::Value {
    json!({ "anyOf": [
        { "required": ["label"] },
        { "required": ["icon"], "properties": { "icon": { "not": { "type": "string", "pattern": r"^\s*$" } } } },
        { "required": ["type"], "properties": { "type": { "pattern": r"^\s*(?:github|discord)\s*$" } } },
    ] })
}

static LINK: Object = Object {
    keys: &[&[
        key("label", "Text.", Text)
            .rule("Required unless `icon` is set or `type` is `github` or `discord`."),
        key("href", "Target.", Pattern(&patterns::LINK)).required(),
        key("icon", "Icon.", Shape::Definition(&appearance::ICON)),
        key(
            "type",
            "`github` shows the number of stars, `discord` the number of people online.",
            Shape::Suggested(|| vec!["github", "discord"]),
        ),
    ]],
    rules: &[label_or_mark],
    allows_source_ref: false,
    strict: false,
    inherited: 0,
};

fn button_needs_label() -> serde_json::Value {
    json!({
        "if": { "required": ["type"], "properties": { "type": { "const": "button" } } },
        "then": { "required": ["label"] },
    })
}

static PRIMARY: Object = Object {
    keys: &[&[
        key("type", "Kind of the button.", Enum(variants::<PrimaryKind>)).required(),
        key("label", "Text.", NonEmpty).rule("Required by the kind `button`."),
        key("href", "Target.", Pattern(&patterns::LINK)).required(),
    ]],
    rules: &[button_needs_label],
    allows_source_ref: false,
    strict: false,
    inherited: 0,
};

pub(super) static FOOTER: Definition = Definition {
    name: "footer",
    title: "footer",
    description: "",
    shape: Shape::Object(&FOOTER_OBJECT),
};

static FOOTER_OBJECT: Object = object(&[&[
    key(
        "socials",
        "Profiles of the project: network and URL.",
        Shape::Object(&SOCIALS),
    )
    .rule("URLs must begin with `https://`."),
    key("links", "Columns of links.", Shape::List(&COLUMNS)),
]]);

const fn social(name: &'static str, about: &'static str) -> Property {
    key(name, about, Pattern(&patterns::PROFILE))
}

static SOCIALS: Object = Object {
    keys: &[&[
        social("x", "X."),
        social("website", "A home page."),
        social("facebook", "Facebook."),
        social("youtube", "YouTube."),
        social("discord", "Discord."),
        social("slack", "Slack."),
        social("github", "GitHub."),
        social("linkedin", "LinkedIn."),
        social("instagram", "Instagram."),
        social("hacker-news", "Hacker News."),
        social("medium", "Medium."),
        social("telegram", "Telegram."),
        social("twitter", "Twitter."),
        social("x-twitter", "X, with the Twitter logo."),
        social("earth-americas", "A home page, with a globe icon."),
        social("bluesky", "Bluesky."),
        social("threads", "Threads."),
        social("reddit", "Reddit."),
        social("podcast", "A podcast."),
    ]],
    rules: &[],
    allows_source_ref: false,
    strict: true,
    inherited: 0,
};

static COLUMNS: List = List {
    item: Shape::Object(&COLUMN),
    min: 1,
    max: Some(4),
    unique: false,
};

static COLUMN: Object = object(&[&[
    key("header", "Title of the column.", NonEmpty),
    key("items", "Links of the column.", Shape::List(&ITEMS)).required(),
]]);

static ITEMS: List = List {
    item: Shape::Object(&ITEM),
    min: 1,
    max: None,
    unique: false,
};

static ITEM: Object = object(&[&[
    key("label", "Text.", NonEmpty).required(),
    key("href", "Target.", Pattern(&patterns::FOOTER_LINK))
        .required()
        .rule("A path, a fragment, `mailto:` or the `https://` URL of a page."),
]]);

pub(super) static BANNER: Definition = Definition {
    name: "banner",
    title: "banner",
    description: "",
    shape: Shape::Object(&BANNER_OBJECT),
};

static BANNER_OBJECT: Object = object(&[&[
    key(
        "content",
        "Text, with links, bold and italics; components are not supported.",
        NonEmpty,
    )
    .required(),
    key(
        "dismissible",
        "Whether readers can dismiss it; it appears again when the text changes.",
        Boolean,
    )
    .default("false"),
    key(
        "type",
        "Severity of the banner.",
        Enum(variants::<BannerKind>),
    )
    .default("\"info\""),
    key(
        "color",
        "Colors that override those of the severity.",
        Shape::Definition(&appearance::MODE_COLORS),
    ),
]]);
