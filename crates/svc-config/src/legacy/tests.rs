//! Tests of the conversion of `mint.json`.

use crate::{
    Children, ElementKind, PrimaryKind, SiteConfig, Theme,
    tests::{pointers, site_with},
};

fn legacy(text: &str) -> (SiteConfig, Vec<String>) {
    let checked = site_with(&[("mint.json", text)]);
    let list = pointers(&checked);
    (checked.value.unwrap(), list)
}

#[test]
fn a_typical_file_loads_with_one_diagnostic() {
    let (site, problems) = legacy(
        r##"{
  "$schema": "https://mintlify.com/schema.json",
  "name": "Acme",
  "logo": {"light": "/l.svg", "dark": "/d.svg"},
  "favicon": "/f.svg",
  "layout": "sidenav",
  "colors": {"primary": "#0af", "background": {"light": "#fff", "dark": "#000"}, "anchors": {"from": "#1", "to": "#2"}},
  "font": {"headings": {"family": "H", "weight": 600, "url": "/h.woff"}, "body": {"family": "B"}},
  "topbarLinks": [{"name": "Blog", "url": "https://a.b"}],
  "topbarCtaButton": {"type": "link", "name": "Go", "url": "https://a.b"},
  "footerSocials": [{"type": "x", "url": "https://x.com/a"}],
  "modeToggle": {"default": "dark", "isHidden": true},
  "eyebrow": {"display": "breadcrumbs"},
  "codeBlock": {"mode": "dark"},
  "backgroundImage": "/b.png",
  "background": {"style": "grid"},
  "metadata": {"og:image": "i"},
  "seo": {"indexHiddenPages": true},
  "analytics": {"ga4": {"measurementId": "G-1"}},
  "openapi": "o.json",
  "api": {"baseUrl": "https://api.a.b", "auth": {"method": "bearer"}, "playground": {"mode": "hide", "disableProxy": true}, "request": {"example": {"languages": ["curl"]}}},
  "feedback": {"thumbsRating": true},
  "sidebar": {"items": "card"},
  "primaryTab": {"name": "Docs"},
  "tabs": [{"name": "API", "url": "api"}, {"name": "Blog", "url": "https://a.b"}],
  "anchors": [{"name": "Chat", "icon": "discord", "iconType": "brands", "url": "https://d.c", "color": {"from": "#1"}}],
  "navigation": [{"group": "Start", "pages": ["index"]}, {"group": "Ref", "icon": "x", "iconType": "solid", "pages": [{"group": "In", "pages": ["api/a"]}]}]
}"##,
    );
    assert_eq!(problems, [" config-legacy-file"]);
    assert_eq!(site.theme, Theme::Maple);
    assert_eq!(site.colors.primary, "#00aaff");
    assert_eq!(site.background.color.dark.as_deref(), Some("#000000"));
    assert_eq!(site.background.image.unwrap().light, "/b.png");
    assert_eq!(
        site.fonts.heading.unwrap().format,
        Some(crate::FontFormat::Woff)
    );
    assert_eq!(site.navbar.links[0].label.as_deref(), Some("Blog"));
    assert_eq!(site.navbar.primary.unwrap().kind, PrimaryKind::Button);
    assert_eq!(site.footer.socials[0].0, "x");
    assert!(site.appearance.strict && site.styling.codeblocks.always_dark);
    assert!(site.seo.indexing_all && !site.api.playground.proxy);
    assert_eq!(site.seo.metatags.len(), 1);
    assert_eq!(site.integrations.len(), 1);
    assert_eq!(site.api.mdx_servers, ["https://api.a.b"]);
    assert_eq!(site.api.openapi.unwrap().sources, ["o.json"]);
    assert_eq!(
        site.navigation.global[0].href.as_deref(),
        Some("https://d.c")
    );
    let Children::Elements(ElementKind::Tab, tabs) = &site.navigation.children else {
        panic!("no tabs")
    };
    let names: Vec<&str> = tabs.iter().map(|tab| &*tab.name).collect();
    assert_eq!(names, ["Docs", "API", "Blog"]);
    assert_eq!(tabs[2].href.as_deref(), Some("https://a.b"));
    assert!(
        matches!(&tabs[1].children, Children::Elements(ElementKind::Group, groups) if groups.len() == 1)
    );
}

#[test]
fn a_list_of_groups_is_retained_and_colors_have_a_default() {
    let (site, problems) = legacy(r#"{"name":"A","navigation":[{"group":"G","pages":["a"]}]}"#);
    assert_eq!(problems, [" config-legacy-file"]);
    assert_eq!((site.theme, &*site.colors.primary), (Theme::Svc, "#16a34a"));
    assert!(matches!(
        site.navigation.children,
        Children::Elements(ElementKind::Group, _)
    ));
}

#[test]
fn problems_point_into_the_older_file() {
    let checked = site_with(&[(
        "mint.json",
        "{\"name\":\"A\",\n\"topbarLinks\":[{\"name\":\"x\",\"url\":\"a b\"}],\n\"navigation\":[]}",
    )]);
    let url = checked
        .diagnostics
        .iter()
        .find(|d| d.code.id == "config-url")
        .unwrap();
    assert_eq!(url.location_string(), "mint.json:2:34");
}

#[test]
fn values_of_wrong_types_do_not_stop_the_conversion() {
    for value in [
        "1",
        "null",
        "[]",
        "{}",
        "\"x\"",
        "[1]",
        "[{}]",
        "[[]]",
        "{\"a\":{}}",
    ] {
        for key in [
            "theme",
            "layout",
            "colors",
            "font",
            "topbarLinks",
            "topbarCtaButton",
            "footerSocials",
            "footer",
            "modeToggle",
            "eyebrow",
            "codeBlock",
            "background",
            "backgroundImage",
            "metadata",
            "seo",
            "analytics",
            "api",
            "openapi",
            "tabs",
            "anchors",
            "primaryTab",
            "navigation",
        ] {
            let text = format!("{{\"name\":\"A\",\"{key}\":{value}}}");
            assert!(site_with(&[("mint.json", &text)]).value.is_some(), "{text}");
        }
    }
}
