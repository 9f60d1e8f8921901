//! The elements of the navigation.

use svc_config::{
    Children, Directory, Element, ElementKind, LANGUAGE_CODES, Navigation, PageEntry,
};
use svc_diagnostics::SourceFile;

use crate::site;

fn navigation(json: &str) -> Navigation {
    site(&format!("\"navigation\": {json}")).navigation
}

/// The first element of a kind, at the root or in the only tab around it.
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
        let Children::Elements(found, mut elements) = children else {
            panic!("{json}")
        };
        let first = elements.remove(0);
        if found == kind {
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
fn every_pattern_may_stand_at_the_root() {
    assert!(
        matches!(navigation(r#"{"pages": ["a"]}"#).children, Children::Pages(pages) if pages.len() == 1)
    );
    for kind in DIVISIONS.iter().chain(&[ElementKind::Group]) {
        let found = element(*kind, r#""pages": ["a"]"#);
        let name = if *kind == ElementKind::Language {
            "en"
        } else {
            "N"
        };
        assert_eq!((found.kind, found.name.as_str()), (*kind, name));
    }
}

// spec: nav.tab.groups, nav.menu.groups, nav.anchor.groups, nav.product.groups, nav.dropdown.groups accepts
// spec: nav.tab.pages, nav.menu.pages, nav.anchor.pages, nav.product.pages, nav.dropdown.pages accepts
// spec: nav.version.content, nav.language.content accepts
#[test]
fn every_division_holds_groups_or_pages() {
    for kind in DIVISIONS {
        let found = element(kind, r#""groups": [{"group": "G", "pages": ["a", "b"]}]"#);
        assert!(
            matches!(&found.children, Children::Elements(ElementKind::Group, inner) if inner[0].name == "G")
        );
        let found = element(kind, r#""pages": ["a", "b"]"#);
        assert!(matches!(&found.children, Children::Pages(pages) if pages.len() == 2));
    }
}

// spec: nav.tab.icon, nav.menu.icon, nav.anchor.icon, nav.product.icon, nav.dropdown.icon, nav.group.icon accepts
// spec: nav.tab.openapi, nav.anchor.openapi, nav.group.openapi, nav.group.tag, nav.version.tag accepts
// spec: nav.hidden, nav.searchable, nav.public, nav.boost accepts
#[test]
fn every_element_carries_the_common_fields() {
    for kind in DIVISIONS.iter().chain(&[ElementKind::Group]) {
        let found = element(
            *kind,
            r#""icon": "house", "tag": "NEW", "hidden": true, "searchable": false, "public": true,
               "boost": 1.5, "directory": "card", "openapi": "a.json", "pages": ["a"]"#,
        );
        assert_eq!(found.icon.map(|icon| icon.name).as_deref(), Some("house"));
        assert_eq!(found.tag.as_deref(), Some("NEW"));
        assert_eq!(
            (found.hidden, found.searchable, found.public),
            (Some(true), Some(false), Some(true))
        );
        assert_eq!(
            (found.boost, found.directory),
            (Some(1.5), Some(Directory::Card))
        );
        assert_eq!(
            found.openapi.map(|own| own.sources),
            Some(vec!["a.json".to_owned()])
        );
    }
}

// spec: nav.tab.href, nav.menu.href, nav.anchor.href, nav.product.href, nav.dropdown.href accepts
// spec: nav.menu.description, nav.product.description, nav.anchor.color accepts
#[test]
fn every_division_may_be_a_link_with_a_line_and_a_colour() {
    for kind in DIVISIONS {
        let found = element(
            kind,
            r##""href": "changelog", "description": "One line", "color": {"light": "#abc"}"##,
        );
        assert_eq!(found.href.as_deref(), Some("/changelog"));
        assert_eq!(found.description.as_deref(), Some("One line"));
        assert_eq!(
            found.color.and_then(|color| color.light).as_deref(),
            Some("#aabbcc")
        );
        assert_eq!(found.children, Children::None);
    }
}

// spec: nav.page, nav.page.path, nav.group.pages, nav.group.root, nav.group.expanded, nav.group.directory accepts
#[test]
fn groups_hold_paths_and_groups_a_root_and_whether_they_are_open() {
    let found = element(
        ElementKind::Group,
        r#""root": "/r", "directory": "accordion", "pages": ["/x//y/../z", {"group": "H", "expanded": true, "pages": ["b"]}]"#,
    );
    assert_eq!(found.root.map(|root| root.path).as_deref(), Some("r"));
    assert_eq!(found.directory, Some(Directory::Accordion));
    let Children::Pages(entries) = found.children else {
        panic!("no pages")
    };
    assert!(matches!(&entries[0], PageEntry::Page(page) if page.path == "x/z"));
    assert!(
        matches!(&entries[1], PageEntry::Group(group) if group.name == "H" && group.expanded == Some(true))
    );
}

// spec: nav.tab.align, nav.tab.menu, nav.menu.name, nav.tab.directory, nav.element.version accepts
#[test]
fn a_tab_has_a_side_a_menu_and_a_folder_for_its_document() {
    let found = element(
        ElementKind::Tab,
        r#""align": "end", "version": "v3", "menu": [{"item": "I", "pages": ["a"]}]"#,
    );
    assert!(found.align_end);
    assert_eq!(found.version.as_deref(), Some("v3"));
    assert!(
        matches!(&found.children, Children::Elements(ElementKind::MenuItem, items) if items[0].name == "I")
    );
    let found = element(
        ElementKind::Tab,
        r#""openapi": "a.json", "directory": "reference""#,
    );
    assert_eq!(
        found.openapi.and_then(|own| own.directory).as_deref(),
        Some("reference")
    );
    assert_eq!(found.directory, None);
}

// spec: nav.product.name accepts
#[test]
fn a_product_has_a_name_for_readers() {
    let found = element(ElementKind::Product, r#""name": "Shown", "pages": ["a"]"#);
    assert_eq!(
        (found.name.as_str(), found.display_name.as_deref()),
        ("N", Some("Shown"))
    );
}

// spec: nav.version.default, nav.language.default accepts
#[test]
fn a_version_or_a_language_says_that_it_is_the_default() {
    for kind in [ElementKind::Version, ElementKind::Language] {
        assert!(element(kind, r#""default": true, "pages": ["a"]"#).default);
        assert!(!element(kind, r#""pages": ["a"]"#).default);
    }
}

// spec: nav.global, nav.global.anchor.name, nav.global.anchor.icon, nav.global.anchor.href accepts
#[test]
fn global_anchors_are_links_on_all_pages() {
    let found = navigation(
        r#"{"pages": ["a"], "global": {"anchors": [
            {"anchor": "Blog", "icon": "house", "href": "https://example.org"}, {"anchor": "Log", "href": "changelog"}]}}"#,
    );
    let links: Vec<(&str, Option<&str>)> = found
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
    assert!(found.global[0].icon.is_some());
}

// spec: nav.rule.8 accepts
#[test]
fn the_thirty_codes_are_known_in_any_case() {
    let codes = [
        "ar", "ca", "cs", "cn", "zh-Hant", "da", "nl", "en", "fi", "fr", "de", "he", "hi", "hu",
        "id", "it", "jp", "ko", "lv", "no", "pl", "pt-BR", "ro", "ru", "es", "sv", "tr", "uk",
        "uz", "vi",
    ];
    for code in codes {
        assert!(LANGUAGE_CODES.contains(&code), "{code}");
        let upper = code.to_uppercase();
        let found = navigation(&format!(
            r#"{{"languages": [{{"language": "{upper}", "pages": ["a"]}}]}}"#
        ));
        assert!(matches!(found.children, Children::Elements(_, all) if all[0].name == code));
    }
}

// spec: nav.rule.6, nav.root.single refuses
#[test]
fn of_two_kinds_at_one_level_the_first_in_order_counts_and_the_other_is_named() {
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
        let text = crate::document(&format!(
            "\"navigation\": {{{},\n{}}}",
            member(pair[0]),
            member(pair[1])
        ));
        let found = svc_config::parse(&SourceFile::new("docs.json", text), &|_| None);
        let [problem] = &found.diagnostics[..] else {
            panic!("{pair:?}: {:?}", found.diagnostics)
        };
        assert_eq!(problem.code.id, "nav-mixed-patterns");
        assert_eq!(problem.pointer, Some(format!("/navigation/{}", pair[1])));
        assert_eq!(problem.location.as_ref().unwrap().start.line, 2);
        let kept = found.value.unwrap().navigation.children;
        assert!(matches!(kept, Children::Elements(kind, _) if kind.array_key() == pair[0]));
    }
}
