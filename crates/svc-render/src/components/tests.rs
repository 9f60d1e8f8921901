//! Components in pages: MDX in, HTML out.

use crate::testing::{RenderedPage, page, site};

#[track_caller]
fn shows(mdx: &str, parts: &[&str]) -> RenderedPage {
    let page = page(mdx);
    let mut rest = page.html.as_str();
    for part in parts {
        let Some(at) = rest.find(part) else {
            panic!(
                "`{part}` is not in (the rest of)\n{}\n{:?}",
                page.html, page.problems
            );
        };
        rest = &rest[at + part.len()..];
    }
    page
}

#[track_caller]
fn clean(mdx: &str, parts: &[&str]) -> RenderedPage {
    let page = shows(mdx, parts);
    assert!(page.problems.is_empty(), "{:?}", page.problems);
    page
}

#[test]
fn components_are_sorted_and_have_documentation_and_style_sheets() {
    let names: Vec<&str> = super::ALL.iter().map(|component| component.name).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(names, sorted);
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/components");
    let mut dirs: Vec<String> = std::fs::read_dir(root)
        .expect("the directory exists")
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let is_dir = entry.file_type().ok()?.is_dir();
            is_dir.then(|| entry.file_name().to_string_lossy().into_owned())
        })
        .collect();
    dirs.sort();
    assert_eq!(names, dirs);
}

#[test]
fn every_attribute_is_documented_and_examples_have_no_diagnostics() {
    for component in super::ALL {
        for spec in component.tags {
            assert!(
                component.docs.contains(spec.tag),
                "{} is not in {}.md",
                spec.tag,
                component.name
            );
            for prop in spec.props {
                let known = component.docs.contains(&format!("`{}`", prop.name));
                let silent = prop.doc == "Accepted for compatibility; has no effect";
                assert!(
                    known || silent,
                    "`{}` of {} is not in its manual",
                    prop.name,
                    spec.tag
                );
            }
        }
        let mut rest = component.docs;
        let mut examples = 0;
        while let Some((_, after)) = rest.split_once("````mdx\n") {
            let (example, behind) = after.split_once("````").expect("the fence ends");
            let files =
                format!("//- /a.mdx\n{example}\n//- /snippets/greeting.mdx\nText of a snippet.\n");
            let page = site(&files, "/a");
            assert!(
                page.problems.is_empty(),
                "{}: {:?}",
                component.name,
                page.problems
            );
            assert!(
                !page.html.trim().is_empty() || component.name == "visibility",
                "{}",
                component.name
            );
            rest = behind;
            examples += 1;
        }
        assert!(examples > 0, "{}.md has no example", component.name);
    }
}

#[test]
fn class_names_in_style_sheets_have_the_prefix_of_their_component() {
    for component in super::ALL {
        for line in component
            .css
            .lines()
            .map(str::trim)
            .filter(|line| line.ends_with('{'))
        {
            assert!(!line.contains('#'), "{}: {line}", component.name);
        }
        for value in ["rgb(", "hsl("] {
            assert!(
                !component.css.contains(value),
                "{} has a color of its own",
                component.name
            );
        }
    }
}

#[test]
fn callouts_have_kind_icon_and_text() {
    clean(
        "<Note>Mind the *gap*.</Note>",
        &[
            "callout\" data-callout-type=\"note\"",
            "aria-label=\"Note\"",
            "<svg",
            "<em>gap</em>",
        ],
    );
    clean(
        "<Callout icon=\"key\" color=\"#ff0000\">x</Callout>",
        &["--svc-callout:#ff0000", "<svg"],
    );
    clean(
        "<Warning>\n  - a\n  - b\n</Warning>",
        &["data-callout-type=\"warning\"", "<li>a</li>"],
    );
}

#[test]
fn a_title_is_escaped() {
    let page = shows(
        "<Card title=\"a <script>alert(1)</script>\" href=\"javascript:alert(1)\">x</Card>",
        &["a &lt;script&gt;alert(1)&lt;/script&gt;"],
    );
    assert!(!page.html.contains("javascript:"));
    assert_eq!(page.codes(), ["unsafe-url"]);
}

#[test]
fn an_invalid_color_is_dropped() {
    let page = page(
        "<Callout color=\"red;background:url(https://x)\">x</Callout>\n\n<Icon icon=\"house\" color='\"><script>' />",
    );
    assert!(!page.html.contains("url("), "{}", page.html);
    assert!(!page.html.contains("<script"), "{}", page.html);
}

