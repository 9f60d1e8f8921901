//! `navbar`: links in the header.

use crate::{
    Icon,
    decode::{Cx, NodeRef},
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

/// A link in the header: an entry of `navbar.links`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NavbarLink {
    /// Text; None for icons and, if it is not set, for the kinds `github` and `discord`.
    pub label: Option<String>,
    /// Target of the link.
    pub href: String,
    /// Icon beside or instead of the text.
    pub icon: Option<Icon>,
    /// `type`: `github`, `discord` or any other text.
    pub kind: Option<String>,
}

/// `navbar.primary`: the main button of the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NavbarPrimary {
    /// Kind of the button.
    pub kind: PrimaryKind,
    /// Text; always set for the kind `button`.
    pub label: Option<String>,
    /// Target of the button.
    pub href: String,
}

/// `navbar`: the header.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Navbar {
    /// Links, in the order of the file.
    pub links: Vec<NavbarLink>,
    /// The main button.
    pub primary: Option<NavbarPrimary>,
}

impl Navbar {
    pub(crate) fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["links", "primary"])?;
        Some(Self {
            links: cx
                .optional(&fields, "links", |cx, at| cx.list(at, NavbarLink::decode))
                .unwrap_or_default(),
            primary: cx.optional(&fields, "primary", NavbarPrimary::decode),
        })
    }
}

impl NavbarLink {
    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["label", "href", "icon", "type"])?;
        let kind = cx.optional(&fields, "type", Cx::non_empty_string);
        let icon = cx.optional(&fields, "icon", Icon::decode);
        let branded = matches!(kind.as_deref(), Some("github" | "discord"));
        if !fields.has("label") && !branded && icon.is_none() {
            let hint = "add a `label`, or `\"type\": \"github\"` or `\"discord\"`";
            cx.missing(&fields, "label", hint);
        }
        // Real sites have an empty label beside an icon.
        let label = cx
            .optional(&fields, "label", Cx::string)
            .filter(|label| !label.trim().is_empty());
        let href = cx.required(&fields, "href", Cx::link)?;
        Some(Self {
            label,
            href,
            icon,
            kind,
        })
    }
}

impl NavbarPrimary {
    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        let fields = cx.object(at, &["type", "label", "href"])?;
        let kind = cx.required(&fields, "type", Cx::string_enum);
        let label = if kind == Some(PrimaryKind::Button) {
            cx.required(&fields, "label", Cx::non_empty_string)
        } else {
            cx.optional(&fields, "label", Cx::non_empty_string)
        };
        let href = cx.required(&fields, "href", Cx::link);
        Some(Self {
            kind: kind?,
            label,
            href: href?,
        })
    }
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
