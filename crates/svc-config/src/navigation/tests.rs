//! Tests of the navigation.

use crate::{
    Children, Directory, Element, ElementKind, Navigation, PageEntry,
    tests::{errors_in_navigation, navigation, problems_in_navigation},
};

fn only(navigation: &Navigation) -> &Element {
    match &navigation.children {
        Children::Elements(_, elements) => &elements[0],
        Children::Pages(entries) => match &entries[0] {
            PageEntry::Group(group) => group,
            PageEntry::Page(page) => panic!("a page: {page:?}"),
        },
        Children::None => panic!("nothing"),
    }
}

#[test]
fn every_kind_of_children_is_allowed_at_the_root() {
    for (json, kind, name) in [
        (
            r#"{"groups":[{"group":"N","pages":["a"]}]}"#,
            ElementKind::Group,
            "N",
        ),
        (
            r#"{"tabs":[{"tab":"N","pages":["a"]}]}"#,
            ElementKind::Tab,
            "N",
        ),
        (
            r#"{"anchors":[{"anchor":"N","pages":["a"]}]}"#,
            ElementKind::Anchor,
            "N",
        ),
        (
            r#"{"dropdowns":[{"dropdown":"N","pages":["a"]}]}"#,
            ElementKind::Dropdown,
            "N",
        ),
        (
            r#"{"products":[{"product":"N","name":"M","pages":["a"]}]}"#,
            ElementKind::Product,
            "N",
        ),
        (
            r#"{"versions":[{"version":"N","pages":["a"]}]}"#,
            ElementKind::Version,
            "N",
        ),
        (
            r#"{"languages":[{"language":"PT-br","pages":["a"]}]}"#,
            ElementKind::Language,
            "pt-BR",
        ),
    ] {
        assert_eq!(problems_in_navigation(json), [""; 0], "{json}");
        let decoded = navigation(json);
        assert_eq!((only(&decoded).kind, &*only(&decoded).name), (kind, name));
    }
    let Children::Pages(pages) = navigation(r#"{"pages":["a"]}"#).children else {
        panic!("no pages")
    };
    assert_eq!(pages.len(), 1);
}

#[test]
fn every_field_of_an_element_is_read() {
    let json = r##"{"products":[{"product":"p","name":"P","description":"d","icon":"home","tag":"t","hidden":true,"searchable":true,"public":false,"boost":1.5,"color":{"light":"#fff"},"directory":"card","version":"v1","menu":[{"item":"i","pages":["a"]}]}]}"##;
    assert_eq!(problems_in_navigation(json), [""; 0]);
    let decoded = navigation(json);
    let product = only(&decoded);
    assert_eq!(product.display_name.as_deref(), Some("P"));
    assert_eq!(
        (product.hidden, product.searchable, product.public),
        (Some(true), Some(true), Some(false))
    );
    assert_eq!(
        (product.boost, product.directory),
        (Some(1.5), Some(Directory::Card))
    );
    assert_eq!(product.version.as_deref(), Some("v1"));
    assert_eq!(product.location.span.range().len(), 3);
    assert!(matches!(
        product.children,
        Children::Elements(ElementKind::MenuItem, _)
    ));
}

#[test]
fn groups_nest_in_pages_with_root_and_expanded() {
    let json = r#"{"tabs":[{"tab":"A","align":"end","pages":["a",{"group":"g","root":"/r","expanded":true,"pages":["b",{"group":"h","pages":[]}]}]}]}"#;
    assert_eq!(problems_in_navigation(json), [""; 0]);
    let decoded = navigation(json);
    let tab = only(&decoded);
    assert!(tab.align_end);
    let Children::Pages(entries) = &tab.children else {
        panic!("no pages")
    };
    let PageEntry::Group(group) = &entries[1] else {
        panic!("no group")
    };
    assert_eq!(group.root.as_ref().map(|root| &*root.path), Some("r"));
    assert_eq!(group.expanded, Some(true));
}

#[test]
fn the_first_of_several_kinds_of_children_is_used() {
    let json = r#"{"groups":[{"group":"g","pages":["b"]}],"tabs":[{"tab":"A","pages":["a"]}]}"#;
    assert_eq!(
        errors_in_navigation(json),
        ["/navigation/groups nav-mixed-patterns"]
    );
    assert_eq!(only(&navigation(json)).kind, ElementKind::Tab);
    let json = r#"{"tabs":[{"tab":"A","pages":["a"],"groups":[{"group":"g","pages":["b"]}]}]}"#;
    assert_eq!(
        errors_in_navigation(json),
        ["/navigation/tabs/0/pages nav-mixed-patterns"]
    );
}