#[test]
fn cards_are_links_unless_they_contain_links() {
    clean(
        "<Card title=\"T\" icon=\"house\" href=\"/\">text</Card>",
        &["<a class=\"svc-card card\"", "href=\"/\"", "<svg", "text"],
    );
    clean(
        "<Card title=\"T\" href=\"/\">see [other](https://x.test)</Card>",
        &["<div class=\"svc-card card\"", "svc-card-cover"],
    );
    clean(
        "<CardGroup cols={3}>\n<Card title=\"A\" />\n<Card title=\"B\" />\n</CardGroup>",
        &["columns card-group\" data-cols=\"3\"", "A</p>", "B</p>"],
    );
}

#[test]
fn steps_are_numbered_and_titles_may_be_headings() {
    let page = clean(
        "<Steps titleSize=\"h3\">\n<Step title=\"One\">\na\n</Step>\n<Step title=\"Two\">\nb\n</Step>\n</Steps>",
        &[
            "svc-step-number\">1",
            "<h3 class=\"svc-step-title\" id=\"one\"",
            "svc-step-number\">2",
            "id=\"two\"",
        ],
    );
    assert_eq!(page.toc(), ["3 one One", "3 two Two"]);
}

#[test]
fn tabs_show_the_first_panel_and_work_without_scripts() {
    clean(
        "<Tabs>\n<Tab title=\"A & B\">\nfirst\n</Tab>\n<Tab title=\"C\">\nsecond\n</Tab>\n</Tabs>",
        &[
            "data-svc-panels data-sync",
            "type=\"radio\"",
            "checked",
            "A &amp; B</label>",
            "id=\"a-&amp;-b\"",
            "first",
            "type=\"radio\"",
            "C</label>",
            "second",
        ],
    );
    shows("<Tab title=\"Alone\">\ntext\n</Tab>", &["Alone", "text"]);
}

#[test]
fn code_groups_take_titles_of_their_blocks() {
    clean(
        "<CodeGroup>\n```bash npm\nnpm i\n```\n```bash pnpm\npnpm i\n```\n</CodeGroup>",
        &[
            "code-group",
            "npm</label>",
            "npm</span>",
            "pnpm</label>",
            "pnpm</span>",
        ],
    );
    clean(
        "<CodeGroup>\n```python\nx\n```\n</CodeGroup>",
        &["Python</label>"],
    );
}

#[test]
fn accordions_work_without_scripts_and_their_headings_are_not_in_the_toc() {
    let page = clean(
        "<Accordion title=\"More\" defaultOpen>\n## Inside\n</Accordion>",
        &[
            "<details class=\"svc-accordion accordion\" id=\"more\" open>",
            "More</span>",
            "id=\"inside\"",
        ],
    );
    assert!(page.toc().is_empty());
}

#[test]
fn fields_have_anchors_and_labels() {
    clean(
        "<ParamField query=\"userId\" type=\"string\" required default=\"x\">The user.</ParamField>",
        &[
            "id=\"param-user-id\"",
            "userId</a>",
            "string</span>",
            "query</span>",
            "<code>x</code>",
            "required</span>",
            "The user.",
        ],
    );
    clean(
        "<ResponseField name=\"a\" type=\"object\">\n<Expandable title=\"parts\">\n<ResponseField name=\"a\" type=\"x\" />\n</Expandable>\n</ResponseField>",
        &[
            "id=\"param-a-1\"",
            "<details class=\"svc-expandable expandable\"",
            "id=\"param-a\"",
        ],
    );
}

#[test]
fn examples_are_in_the_side_column() {
    let page = clean(
        "text\n\n<RequestExample>\n```bash cURL\ncurl\n```\n</RequestExample>\n\n<ResponseExample>\n```json\n{}\n```\n</ResponseExample>",
        &[
            "svc-split-main",
            "<p>text</p>",
            "<aside",
            "request-example",
            "cURL</label>",
            "response-example",
            "Response</label>",
        ],
    );
    assert!(page.article.features.aside);
}

#[test]
fn updates_are_in_the_table_of_contents() {
    let page = clean(
        "<Update label=\"v1.2\" description=\"June\" tags={[\"New\"]}>\n## Sub\ntext\n</Update>",
        &["update\" id=\"v1-2\"", "v1.2</a>", "June", "New</span>"],
    );
    assert_eq!(page.toc(), ["1 v1-2 v1.2"]);
}

