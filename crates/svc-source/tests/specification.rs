//! Front matter fields, marked with the rows of `docs/contributing/specification.md`.

use svc_diagnostics::{Checked, SourceFile};
use svc_source::{FrontMatter, Mode, SourceTree, front_matter, pages};

/// A field: its mark, an accepted value, the expected result, and a rejected value.
struct Field {
    mark: &'static str,
    accepted: &'static str,
    holds: fn(&FrontMatter) -> bool,
    rejected: Option<&'static str>,
}

const LIST: &str = "[a, b]";

const fn field(
    mark: &'static str,
    accepted: &'static str,
    holds: fn(&FrontMatter) -> bool,
    rejected: &'static str,
) -> Field {
    Field {
        mark,
        accepted,
        holds,
        rejected: Some(rejected),
    }
}

const fn free(
    mark: &'static str,
    accepted: &'static str,
    holds: fn(&FrontMatter) -> bool,
) -> Field {
    Field {
        mark,
        accepted,
        holds,
        rejected: None,
    }
}

fn is(text: Option<&String>, expected: &str) -> bool {
    text.map(String::as_str) == Some(expected)
}

static FIELDS: &[Field] = &[
    field(
        "spec: page.title accepts and refuses",
        "title: \"A: b\"",
        |f| is(f.title.as_ref(), "A: b"),
        LIST,
    ),
    field(
        "spec: page.sidebar-title accepts and refuses",
        "sidebarTitle: Short",
        |f| is(f.sidebar_title.as_ref(), "Short"),
        LIST,
    ),
    field(
        "spec: page.description accepts and refuses",
        "description: One line",
        |f| is(f.description.as_ref(), "One line"),
        LIST,
    ),
    field(
        "spec: page.icon accepts and refuses",
        "icon: {name: rocket, library: lucide, style: thin}",
        |f| {
            is(f.icon.as_ref(), "rocket")
                && is(f.icon_library.as_ref(), "lucide")
                && is(f.icon_type.as_ref(), "thin")
        },
        "{style: thin}",
    ),
    field(
        "spec: page.icon accepts and refuses",
        "icon: /a.svg",
        |f| is(f.icon.as_ref(), "/a.svg"),
        LIST,
    ),
    field(
        "spec: page.icon-type accepts and refuses",
        "iconType: solid",
        |f| is(f.icon_type.as_ref(), "solid"),
        LIST,
    ),
    field(
        "spec: page.tag accepts and refuses",
        "tag: NEW",
        |f| is(f.tag.as_ref(), "NEW"),
        LIST,
    ),
    field(
        "spec: page.mode accepts and refuses",
        "mode: wide",
        |f| f.mode == Mode::Wide,
        "wid",
    ),
    field(
        "spec: page.hidden accepts and refuses",
        "hidden: true",
        |f| f.hidden == Some(true),
        "maybe",
    ),
    field(
        "spec: page.noindex accepts and refuses",
        "noindex: true",
        |f| f.noindex,
        "maybe",
    ),
    field(
        "spec: page.searchable accepts and refuses",
        "searchable: false",
        |f| f.searchable == Some(false),
        "maybe",
    ),
    field(
        "spec: page.boost accepts and refuses",
        "boost: 1.5",
        |f| f.boost == Some(1.5),
        "high",
    ),
    field(
        "spec: page.deprecated accepts and refuses",
        "deprecated: \"true\"",
        |f| f.deprecated,
        "maybe",
    ),
    field(
        "spec: page.version accepts and refuses",
        "version: v2",
        |f| is(f.version.as_ref(), "v2"),
        LIST,
    ),
    field(
        "spec: page.url accepts and refuses",
        "url: https://example.org",
        |f| is(f.url.as_ref(), "https://example.org"),
        LIST,
    ),
    free(
        "spec: page.groups accepts",
        "groups: [admin, {includes: [staff]}]",
        |f| f.groups.as_deref() == Some(&["admin".to_owned(), "staff".to_owned()]),
    ),
    field(
        "spec: page.public accepts and refuses",
        "public: true",
        |f| f.public == Some(true),
        "maybe",
    ),
    field(
        "spec: page.public accepts and refuses",
        "isPublic: true",
        |f| f.public == Some(true),
        "maybe",
    ),
    free("spec: page.keywords accepts", "keywords: a, b", |f| {
        f.keywords == ["a", "b"]
    }),
    free("spec: page.keywords accepts", "keywords: [a, b]", |f| {
        f.keywords == ["a", "b"]
    }),
    field(
        "spec: page.timestamp accepts and refuses",
        "timestamp: false",
        |f| f.timestamp == Some(false),
        "maybe",
    ),
    field(
        "spec: page.canonical accepts and refuses",
        "canonical: https://example.org/a",
        |f| is(f.canonical.as_ref(), "https://example.org/a"),
        LIST,
    ),
    field(
        "spec: page.robots accepts and refuses",
        "robots: noarchive",
        |f| is(f.robots.as_ref(), "noarchive"),
        LIST,
    ),
    free("spec: page.og accepts", "\"og:title\": Shared", |f| {
        is(f.extra("og:title").as_ref(), "Shared")
    }),
    free("spec: page.og accepts", "\"twitter:card\": summary", |f| {
        is(f.extra("twitter:card").as_ref(), "summary")
    }),
    field(
        "spec: page.hide-footer-pagination accepts and refuses",
        "hideFooterPagination: true",
        |f| f.hide_footer_pagination,
        "maybe",
    ),
    field(
        "spec: page.hide-api-marker accepts and refuses",
        "hideApiMarker: true",
        |f| f.hide_api_marker,
        "maybe",
    ),
    field(
        "spec: page.rss accepts and refuses",
        "rss: true",
        |f| f.rss,
        "maybe",
    ),
    field(
        "spec: page.playground accepts and refuses",
        "playground: simple",
        |f| is(f.playground.as_ref(), "simple"),
        LIST,
    ),
    field(
        "spec: page.openapi accepts and refuses",
        "openapi: api.json GET /pets/{id}",
        |f| is(f.openapi.as_ref(), "api.json GET /pets/{id}"),
        LIST,
    ),
    field(
        "spec: page.openapi-schema accepts and refuses",
        "openapi-schema: Pet",
        |f| is(f.openapi_schema.as_ref(), "Pet"),
        LIST,
    ),
    field(
        "spec: page.api accepts and refuses",
        "api: POST /v1/pets",
        |f| is(f.api.as_ref(), "POST /v1/pets"),
        LIST,
    ),
    free("spec: page.other accepts", "team: docs", |f| {
        is(f.extra("team").as_ref(), "docs")
    }),
];

