//! Tests of header, footer and banner, of the site and of a language.

use svc_config::{BannerKind, Children, PrimaryKind};

use crate::specification::{Row, check, site};

static ROWS: &[Row] = &[
    (
        "spec: cfg.navbar, cfg.navbar.links, cfg.navbar.links.label, cfg.navbar.links.href, cfg.navbar.links.icon accepts",
        r#""navbar": {"links": [{"label": "Blog", "href": "https://example.org", "icon": "house"}]}"#,
        |s| {
            let link = &s.navbar.links[0];
            link.label.as_deref() == Some("Blog")
                && link.href == "https://example.org"
                && link.icon.as_ref().is_some_and(|icon| icon.name == "house")
        },
    ),
    (
        "spec: cfg.navbar.links.type accepts",
        r#""navbar": {"links": [{"type": "github", "href": "https://github.com/a/b"}]}"#,
        |s| {
            s.navbar.links[0].kind.as_deref() == Some("github") && s.navbar.links[0].label.is_none()
        },
    ),
    (
        "spec: cfg.navbar.primary, cfg.navbar.primary.type, cfg.navbar.primary.label, cfg.navbar.primary.href accepts",
        r#""navbar": {"primary": {"type": "button", "label": "Start", "href": "/start"}}"#,
        |s| {
            s.navbar.primary.as_ref().is_some_and(|button| {
                button.kind == PrimaryKind::Button
                    && button.label.as_deref() == Some("Start")
                    && button.href == "/start"
            })
        },
    ),
    (
        "spec: cfg.footer, cfg.footer.socials accepts",
        r#""footer": {"socials": {"x": "https://x.com/a", "github": "https://github.com/a"}}"#,
        |s| {
            s.footer.socials.len() == 2
                && s.footer.socials[1] == ("github".to_owned(), "https://github.com/a".to_owned())
        },
    ),
    (
        "spec: cfg.footer.links, cfg.footer.links.header, cfg.footer.links.items accepts",
        r#""footer": {"links": [{"header": "More", "items": [{"label": "Blog", "href": "/blog"}]}]}"#,
        |s| {
            s.footer.links[0].header.as_deref() == Some("More")
                && s.footer.links[0].items.len() == 1
        },
    ),
    (
        "spec: cfg.footer.links.items.label, cfg.footer.links.items.href accepts",
        r#""footer": {"links": [{"items": [{"label": "Mail", "href": "mailto:a@example.org"}]}]}"#,
        |s| {
            let item = &s.footer.links[0].items[0];
            item.label == "Mail" && item.href == "mailto:a@example.org"
        },
    ),
    (
        "spec: cfg.banner, cfg.banner.content accepts",
        r#""banner": {"content": "**New**"}"#,
        |s| {
            s.banner.as_ref().is_some_and(|banner| {
                banner.content == "**New**"
                    && !banner.dismissible
                    && banner.kind == BannerKind::Info
            })
        },
    ),
    (
        "spec: cfg.banner.dismissible, cfg.banner.type, cfg.banner.color accepts",
        r##""banner": {"content": "x", "dismissible": true, "type": "critical", "color": {"dark": "#123456"}}"##,
        |s| {
            s.banner.as_ref().is_some_and(|banner| {
                banner.dismissible
                    && banner.kind == BannerKind::Critical
                    && banner
                        .color
                        .as_ref()
                        .is_some_and(|color| color.dark.as_deref() == Some("#123456"))
            })
        },
    ),
];

#[test]
fn header_footer_and_banner_have_the_written_values() {
    check(ROWS);
}

// spec: nav.language.banner, nav.language.footer, nav.language.navbar accepts
#[test]
fn a_language_overrides_header_footer_and_banner_of_the_site() {
    let decoded = site(
        r#""navigation": {"languages": [{"language": "fr", "pages": ["a"],
            "banner": {"content": "Bonjour", "dismissible": true},
            "footer": {"socials": {"x": "https://x.com/fr"}},
            "navbar": {"primary": {"type": "github", "href": "https://github.com/a"}}}]},
        "banner": {"content": "Hello"}"#,
    );
    let Children::Elements(_, languages) = &decoded.navigation.children else {
        panic!("no languages")
    };
    let french = &languages[0];
    assert!(
        french
            .banner
            .as_ref()
            .is_some_and(|own| own.content == "Bonjour" && own.dismissible)
    );
    assert_eq!(french.footer.as_ref().map(|own| own.socials.len()), Some(1));
    assert!(
        french
            .navbar
            .as_ref()
            .is_some_and(|own| own.primary.is_some())
    );
    assert_eq!(
        decoded.banner.map(|own| own.content).as_deref(),
        Some("Hello")
    );
    assert!(decoded.footer.socials.is_empty());
}