#[test]
fn trees_come_from_tags_and_from_lists() {
    clean(
        "<Tree>\n<Tree.Folder name=\"src\" defaultOpen>\n<Tree.File name=\"a.rs\" />\n</Tree.Folder>\n</Tree>",
        &[
            "tree-folder",
            "<details open>",
            "src</span>",
            "tree-file",
            "a.rs</span>",
        ],
    );
    clean(
        "<FileTree>\n- src/\n  - a.rs\n- b.md\n</FileTree>",
        &["tree-folder", "src</span>", "a.rs</span>", "b.md</span>"],
    );
}

#[test]
fn other_components_show_their_content() {
    clean(
        "<Frame caption=\"A **b**\">\n![x](https://x.test/a.png)\n</Frame>",
        &["<figure", "<img", "<strong>b</strong>"],
    );
    clean(
        "A <Tooltip tip=\"Application\">app</Tooltip> b",
        &["<p>A ", "app</span>", "role=\"tooltip\"", "Application"],
    );
    clean(
        "<Badge color=\"green\">New</Badge>",
        &["data-badge data-color=\"green\"", "New"],
    );
    clean(
        "<Icon icon=\"github\" size={32} />",
        &["font-size:32px", "<svg"],
    );
    clean(
        "<Visibility for=\"humans\">yes</Visibility><Visibility for=\"agents\">no</Visibility>",
        &["yes"],
    );
    clean(
        "<Prompt description=\"Do **it**\">\nWrite.\n</Prompt>",
        &["<strong>it</strong>", "data-svc-copy-text>Write.", "Write."],
    );
    clean(
        "<GitHub.Repo repo=\"a/b\" />",
        &["href=\"https://github.com/a/b\"", "a/b"],
    );
    clean(
        "<Color variant=\"table\">\n<Color.Row title=\"R\">\n<Color.Item name=\"n\" value={{ light: \"#fff\", dark: \"#000\" }} />\n</Color.Row>\n</Color>",
        &["--svc-color-light:#fff;--svc-color-dark:#000"],
    );
    clean(
        "<View title=\"Web\">\nx\n</View>",
        &["data-svc-view=\"Web\"", "x"],
    );
    clean(
        "<Tile href=\"/\" title=\"T\">\n![a](https://x.test/a.png)\n</Tile>",
        &["<a class=\"svc-tile tile\"", "<img", "T</span>"],
    );
    clean("<Panel>\nside\n</Panel>", &["<aside", "panel", "side"]);
    clean(
        "<Heading level={3} id=\"own\">Text</Heading>",
        &["<h3 id=\"own\"", "Text"],
    );
    clean(
        "<CodeBlock language=\"js\" filename=\"a.js\">{`let a = 1;`}</CodeBlock>",
        &["a.js</span>", "language-js", "let"],
    );
    clean(
        "export const code = `one\\n  two ${1 + 2}`;\n\n<CodeBlock language=\"text\">{'# ' + code + ' end'}</CodeBlock>",
        &["# one</span>\n", ">  two 3 end"],
    );
}

#[test]
fn invalid_attributes_are_reported() {
    let page = shows("<Card titel=\"x\">a</Card>", &["a"]);
    assert_eq!(page.codes(), ["prop-unknown"]);
    assert!(
        page.problems[0].contains("did you mean `title`"),
        "{:?}",
        page.problems
    );
    for (text, code) in [
        ("<Tooltip>a</Tooltip>", "prop-missing"),
        ("<ParamField type=\"string\">a</ParamField>", "prop-missing"),
        ("<Columns cols=\"three\">a</Columns>", "prop-value"),
        ("<Card title=\"b\" horizontal=\"no\">a</Card>", "prop-value"),
    ] {
        assert_eq!(shows(text, &["a"]).codes(), [code], "{text}");
    }
    for text in [
        "<ResponseField type=\"string\">a</ResponseField>",
        "<Steps><Step>a</Step></Steps>",
        "<Columns cols=\"3\">a</Columns>",
        "<Card title={5} horizontal=\"true\">a</Card>",
    ] {
        assert!(shows(text, &["a"]).codes().is_empty(), "{text}");
    }
}

