//! `navbar`: links in the header.

use serde_json::{Value, json};

use crate::{
    Icon,
    decode::{Cx, Fields},
    icons::{self, AnyIcon},
    keys::{
        key,
        kinds::{ListOf, NonEmpty, Text},
        object,
        shape::Shape,
        value_kind,
    },
    link::Link,
    string_enum::string_enum,
};

string_enum! {
    /// `navbar.primary.type`: the kind of the main button.
    PrimaryKind {
        Button = "button",
        GitHub = "github",
        Discord = "discord",
    }
}

object! {
    /// `navbar`: the header.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Navbar {
        /// Links, in order.
        links: Vec<NavbarLink> = key::<ListOf<NavbarLink>>("links").or_default(),
        /// The main button.
        primary: Option<NavbarPrimary> = key::<NavbarPrimary>("primary"),
    }
    definition ("navbar", "navbar", "")
}

object! {
    /// A link in the header: an entry of `navbar.links`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct NavbarLink {
        /// Text.
        ///
        /// None for icons and, if it is not set, for the kinds `github` and `discord`.
        label: Option<String> = key::<Text>("label")
            .expected_if(needs_label, "add a `label`, or `\"type\": \"github\"` or `\"discord\"`")
            // Real sites have an empty label beside an icon.
            .field(|label| Some(label.filter(|label| !label.trim().is_empty())))
            .rule("Required unless `icon` is set or `type` is `github` or `discord`."),
        /// Target.
        href: String = key::<Link>("href").required(),
        /// Icon.
        ///
        /// Beside or instead of the text.
        icon: Option<Icon> = key::<AnyIcon>("icon"),
        /// `github` shows the number of stars, `discord` the number of people online.
        ///
        /// Or any other text.
        kind: Option<String> = key::<NavbarLinkKind>("type"),
    }
    rules [label_or_mark()]
}

object! {
    /// `navbar.primary`: the main button of the header.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct NavbarPrimary {
        /// Kind of the button.
        kind: PrimaryKind = key::<PrimaryKind>("type").required(),
        /// Text.
        ///
        /// Always set for the kind `button`.
        label: Option<String> = key::<NonEmpty>("label")
            .expected_if(is_button, "add `\"label\": …`")
            .rule("Required by the kind `button`."),
        /// Target.
        href: String = key::<Link>("href").required(),
    }
    rules [button_needs_label()]
}

/// Kinds of links with a logo.
const BRANDS: [&str; 2] = ["github", "discord"];

value_kind!(NavbarLinkKind -> String = Shape::Suggested(BRANDS.to_vec()), Cx::non_empty_string);

fn needs_label(fields: &Fields<'_>) -> bool {
    let branded = text_of(fields, "type").is_some_and(|kind| BRANDS.contains(&kind.trim()));
    !branded && !fields.get("icon").is_some_and(|icon| icons::is_set(&icon))
}

fn is_button(fields: &Fields<'_>) -> bool {
    text_of(fields, "type") == Some("button")
}

fn text_of<'a>(fields: &Fields<'a>, key: &'a str) -> Option<&'a str> {
    fields.get(key)?.tree.as_str()
}

fn label_or_mark() -> Value {
    json!({ "anyOf": [
        { "required": ["label"] },
        { "required": ["icon"], "properties": { "icon": { "not": { "type": "string", "pattern": r"^\s*$" } } } },
        { "required": ["type"], "properties": { "type": { "pattern": r"^\s*(?:github|discord)\s*$" } } },
    ] })
}

fn button_needs_label() -> Value {
    json!({
        "if": { "required": ["type"], "properties": { "type": { "const": "button" } } },
        "then": { "required": ["label"] },
    })
}

#[cfg(test)]
mod tests {
    use crate::{
        PrimaryKind,
        tests::{errors_of, site_of},
    };

    #[test]
    fn links_and_the_button_are_read() {
        let json = r#""navbar":{"links":[{"type":"github","href":"https://github.com/a/b"},{"label":"","icon":"discord","href":"https://d"}],"primary":{"type":"github","href":"https://g.c"}}"#;
        let navbar = site_of(json).value.unwrap().navbar;
        assert_eq!(errors_of(json), [""; 0]);
        assert_eq!(navbar.links.len(), 2);
        assert_eq!(navbar.primary.unwrap().kind, PrimaryKind::GitHub);
    }

    #[test]
    fn problems_of_the_header() {
        for (json, expected) in [
            (
                r#"{"links":[{"href":"https://x"}]}"#,
                "/navbar/links/0/label config-missing",
            ),
            (
                r#"{"links":[{"label":"a"}]}"#,
                "/navbar/links/0/href config-missing",
            ),
            (r#"{"links":{}}"#, "/navbar/links config-type"),
            (r#"{"links":["/a"]}"#, "/navbar/links/0 config-type"),
            (
                r#"{"primary":{"type":"button","href":"https://x"}}"#,
                "/navbar/primary/label config-missing",
            ),
            (
                r#"{"primary":{"type":"link","label":"a","href":"https://x"}}"#,
                "/navbar/primary/type config-invalid-value",
            ),
            (
                r#"{"primary":{"type":"github"}}"#,
                "/navbar/primary/href config-missing",
            ),
        ] {
            assert_eq!(errors_of(&format!("\"navbar\":{json}")), [expected]);
        }
    }
}
