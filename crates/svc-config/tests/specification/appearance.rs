//! Tests of the look.

use svc_config::{
    ColorMode, Decoration, Eyebrows, FontFormat, IconLibrary, SiteConfig, Theme, ThumbnailMode,
};

use crate::specification::{Row, check, site};

static ROWS: &[Row] = &[
    (
        "spec: cfg.schema accepts",
        r#""$schema": "https://example.org/docs.json""#,
        |_| true,
    ),
    ("spec: cfg.theme accepts", r#""theme": "luma""#, |s| {
        s.theme == Theme::Luma
    }),
    ("spec: cfg.theme.alias accepts", r#""theme": "mint""#, |s| {
        s.theme == Theme::Svc
    }),
    ("spec: cfg.name accepts", r#""name": " Acme ""#, |s| {
        s.name == "Acme"
    }),
    (
        "spec: cfg.description accepts",
        r#""description": "One line""#,
        |s| s.description.as_deref() == Some("One line"),
    ),
    ("spec: cfg.public accepts", r#""public": false"#, |s| {
        s.public == Some(false)
    }),
    (
        "spec: cfg.colors, cfg.colors.primary accepts",
        r##""colors": {"primary": "#05A"}"##,
        |s| s.colors.primary == "#0055aa" && s.colors.light.is_none() && s.colors.dark.is_none(),
    ),
    (
        "spec: cfg.colors.light, cfg.colors.dark accepts",
        r##""colors": {"primary": "#0a7d4f", "light": "#4ade80", "dark": "#166534"}"##,
        |s| {
            s.colors.light.as_deref() == Some("#4ade80")
                && s.colors.dark.as_deref() == Some("#166534")
        },
    ),
    ("spec: cfg.logo accepts", r#""logo": "/l.svg""#, |s| {
        s.logo.as_ref().is_some_and(|logo| {
            logo.light == "/l.svg" && logo.dark == "/l.svg" && logo.href.is_none()
        })
    }),
    (
        "spec: cfg.logo.light, cfg.logo.dark, cfg.logo.href accepts",
        r#""logo": {"light": "/l.svg", "dark": "/d.svg", "href": "https://example.org"}"#,
        |s| {
            s.logo.as_ref().is_some_and(|logo| {
                logo.light == "/l.svg"
                    && logo.dark == "/d.svg"
                    && logo.href.as_deref() == Some("https://example.org")
            })
        },
    ),
    ("spec: cfg.favicon accepts", r#""favicon": "/f.png""#, |s| {
        s.favicon
            .as_ref()
            .is_some_and(|icon| icon.light == "/f.png" && icon.dark == "/f.png")
    }),
    (
        "spec: cfg.favicon.light, cfg.favicon.dark accepts",
        r#""favicon": {"light": "/l.png", "dark": "/d.png"}"#,
        |s| {
            s.favicon
                .as_ref()
                .is_some_and(|icon| icon.light == "/l.png" && icon.dark == "/d.png")
        },
    ),
    (
        "spec: cfg.appearance, cfg.appearance.default, cfg.appearance.strict accepts",
        r#""appearance": {"default": "dark", "strict": true}"#,
        |s| s.appearance.default == ColorMode::Dark && s.appearance.strict,
    ),
    (
        "spec: cfg.fonts, cfg.fonts.family, cfg.fonts.weight accepts",
        r#""fonts": {"family": "Inter", "weight": 412.5, "source": "/fonts/inter.woff2", "format": "woff2"}"#,
        |s| {
            let font = s.fonts.body.as_ref();
            s.fonts.heading == s.fonts.body
                && font.is_some_and(|font| font.family == "Inter" && font.weight == Some(412.5))
        },
    ),
    (
        "spec: cfg.fonts.source, cfg.fonts.format accepts",
        r#""fonts": {"family": "Own", "source": "/fonts/own.woff2", "format": "woff2"}"#,
        |s| {
            s.fonts.body.as_ref().is_some_and(|font| {
                font.source.as_deref() == Some("fonts/own.woff2")
                    && font.format == Some(FontFormat::Woff2)
            })
        },
    ),
    (
        "spec: cfg.fonts.heading accepts",
        r#""fonts": {"heading": {"family": "Head"}}"#,
        |s| {
            s.fonts
                .heading
                .as_ref()
                .is_some_and(|font| font.family == "Head")
                && s.fonts.body.is_none()
        },
    ),
    (
        "spec: cfg.fonts.body accepts",
        r#""fonts": {"family": "All", "body": {"family": "Text", "weight": 300}}"#,
        |s| {
            s.fonts
                .heading
                .as_ref()
                .is_some_and(|font| font.family == "All")
                && s.fonts
                    .body
                    .as_ref()
                    .is_some_and(|font| font.family == "Text" && font.weight == Some(300.0))
        },
    ),
    (
        "spec: cfg.icons, cfg.icons.library accepts",
        r#""icons": {"library": "tabler"}"#,
        |s| s.icons == IconLibrary::Tabler,
    ),
    (
        "spec: cfg.background, cfg.background.decoration accepts",
        r#""background": {"decoration": "windows"}"#,
        |s| s.background.decoration == Some(Decoration::Windows),
    ),
    (
        "spec: cfg.background.color.light, cfg.background.color.dark accepts",
        r##""background": {"color": {"light": "#fff", "dark": "#0B0C0E"}}"##,
        |s| {
            s.background.color.light.as_deref() == Some("#ffffff")
                && s.background.color.dark.as_deref() == Some("#0b0c0e")
        },
    ),
    (
        "spec: cfg.background.image accepts",
        r#""background": {"image": "/b.png"}"#,
        |s| {
            s.background
                .image
                .as_ref()
                .is_some_and(|image| image.light == "/b.png" && image.dark == "/b.png")
        },
    ),
    (
        "spec: cfg.background.image.light, cfg.background.image.dark accepts",
        r#""background": {"image": {"light": "/l.png", "dark": "/d.png"}}"#,
        |s| {
            s.background
                .image
                .as_ref()
                .is_some_and(|image| image.light == "/l.png" && image.dark == "/d.png")
        },
    ),
    (
        "spec: cfg.styling, cfg.styling.eyebrows, cfg.styling.latex accepts",
        r#""styling": {"eyebrows": "breadcrumbs", "latex": false}"#,
        |s| s.styling.eyebrows == Some(Eyebrows::Breadcrumbs) && s.styling.latex == Some(false),
    ),
    (
        "spec: cfg.styling.codeblocks accepts",
        r#""styling": {"codeblocks": "dark"}"#,
        |s| s.styling.codeblocks.always_dark,
    ),
    (
        "spec: cfg.styling.codeblocks accepts",
        r#""styling": {"codeblocks": "nord"}"#,
        |s| themes(s) == (Some("nord"), Some("nord")),
    ),
    (
        "spec: cfg.styling.codeblocks accepts",
        r#""styling": {"codeblocks": "system"}"#,
        |s| themes(s) == (None, None) && !s.styling.codeblocks.always_dark,
    ),
    (
        "spec: cfg.styling.codeblocks.theme accepts",
        r#""styling": {"codeblocks": {"theme": "nord"}}"#,
        |s| themes(s) == (Some("nord"), Some("nord")),
    ),
    (
        "spec: cfg.styling.codeblocks.theme.light, cfg.styling.codeblocks.theme.dark accepts",
        r#""styling": {"codeblocks": {"theme": {"light": "one-light", "dark": "nord"}}}"#,
        |s| themes(s) == (Some("one-light"), Some("nord")),
    ),
    (
        "spec: cfg.styling.codeblocks.languages accepts",
        r#""styling": {"codeblocks": {"languages": {"custom": ["/x.json"]}}}"#,
        |s| s.styling.codeblocks.custom_languages == ["/x.json"],
    ),
    (
        "spec: cfg.thumbnails, cfg.thumbnails.appearance, cfg.thumbnails.background, cfg.thumbnails.fonts accepts",
        r#""fonts": {"family": "Inter", "source": "/fonts/inter.woff2", "format": "woff2"},
            "thumbnails": {"appearance": "dark", "background": "/t.png", "fonts": {"family": "Inter"}}"#,
        |s| {
            let decoded = &s.thumbnails;
            decoded.appearance == Some(ThumbnailMode::Dark)
                && decoded.background.as_deref() == Some("/t.png")
                && decoded.font_family.as_deref() == Some("Inter")
        },
    ),
];