#[test]
fn an_unknown_component_shows_its_content_and_is_reported_once() {
    let page = shows(
        "<Foo>**a**</Foo>\n\n<Foo>b</Foo>\n\n<Noet>c</Noet>",
        &["<strong>a</strong>", "b", "c"],
    );
    assert_eq!(page.codes(), ["component-unknown", "component-unknown"]);
    assert!(
        page.problems[1].contains("did you mean `Note`"),
        "{:?}",
        page.problems
    );
}

#[test]
fn snippets_get_their_attributes() {
    let page = site(
        "//- /a.mdx\nimport Part from \"/snippets/part.mdx\"\n\n<Part name=\"World\" count={3} />\n\n<Snippet file=\"part.mdx\" name=\"Moon\" />\n//- /snippets/part.mdx\nHello {name}, {count}{nothing}!\n\n```bash\nrun {name}\n```\n",
        "/a",
    );
    assert!(page.html.contains("Hello World, 3!"), "{}", page.html);
    assert!(page.html.contains("Hello Moon, !"), "{}", page.html);
    assert!(
        page.article.sections[0].code.contains("run World"),
        "{:?}",
        page.article.sections
    );
    assert!(page.problems.is_empty(), "{:?}", page.problems);
}

#[test]
fn snippets_take_children_and_nest() {
    let page = site(
        "//- /a.mdx\nimport Outer from \"./snippets/outer.mdx\"\n\n<Outer>**in**</Outer>\n//- /snippets/outer.mdx\nimport Inner from \"./inner.mdx\"\n\n<Inner>{children}</Inner>\n//- /snippets/inner.mdx\n<Note>{children}</Note>\n",
        "/a",
    );
    assert!(
        page.html.contains("<strong>in</strong>"),
        "{} {:?}",
        page.html,
        page.problems
    );
    assert!(
        page.html.contains("data-callout-type=\"note\""),
        "{}",
        page.html
    );
}

#[test]
fn recursive_snippets_terminate() {
    let page = site(
        "//- /a.mdx\n<Snippet file=\"x.mdx\" />\n//- /snippets/x.mdx\nx <Snippet file=\"y.mdx\" />\n//- /snippets/y.mdx\ny <Snippet file=\"x.mdx\" />\n",
        "/a",
    );
    assert_eq!(page.codes(), ["import-cycle"]);
    assert!(page.html.contains('x') && page.html.contains('y'));
}

#[test]
fn exponential_snippets_are_truncated() {
    let mut files = String::from("//- /a.mdx\n<Snippet file=\"s0.mdx\" />\n");
    for level in 0..15 {
        let call = format!("<Snippet file=\"s{}.mdx\" />\n\n", level + 1);
        files.push_str(&format!("//- /snippets/s{level}.mdx\n{}", call.repeat(10)));
    }
    files.push_str("//- /snippets/s15.mdx\nbottom\n");
    let page = site(&files, "/a");
    assert_eq!(page.codes(), ["page-too-large"]);
}

#[test]
fn components_and_constants_come_from_files_and_pages() {
    let page = site(
        "//- /a.mdx\nimport { Version, label } from \"/snippets/v.jsx\"\n\nexport const port = 8080\n\nexport const Twice = ({ children }) => <div className=\"t\">{children}{children}</div>\n\n<Version version=\"2.0\" /> {label} {port}\n\n<Twice>**x**</Twice>\n//- /snippets/v.jsx\nexport const label = `v${1 + 1}`;\nexport const Version = ({ version }) => (\n  <Badge color=\"blue\">since {version}</Badge>\n);\n",
        "/a",
    );
    assert!(
        page.html.contains("since 2.0"),
        "{} {:?}",
        page.html,
        page.problems
    );
    assert!(
        page.html.contains("v2") && page.html.contains("8080"),
        "{}",
        page.html
    );
    assert_eq!(
        page.html.matches("<strong>x</strong>").count(),
        2,
        "{}",
        page.html
    );
}

#[test]
fn a_missing_import_is_reported() {
    let page = site(
        "//- /a.mdx\nimport X from \"/snippets/prt.mdx\"\n\ntext\n//- /snippets/part.mdx\nx\n",
        "/a",
    );
    assert_eq!(page.codes(), ["import-missing"]);
    assert!(
        page.problems[0].contains("/snippets/part.mdx"),
        "{:?}",
        page.problems
    );
}
