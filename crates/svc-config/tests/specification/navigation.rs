//! Tests of the elements of the navigation.

use svc_config::{
    Children, Directory, Element, ElementKind, LANGUAGE_CODES, Navigation, PageEntry,
};
use svc_diagnostics::SourceFile;

use crate::specification::site;

fn navigation(json: &str) -> Navigation {
    site(&format!("\"navigation\": {json}")).navigation
}

/// The first element of a kind, at the root or in the only tab.
fn element(kind: ElementKind, fields: &str) -> Element {
    let key = kind.array_key();
    let name = kind.name_key();
    let value = if kind == ElementKind::Language {
        "en"
    } else {
        "N"
    };
    let list = format!("{{\"{key}\": [{{\"{name}\": \"{value}\", {fields}}}]}}");
    let json = if kind == ElementKind::MenuItem {
        format!(
            "{{\"tabs\": [{{\"tab\": \"T\", {}]}}",
            list.trim_start_matches('{')
        )
    } else {
        list
    };
    let mut children = navigation(&json).children;
    loop {
        let Children::Elements(decoded, mut elements) = children else {
            panic!("{json}")
        };
        let first = elements.remove(0);
        if decoded == kind {
            return first;
        }
        children = first.children;
    }
}

const DIVISIONS: [ElementKind; 7] = [
    ElementKind::Tab,
    ElementKind::MenuItem,
    ElementKind::Anchor,
    ElementKind::Dropdown,
    ElementKind::Product,
    ElementKind::Version,
    ElementKind::Language,
];