fn themes(site: &SiteConfig) -> (Option<&str>, Option<&str>) {
    let blocks = &site.styling.codeblocks;
    (blocks.light_theme.as_deref(), blocks.dark_theme.as_deref())
}

#[test]
fn keys_of_the_look_have_the_written_values() {
    check(ROWS);
}

// spec: cfg.theme accepts
#[test]
fn all_nine_themes_are_known() {
    let names = [
        "svc", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma",
    ];
    for name in names {
        assert_eq!(site(&format!("\"theme\": \"{name}\"")).theme.name(), name);
    }
    assert_eq!(Theme::ALL.len(), names.len());
}

// spec: cfg.appearance.default, cfg.appearance.strict, cfg.icons.library accepts
// spec: cfg.styling.latex, cfg.thumbnails.appearance accepts
#[test]
fn missing_keys_have_their_defaults() {
    let decoded = site("");
    assert_eq!(decoded.appearance.default, ColorMode::System);
    assert!(!decoded.appearance.strict);
    assert_eq!(decoded.icons, IconLibrary::FontAwesome);
    assert_eq!(
        (decoded.styling.latex, decoded.thumbnails.appearance),
        (None, None)
    );
    assert!(
        decoded.logo.is_none() && decoded.favicon.is_none() && decoded.background.image.is_none()
    );
    assert_eq!(themes(&decoded), (None, None));
}

// spec: cfg.icon, cfg.icon.name, cfg.icon.style, cfg.icon.library accepts
#[test]
fn an_icon_is_a_name_a_path_a_url_or_an_object() {
    for (written, name, style, library) in [
        (r#""house""#, "house", None, None),
        (r#""/icons/a.svg""#, "/icons/a.svg", None, None),
        (
            r#""https://example.org/a.svg""#,
            "https://example.org/a.svg",
            None,
            None,
        ),
        (
            r#"{"name": "house", "style": "thin", "library": "fontawesome"}"#,
            "house",
            Some("thin"),
            Some("fontawesome"),
        ),
    ] {
        let member = format!(
            r#""navigation": {{"groups": [{{"group": "G", "icon": {written}, "pages": ["a"]}}]}}"#
        );
        let decoded = site(&member);
        let svc_config::Children::Elements(_, groups) = &decoded.navigation.children else {
            panic!("no groups")
        };
        let icon = groups[0].icon.as_ref().unwrap();
        assert_eq!(
            (
                icon.name.as_str(),
                icon.style.as_deref(),
                icon.library.as_deref()
            ),
            (name, style, library)
        );
    }
}