fn read(field: &str) -> (FrontMatter, Vec<svc_diagnostics::Diagnostic>) {
    let text = format!("---\nzzz: 1\n{field}\n---\n# Body\n");
    let Checked { value, diagnostics } = front_matter(&SourceFile::new("a.mdx", text));
    (value.0, diagnostics)
}

#[test]
fn every_field_accepts_valid_values() {
    for field in FIELDS {
        let (front_matter, problems) = read(field.accepted);
        assert_eq!(problems, [], "{}: {}", field.mark, field.accepted);
        assert!(
            (field.holds)(&front_matter),
            "{}: {}",
            field.mark,
            field.accepted
        );
    }
}

#[test]
fn every_field_reports_an_invalid_value_at_its_line() {
    for field in FIELDS {
        let Some(rejected) = field.rejected else {
            continue;
        };
        let (key, _) = field.accepted.split_once(": ").unwrap();
        let (front_matter, problems) = read(&format!("{key}: {rejected}"));
        let [problem] = &problems[..] else {
            panic!("{}: {problems:?}", field.mark)
        };
        let code = if key == "mode" {
            "front-matter-unknown-mode"
        } else {
            "front-matter-wrong-type"
        };
        assert_eq!(problem.code.id, code, "{}", field.mark);
        assert_eq!(
            problem.location.as_ref().unwrap().start.line,
            3,
            "{}",
            field.mark
        );
        assert!(problem.hint.is_some(), "{}", field.mark);
        assert!(
            !(field.holds)(&front_matter),
            "{}: the rejected value is used",
            field.mark
        );
    }
}

// spec: page.title accepts
#[test]
fn a_page_without_title_is_named_after_its_file() {
    let tree = SourceTree::from_files([("guides/first-steps.mdx", "# Hello")]);
    let index = pages(&tree).value;
    let title = index.get("guides/first-steps").map(svc_source::Page::title);
    assert_eq!(title.as_deref(), Some("First steps"));
}

// spec: page.mode accepts
#[test]
fn every_mode_is_known() {
    for (name, mode) in Mode::ALL {
        assert_eq!(read(&format!("mode: {name}")).0.mode, mode);
    }
}

// spec: page.front-matter accepts and refuses
#[test]
fn yaml_and_toml_are_read_and_errors_have_line_and_column() {
    let read = |text: &str| front_matter(&SourceFile::new("a.mdx", text));
    let title = |text: &str| read(text).value.0.title;
    assert_eq!(title("---\ntitle: T\n---\n").as_deref(), Some("T"));
    assert_eq!(title("+++\ntitle = \"T\"\n+++\n").as_deref(), Some("T"));
    for (text, code, line) in [
        ("---\ntitle: T\n\nText", "front-matter-unclosed", 1),
        ("---\n- a\n---\n", "front-matter-not-a-map", 2),
        ("+++\ntitle = \"T\"\nnonsense\n+++\n", "data-syntax", 3),
    ] {
        let diagnostics = read(text).diagnostics;
        assert_eq!(diagnostics[0].code.id, code, "{text:?}");
        let at = diagnostics[0].location.as_ref().unwrap();
        assert_eq!(at.start.line, line, "{text:?}");
    }
}

// spec: site.ignore accepts
#[test]
fn ignore_files_exclude_pages() {
    for name in [".svcignore", ".mintignore"] {
        let tree = SourceTree::from_files([
            (name, "drafts/\n*.tmp.mdx\n"),
            ("a.mdx", ""),
            ("b.tmp.mdx", ""),
            ("drafts/c.mdx", ""),
        ]);
        let index = pages(&tree).value;
        assert!(index.get("a").is_some(), "{name}");
        assert!(
            index.get("b.tmp").is_none() && index.get("drafts/c").is_none(),
            "{name}"
        );
    }
}