#[test]
fn openapi_has_four_forms_and_a_directory() {
    let element = |fields: &str| {
        let json = format!("{{\"groups\":[{{\"group\":\"g\",{fields}}}]}}");
        let decoded = navigation(&json);
        let group = only(&decoded);
        let openapi = group.openapi.clone().unwrap();
        (
            openapi.sources.join(" "),
            openapi.directory,
            group.directory,
        )
    };
    assert_eq!(
        element(r#""openapi":"a.json""#),
        ("a.json".into(), None, None)
    );
    assert_eq!(
        element(r#""openapi":"a","directory":"api""#),
        ("a".into(), Some("api".into()), None)
    );
    assert_eq!(
        element(r#""openapi":"a","directory":"card""#),
        ("a".into(), None, Some(Directory::Card))
    );
    assert_eq!(
        element(r#""openapi":{"source":"a","directory":"own"},"directory":"other""#),
        ("a".into(), Some("own".into()), None)
    );
    let json = r#"{"groups":[{"group":"g","openapi":5,"pages":["a"]}]}"#;
    assert_eq!(
        problems_in_navigation(json),
        ["/navigation/groups/0/openapi config-type-ignored"]
    );
}

#[test]
fn global_links_have_the_order_of_the_file() {
    let json = r#"{"global":{"anchors":[{"anchor":"A","href":"changelog"}],"tabs":[{"tab":"T","href":"https://x.com"}]},"pages":["a"]}"#;
    assert_eq!(problems_in_navigation(json), [""; 0]);
    let decoded = navigation(json).global;
    assert_eq!(decoded[0].href.as_deref(), Some("/changelog"));
    assert_eq!(decoded[1].kind, ElementKind::Tab);
}

#[test]
fn languages_carry_their_own_banner_footer_and_header() {
    let json = r#"{"languages":[{"language":"en","default":true,"banner":{"content":"b"},"footer":{"socials":{"x":"https://x.com"}},"navbar":{"links":[{"label":"l","href":"/l"}]},"global":{"anchors":[{"anchor":"A","href":"/a"}]},"pages":["a"]}]}"#;
    assert_eq!(problems_in_navigation(json), [""; 0]);
    let decoded = navigation(json);
    let language = only(&decoded);
    assert!(language.default && language.banner.is_some() && language.footer.is_some());
    assert_eq!(
        language.navbar.as_ref().map(|navbar| navbar.links.len()),
        Some(1)
    );
    assert_eq!(language.global.len(), 1);
}

#[test]
fn errors_of_the_navigation_have_their_pointers() {
    for (json, expected) in [
        ("{}", "/navigation config-missing"),
        ("[]", "/navigation config-type"),
        (r#"{"groups":[]}"#, "/navigation/groups config-empty"),
        (r#"{"tabs":[]}"#, "/navigation/tabs config-empty"),
        (r#"{"tabs":{}}"#, "/navigation/tabs config-type"),
        (r#"{"groups":["a"]}"#, "/navigation/groups/0 config-type"),
        (
            r#"{"groups":[{"group":"g"}]}"#,
            "/navigation/groups/0/pages nav-group-pages",
        ),
        (
            r#"{"groups":[{"group":"","pages":["a"]}]}"#,
            "/navigation/groups/0/group config-empty",
        ),
        (
            r#"{"groups":[{"pages":["a"]}]}"#,
            "/navigation/groups/0/group config-missing",
        ),
        (
            r#"{"groups":[{"group":"g","directory":"list","pages":["a"]}]}"#,
            "/navigation/groups/0/directory config-invalid-value",
        ),
        (
            r#"{"groups":[{"group":"g","icon":"fa-home","pages":["a"]}]}"#,
            "/navigation/groups/0/icon config-icon",
        ),
        (
            r#"{"languages":[{"language":"xx","pages":["a"]}]}"#,
            "/navigation/languages/0/language config-invalid-value",
        ),
        (
            r#"{"global":{"anchors":[{"anchor":"A"}]},"pages":["a"]}"#,
            "/navigation/global/anchors/0/href config-missing",
        ),
        (
            r#"{"tabs":[{"tab":"A","href":"javascript:x"}]}"#,
            "/navigation/tabs/0/href config-url",
        ),
        (
            r#"{"pages":[{"group":"g","pages":["a"]},5]}"#,
            "/navigation/pages/1 config-type",
        ),
        (r#"{"pages":[""]}"#, "/navigation/pages/0 config-empty"),
        (
            r#"{"versions":[{"version":1,"pages":["a"]}]}"#,
            "/navigation/versions/0/version config-type",
        ),
    ] {
        assert_eq!(errors_in_navigation(json), [expected], "{json}");
    }
    let untitled = r#"{"groups":[{"group":" ","pages":["a"]}]}"#;
    assert!(errors_in_navigation(untitled).is_empty());
}

#[test]
fn warnings_of_the_navigation_have_their_pointers() {
    for (json, expected) in [
        (
            r#"{"pages":["a"],"gruops":[]}"#,
            "/navigation/gruops config-unknown-key",
        ),
        (
            r#"{"global":{"pages":["a"]},"pages":["a"]}"#,
            "/navigation/global/pages config-unknown-key",
        ),
        (
            r#"{"tabs":[{"tab":"A","href":"foo bar"}]}"#,
            "/navigation/tabs/0/href config-url-ignored",
        ),
        (
            r#"{"tabs":[{"tab":"A","href":"/a","pages":["a"]}]}"#,
            "/navigation/tabs/0/pages nav-link-content",
        ),
        (
            r#"{"tabs":[{"tab":"A","menu":[{"item":"i","tabs":[{"tab":"B","pages":["a"]}]}]}]}"#,
            "/navigation/tabs/0/menu/0/tabs nav-menu-content",
        ),
        (
            r#"{"tabs":[{"tab":"A","groups":[]}]}"#,
            "/navigation/tabs/0/groups config-empty-list",
        ),
        (
            r#"{"tabs":[{"sourceRef":"a/b"},{"tab":"A","pages":["a"]}]}"#,
            "/navigation/tabs/0 config-unsupported",
        ),
        (
            r#"{"tabs":[{"tab":"A","asyncapi":"a.yaml"}]}"#,
            "/navigation/tabs/0/asyncapi config-unsupported",
        ),
        (
            r#"{"versions":[{"version":"1","default":true,"pages":["a"]},{"version":"2","default":true,"pages":["b"]}]}"#,
            "/navigation/versions/1 config-duplicate-default",
        ),
    ] {
        assert_eq!(problems_in_navigation(json), [expected], "{json}");
        assert_eq!(errors_in_navigation(json), [""; 0], "{json}");
    }
}

#[test]
fn a_misspelled_key_gets_a_suggestion() {
    let checked = crate::tests::root(r#"{"navigation":{"gruops":[]}}"#);
    let checked = checked
        .diagnostics
        .iter()
        .find(|d| d.code.id == "config-unknown-key")
        .unwrap();
    assert_eq!(checked.hint.as_deref(), Some("did you mean `groups`?"));
}

#[test]
fn groups_without_pages_need_a_document_or_a_root() {
    for json in [
        r#"{"groups":[{"group":"g","openapi":"a.json"}]}"#,
        r#"{"groups":[{"group":"g","root":"a"}]}"#,
        r#"{"products":[]}"#,
        r#"{"dropdowns":[]}"#,
        r#"{"pages":[]}"#,
    ] {
        assert_eq!(problems_in_navigation(json), [""; 0], "{json}");
    }
}

#[test]
fn nesting_as_deep_as_the_parser_allows_does_not_exhaust_the_stack() {
    let levels = 61;
    let open = r#"{"group":"g","pages":["#;
    let json = format!(
        "{{\"pages\":[{}\"a\"{}]}}",
        open.repeat(levels),
        "]}".repeat(levels)
    );
    assert_eq!(problems_in_navigation(&json), [""; 0]);
    let open = r#"{"tab":"g","tabs":["#;
    let json = format!(
        "{{\"tabs\":[{}{}]}}",
        open.repeat(levels),
        "]}".repeat(levels)
    );
    assert_eq!(errors_in_navigation(&json), [""; 0]);
}

#[test]
fn references_do_not_nest_deeper_than_the_limit() {
    let nested = |inner: &str| {
        let open = r#"{"group":"g","pages":["#;
        format!("{}{inner}{}", open.repeat(50), "]}".repeat(50))
    };
    let docs = format!(
        r##"{{"theme":"svc","name":"X","colors":{{"primary":"#000"}},"navigation":{{"pages":[{}]}}}}"##,
        nested(r#"{"$ref":"a.json"}"#)
    );
    let checked = crate::tests::site_with(&[
        ("docs.json", &docs),
        ("a.json", &nested(r#"{"$ref":"b.json"}"#)),
        ("b.json", &nested("\"a\"")),
    ]);
    let codes: Vec<&str> = checked.diagnostics.iter().map(|d| d.code.id).collect();
    assert_eq!(codes, ["config-limit"]);
}