// spec: nav.navigation, nav.root.pages, nav.root.groups, nav.root.tabs, nav.root.anchors accepts
// spec: nav.root.dropdowns, nav.root.products, nav.root.versions, nav.root.languages accepts
// spec: nav.group.name, nav.tab.name, nav.anchor.name, nav.dropdown.name, nav.product.name accepts
// spec: nav.version.name, nav.language.name accepts
#[test]
fn every_kind_of_children_is_allowed_at_the_root() {
    assert!(
        matches!(navigation(r#"{"pages": ["a"]}"#).children, Children::Pages(pages) if pages.len() == 1)
    );
    for kind in DIVISIONS.iter().chain(&[ElementKind::Group]) {
        let decoded = element(*kind, r#""pages": ["a"]"#);
        let name = if *kind == ElementKind::Language {
            "en"
        } else {
            "N"
        };
        assert_eq!((decoded.kind, decoded.name.as_str()), (*kind, name));
    }
}

// spec: nav.tab.groups, nav.menu.groups, nav.anchor.groups, nav.product.groups, nav.dropdown.groups accepts
// spec: nav.tab.pages, nav.menu.pages, nav.anchor.pages, nav.product.pages, nav.dropdown.pages accepts
// spec: nav.version.content, nav.language.content accepts
#[test]
fn every_division_contains_groups_or_pages() {
    for kind in DIVISIONS {
        let decoded = element(kind, r#""groups": [{"group": "G", "pages": ["a", "b"]}]"#);
        assert!(
            matches!(&decoded.children, Children::Elements(ElementKind::Group, inner) if inner[0].name == "G")
        );
        let decoded = element(kind, r#""pages": ["a", "b"]"#);
        assert!(matches!(&decoded.children, Children::Pages(pages) if pages.len() == 2));
    }
}

// spec: nav.tab.icon, nav.menu.icon, nav.anchor.icon, nav.product.icon, nav.dropdown.icon, nav.group.icon accepts
// spec: nav.tab.openapi, nav.anchor.openapi, nav.group.openapi, nav.group.tag, nav.version.tag accepts
// spec: nav.hidden, nav.searchable, nav.public, nav.boost accepts
#[test]
fn every_element_carries_the_common_fields() {
    for kind in DIVISIONS.iter().chain(&[ElementKind::Group]) {
        let decoded = element(
            *kind,
            r#""icon": "house", "tag": "NEW", "hidden": true, "searchable": false, "public": true,
               "boost": 1.5, "directory": "card", "openapi": "a.json", "pages": ["a"]"#,
        );
        assert_eq!(decoded.icon.map(|icon| icon.name).as_deref(), Some("house"));
        assert_eq!(decoded.tag.as_deref(), Some("NEW"));
        assert_eq!(
            (decoded.hidden, decoded.searchable, decoded.public),
            (Some(true), Some(false), Some(true))
        );
        assert_eq!(
            (decoded.boost, decoded.directory),
            (Some(1.5), Some(Directory::Card))
        );
        assert_eq!(
            decoded.openapi.map(|own| own.sources),
            Some(vec!["a.json".to_owned()])
        );
    }
}

// spec: nav.tab.href, nav.menu.href, nav.anchor.href, nav.product.href, nav.dropdown.href accepts
// spec: nav.menu.description, nav.product.description, nav.anchor.color accepts
#[test]
fn every_division_can_be_a_link_with_a_description_and_a_color() {
    for kind in DIVISIONS {
        let decoded = element(
            kind,
            r##""href": "changelog", "description": "One line", "color": {"light": "#abc"}"##,
        );
        assert_eq!(decoded.href.as_deref(), Some("/changelog"));
        assert_eq!(decoded.description.as_deref(), Some("One line"));
        assert_eq!(
            decoded.color.and_then(|color| color.light).as_deref(),
            Some("#aabbcc")
        );
        assert_eq!(decoded.children, Children::None);
    }
}

// spec: nav.page, nav.page.path, nav.group.pages, nav.group.root, nav.group.expanded, nav.group.directory accepts
#[test]
fn groups_contain_pages_and_groups_and_have_a_root_and_expanded() {
    let decoded = element(
        ElementKind::Group,
        r#""root": "/r", "directory": "accordion", "pages": ["/x//y/../z", {"group": "H", "expanded": true, "pages": ["b"]}]"#,
    );
    assert_eq!(decoded.root.map(|root| root.path).as_deref(), Some("r"));
    assert_eq!(decoded.directory, Some(Directory::Accordion));
    let Children::Pages(entries) = decoded.children else {
        panic!("no pages")
    };
    assert!(matches!(&entries[0], PageEntry::Page(page) if page.path == "x/z"));
    assert!(
        matches!(&entries[1], PageEntry::Group(group) if group.name == "H" && group.expanded == Some(true))
    );
}

// spec: nav.tab.align, nav.tab.menu, nav.menu.name, nav.tab.directory, nav.element.version accepts
#[test]
fn a_tab_has_an_alignment_a_menu_and_a_directory() {
    let decoded = element(
        ElementKind::Tab,
        r#""align": "end", "version": "v3", "menu": [{"item": "I", "pages": ["a"]}]"#,
    );
    assert!(decoded.align_end);
    assert_eq!(decoded.version.as_deref(), Some("v3"));
    assert!(
        matches!(&decoded.children, Children::Elements(ElementKind::MenuItem, items) if items[0].name == "I")
    );
    let decoded = element(
        ElementKind::Tab,
        r#""openapi": "a.json", "directory": "reference""#,
    );
    assert_eq!(
        decoded.openapi.and_then(|own| own.directory).as_deref(),
        Some("reference")
    );
    assert_eq!(decoded.directory, None);
}

// spec: nav.product.name accepts
#[test]
fn a_product_has_a_display_name() {
    let decoded = element(ElementKind::Product, r#""name": "Shown", "pages": ["a"]"#);
    assert_eq!(
        (decoded.name.as_str(), decoded.display_name.as_deref()),
        ("N", Some("Shown"))
    );
}

// spec: nav.version.default, nav.language.default accepts
#[test]
fn a_version_or_a_language_can_be_the_default() {
    for kind in [ElementKind::Version, ElementKind::Language] {
        assert!(element(kind, r#""default": true, "pages": ["a"]"#).default);
        assert!(!element(kind, r#""pages": ["a"]"#).default);
    }
}

// spec: nav.global, nav.global.anchor.name, nav.global.anchor.icon, nav.global.anchor.href accepts
#[test]
fn global_anchors_are_links_on_all_pages() {
    let decoded = navigation(
        r#"{"pages": ["a"], "global": {"anchors": [
            {"anchor": "Blog", "icon": "house", "href": "https://example.org"}, {"anchor": "Log", "href": "changelog"}]}}"#,
    );
    let links: Vec<(&str, Option<&str>)> = decoded
        .global
        .iter()
        .map(|link| (link.name.as_str(), link.href.as_deref()))
        .collect();
    assert_eq!(
        links,
        [
            ("Blog", Some("https://example.org")),
            ("Log", Some("/changelog"))
        ]
    );
    assert!(decoded.global[0].icon.is_some());
}

// spec: nav.rule.8 accepts
#[test]
fn the_thirty_language_codes_are_known_in_any_case() {
    let codes = [
        "ar", "ca", "cs", "cn", "zh-Hant", "da", "nl", "en", "fi", "fr", "de", "he", "hi", "hu",
        "id", "it", "jp", "ko", "lv", "no", "pl", "pt-BR", "ro", "ru", "es", "sv", "tr", "uk",
        "uz", "vi",
    ];
    for code in codes {
        assert!(LANGUAGE_CODES.contains(&code), "{code}");
        let upper = code.to_uppercase();
        let decoded = navigation(&format!(
            r#"{{"languages": [{{"language": "{upper}", "pages": ["a"]}}]}}"#
        ));
        assert!(matches!(decoded.children, Children::Elements(_, all) if all[0].name == code));
    }
}

// spec: nav.rule.6, nav.root.single refuses
#[test]
fn the_first_of_two_kinds_at_one_level_is_used_and_the_other_is_reported() {
    let order = [
        "products",
        "languages",
        "versions",
        "tabs",
        "dropdowns",
        "anchors",
        "groups",
        "pages",
    ];
    let member = |key: &str| match key {
        "pages" => "\"pages\": [\"a\"]".to_owned(),
        "languages" => "\"languages\": [{\"language\": \"en\", \"pages\": [\"a\"]}]".to_owned(),
        _ => format!(
            "\"{key}\": [{{\"{}\": \"N\", \"pages\": [\"a\"]}}]",
            key.trim_end_matches('s')
        ),
    };
    for pair in order.windows(2) {
        let text = crate::specification::document(&format!(
            "\"navigation\": {{{},\n{}}}",
            member(pair[0]),
            member(pair[1])
        ));
        let checked = svc_config::parse(&SourceFile::new("docs.json", text), &|_| None);
        let [problem] = &checked.diagnostics[..] else {
            panic!("{pair:?}: {:?}", checked.diagnostics)
        };
        assert_eq!(problem.code.id, "nav-mixed-patterns");
        assert_eq!(problem.pointer, Some(format!("/navigation/{}", pair[1])));
        assert_eq!(problem.location.as_ref().unwrap().start.line, 2);
        let retained = checked.value.unwrap().navigation.children;
        assert!(matches!(retained, Children::Elements(kind, _) if kind.array_key() == pair[0]));
    }
}
