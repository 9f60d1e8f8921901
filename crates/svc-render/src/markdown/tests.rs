//! Tests of Markdown and HTML elements.

use crate::testing::{page, page as page_of, site, site_at};

#[track_caller]
fn gives(mdx: &str, html: &str) {
    let page = page(mdx);
    assert_eq!(page.html.trim(), html, "{:?}", page.problems);
}

#[test]
fn plain_markdown_becomes_plain_html() {
    gives(
        "a *b* **c** ~~d~~ `e`",
        "<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code></p>",
    );
    gives("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>");
    gives("3. a", "<ol start=\"3\">\n<li>a</li>\n</ol>");
    gives("> a", "<blockquote><p>a</p>\n</blockquote>");
    gives("a\\\nb", "<p>a<br>b</p>");
}

#[test]
fn quotes_are_typographic_but_not_in_code() {
    gives(
        "\"a\" isn't `\"b\"`",
        "<p>“a” isn’t <code>&quot;b&quot;</code></p>",
    );
    gives("*\"a\"*", "<p><em>“a”</em></p>");
}

#[test]
fn headings_have_unique_ids_and_are_in_the_table_of_contents() {
    let page = page("# A\n\n## What's new?\n\n### A\n\n## Own {#mine}\n\n##### Deep\n");
    assert_eq!(
        page.toc(),
        ["1 a A", "2 what’s-new What’s new?", "3 a-2 A", "2 mine Own"]
    );
    assert!(
        page.html.contains("<h2 id=\"mine\" data-svc-heading>"),
        "{}",
        page.html
    );
    assert!(page.html.contains("<h5>Deep</h5>"), "{}", page.html);
    assert_eq!(page.article.ids, ["a", "what’s-new", "a-2", "mine"]);
}

#[test]
fn task_lists_show_checkboxes() {
    let page = page("- [x] a\n- [ ] b");
    assert!(
        page.html
            .contains("type=\"checkbox\" disabled checked aria-label=\"a\"> a"),
        "{}",
        page.html
    );
    assert!(
        page.html
            .contains("type=\"checkbox\" disabled aria-label=\"b\"> b"),
        "{}",
        page.html
    );
}

#[test]
fn tables_scroll_and_mark_numeric_columns() {
    let page = page("| a | b |\n|:--|--:|\n| x | 1 |\n| y | 2 ms |");
    assert!(
        page.html
            .contains("<div class=\"svc-table\" tabindex=\"0\""),
        "{}",
        page.html
    );
    assert!(
        page.html
            .contains("<td data-align=\"right\" data-numeric>1</td>"),
        "{}",
        page.html
    );
    assert!(
        page.html.contains("<td data-align=\"left\">x</td>"),
        "{}",
        page.html
    );
}

#[test]
fn footnotes_are_at_the_end() {
    let page = page("a[^n] b[^n]\n\n[^n]: The *note*.\n\nc");
    assert!(
        page.html.contains("href=\"#fn-n\" id=\"fnref-n\""),
        "{}",
        page.html
    );
    let (_, notes) = page
        .html
        .split_once("data-footnotes")
        .expect("there are notes");
    assert!(notes.contains("The <em>note</em>."), "{notes}");
    assert!(notes.contains("#fnref-n-2"), "{notes}");
}

#[test]
fn an_icon_without_a_title_adds_a_bar() {
    let bar = "<div class=\"svc-code-bar\"><span class=\"svc-code-icon code-block-icon\">";
    let html = page("```js icon=\"github\"\nx\n```").html;
    assert!(html.contains(bar), "{html}");
    assert!(
        html.contains("<span class=\"svc-code-title\"></span>"),
        "{html}"
    );
    assert!(!page("```js\nx\n```").html.contains("svc-code-bar"));
}

#[test]
fn comments_mark_lines_and_words() {
    let code =
        "a // [!code error]\nb // [!code warning]\nc // [!code word:c]\nd // [!code focus]\n";
    let html = page(&format!("```text\n{code}```")).html;
    for part in [
        "<span class=\"line line-error\">a</span>",
        "<span class=\"line line-warning\">b</span>",
        "<mark class=\"svc-code-word highlighted-word\">c</mark>",
        "<span class=\"line line-focus\">d</span>",
        " data-focused",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
}

#[test]
fn a_code_block_can_set_its_theme() {
    let page = page("```json theme=nord\n\"a\"\n```\n\n```json theme=none\n1\n```");
    assert!(
        page.html
            .contains("class=\"svc-code code-block svc-code-theme-nord\"")
    );
    assert_eq!(page.html.matches("svc-code-theme").count(), 1);
    let themes: Vec<_> = page.article.features.code_themes.iter().collect();
    assert_eq!(themes, ["nord"]);
}

#[test]
fn twoslash_queries_are_removed_from_code() {
    let html = page("```ts twoslash\n// @errors: 2304\nconst a = 1\n//    ^?\n```").html;
    assert!(html.contains(">const</span>"), "{html}");
    assert!(!html.contains("^?") && !html.contains("@errors"), "{html}");
}

#[test]
fn code_blocks_with_prompts_are_marked_for_the_copy_button() {
    let prompts = |lang: &str| {
        let html = page(&format!("```{lang}\n$ ls\n```")).html;
        html.contains("data-prompt")
    };
    assert!(prompts("console") && prompts("shellsession") && prompts("pycon"));
    assert!(!prompts("bash"));
}

#[test]
fn code_has_title_lines_and_marks() {
    let page = page("```js main.js lines {2}\nlet a;\nlet b; // [!code ++]\n```");
    for part in [
        "main.js</span>",
        "data-lines",
        "language-js",
        "line line-highlight line-diff line-add",
        "data-svc-copy hidden",
    ] {
        assert!(page.html.contains(part), "{part} is not in {}", page.html);
    }
    assert!(!page.html.contains("!code"), "{}", page.html);
    let hostile = page_of("```\"><script>\n</code><script>alert(1)</script>\n```");
    assert!(!hostile.html.contains("<script"), "{}", hostile.html);
}

#[test]
fn hostile_html_is_removed() {
    for (mdx, absent) in [
        ("<a href=\"javascript:alert(1)\">x</a>", "javascript"),
        ("<a href=\" java&#10;script:alert(1)\">x</a>", "script:"),
        ("[x](javascript:alert(1))", "javascript"),
        ("![x](javascript:alert(1))", "javascript"),
        ("<img src=\"x\" onerror=\"alert(1)\" />", "onerror"),
        ("<img src={\"data:text/html,x\"} />", "data:"),
        ("<iframe src=\"javascript:alert(1)\" />", "javascript"),
        ("<iframe srcDoc=\"<b>\" />", "srcdoc"),
        ("<div style=\"background:url(https://x)\">x</div>", "url("),
        (
            "<div style={{ background: \"url(https://x)\", color: \"red\" }}>x</div>",
            "url(",
        ),
        ("<script>alert(1)</script>", "alert"),
        ("<style>{`a{}</style><b>`}</style>", "a{}"),
        (
            "<svg><foreignObject><b>x</b></foreignObject></svg>",
            "foreign",
        ),
        ("<svg><animate href=\"x\" /></svg>", "animate"),
        ("<div onClick={() => alert(1)}>x</div>", "alert"),
        ("{\"<b>x</b>\"}", "<b>"),
        ("<div title='\"><script>'>x</div>", "<script"),
        ("<object data=\"x\">y</object>", "object"),
        (
            "<div {...{ \"x onload\": \"y\", title: \"t\" }}>x</div>",
            "onload",
        ),
    ] {
        let page = page(mdx);
        assert!(!page.html.contains(absent), "{mdx}\n{}", page.html);
    }
}

#[test]
fn react_attributes_become_html() {
    let page = page(
        "<div className=\"a\" style={{ maxWidth: 20, fontWeight: 600 }}>\n<video autoPlay playsInline src=\"https://x.test/a.mp4\" />\n</div>",
    );
    assert!(
        page.html
            .contains("<div class=\"a\" style=\"max-width:20px;font-weight:600\">"),
        "{}",
        page.html
    );
    assert!(
        page.html.contains("<video autoplay=\"\" playsinline=\"\""),
        "{}",
        page.html
    );
    let svg = page_of(
        "<svg viewBox=\"0 0 1 1\" strokeWidth={2}><path d=\"M0 0\" fillRule=\"evenodd\" /></svg>",
    );
    assert!(
        svg.html.contains("viewBox=\"0 0 1 1\" stroke-width=\"2\""),
        "{}",
        svg.html
    );
    assert!(svg.html.contains("fill-rule=\"evenodd\""), "{}", svg.html);
}

const SITE: &str = "//- /guides/a.mdx\n[rel](./b.mdx#x) [abs](/guides/b) [up](../index.mdx) [folder](/guides/index) [none](/nope) [out](https://x.test) ![i](./i.png) ![j](/i.png) <a href=\"b\">h</a> [frag](#y)\n//- /guides/b.mdx\nb\n//- /guides/index.mdx\nc\n//- /index.mdx\nd\n";

#[test]
fn links_resolve_to_canonical_paths_below_the_base_path() {
    let page = site_at(SITE, "/guides/a", "/docs");
    for part in [
        "href=\"/docs/guides/b#x\" class=\"link\">rel",
        "href=\"/docs/guides/b\" class=\"link\">abs",
        "href=\"/docs/\" class=\"link\">up",
        "href=\"/docs/guides\" class=\"link\">folder",
        "href=\"/docs/nope\" class=\"link\">none",
        "href=\"https://x.test\" target=\"_blank\" rel=\"noopener noreferrer\" class=\"link\">out",
        "src=\"/docs/guides/i.png\"",
        "src=\"/docs/i.png\"",
        "href=\"/docs/guides/b\">h",
        "href=\"#y\"",
    ] {
        assert!(page.html.contains(part), "{part} is not in\n{}", page.html);
    }
    let links: Vec<&str> = page
        .article
        .links
        .iter()
        .map(|link| link.href.as_str())
        .collect();
    assert_eq!(
        links,
        [
            "/guides/b#x",
            "/guides/b",
            "/",
            "/guides",
            "/nope",
            "https://x.test",
            "/guides/i.png",
            "/i.png",
            "/guides/b",
            "#y",
        ]
    );
}

#[test]
fn reference_links_and_images_resolve() {
    gives(
        "[a][b]\n\n[b]: https://x.test \"T\"",
        "<p><a href=\"https://x.test\" target=\"_blank\" rel=\"noopener noreferrer\" class=\"link\" title=\"T\">a</a></p>",
    );
}

#[test]
fn variables_are_replaced_without_their_tags() {
    let page = page("{{product}} and `{{product}}` and {{other}}\n\n```\n{{product}}\n```");
    assert!(
        page.html
            .contains("<p>Svc X and <code>Svc X</code> and {{other}}</p>"),
        "{}",
        page.html
    );
    assert!(
        page.html.contains("<span class=\"line\">Svc X</span>"),
        "{}",
        page.html
    );
}

#[test]
fn unknown_variables_are_reported_once_with_a_suggestion() {
    let rendered =
        page("{{prodcut}} {{prodcut}} {{ other.name }} `{{code}}`\n\n```\n{{code}}\n```");
    assert_eq!(
        rendered.problems,
        [
            "variable-unknown: `prodcut` is not a variable of the site (did you mean `product`?)",
            "variable-unknown: `other.name` is not a variable of the site (add it to `variables` in docs.json, or write it as code)",
        ]
    );
}

#[test]
fn undefined_names_and_comments_render_as_nothing() {
    gives("a {unknown}b{/* note */}", "<p>a b</p>");
}

#[test]
fn search_text_has_no_markup_and_is_divided_at_headings() {
    let page = page(
        "Lead.\n\n## A *title*\n\nSome *text* and `code`.\n\n<Note>In a box</Note>\n\n### Part\n\n| a | b |\n|---|---|\n| c | d |\n\n```js\nrun()\n```\n\n## Last\n",
    );
    let sections: Vec<(&str, String, &str, &str)> = page
        .article
        .sections
        .iter()
        .map(|section| {
            let headings = section.headings.join(" > ");
            (&*section.id, headings, &*section.text, &*section.code)
        })
        .collect();
    let expected = [
        ("", "", "Lead.", ""),
        ("a-title", "A title", "Some text and code.\nIn a box", ""),
        ("part", "A title > Part", "a b\nc d", "run()\n"),
        ("last", "Last", "", ""),
    ];
    let expected = expected.map(|(id, headings, text, code)| (id, headings.to_owned(), text, code));
    assert_eq!(sections, expected);
}

#[test]
fn formulas_are_rendered() {
    let page = page("Area $a^2$ and\n\n$$\nx < y\n$$");
    assert_eq!(page.html.matches("<math ").count(), 2, "{}", page.html);
    assert_eq!(page.html.matches("display=\"block\"").count(), 1);
    assert!(!page.html.contains("x < y"), "{}", page.html);
    assert!(page.article.features.math);
}

#[test]
fn deep_and_long_pages_do_not_break() {
    let deep = format!("{}x{}", "<div>\n".repeat(300), "\n</div>".repeat(300));
    let _ = page(&deep);
    let quotes = "> ".repeat(2_000);
    let _ = page(&quotes);
    let wide = "<Note>a</Note>\n\n".repeat(2_000);
    assert_eq!(page(&wide).html.matches("data-callout-type").count(), 2_000);
}

#[test]
fn custom_pages_have_no_anchors() {
    let page = site("//- /a.mdx\n---\nmode: custom\n---\n## A\n", "/a");
    assert_eq!(page.html.trim(), "<h2>A</h2>");
    assert!(page.article.toc.is_empty());
}

#[test]
fn a_component_in_a_heading_is_not_part_of_its_id() {
    let page = page("## `theme` - <Badge>required</Badge>\n\n##### <Badge>deep</Badge> x");
    assert!(page.html.contains("<h2 id=\"theme\""), "{}", page.html);
    assert!(page.html.contains("<h5>"), "{}", page.html);
}

#[test]
fn an_invalid_formula_is_shown_as_source() {
    let page = page("a $x + \\unheardof$ b");
    assert_eq!(page.codes(), ["formula-unreadable"]);
    assert!(
        page.html
            .contains("<code class=\"math\">x + \\unheardof</code>"),
        "{}",
        page.html
    );
}

#[test]
fn formulas_can_be_disabled() {
    let files = r##"//- /docs.json
{"theme": "svc", "name": "T", "colors": {"primary": "#112233"}, "styling": {"latex": false}, "navigation": {"pages": ["a"]}}
//- /a.mdx
From $a^2$ to <Latex>b_1</Latex>.
"##;
    let page = site(files, "/a");
    assert!(!page.html.contains("<math"), "{}", page.html);
    assert!(page.html.contains("From $a^2$ to"), "{}", page.html);
    assert!(page.html.contains("b_1"), "{}", page.html);
    assert!(page.problems.is_empty(), "{:?}", page.problems);
}

#[test]
fn braces_in_a_formula_tag_are_part_of_the_formula() {
    for source in [
        "<Latex>\\frac{a}{b_1}</Latex>",
        "x <Latex>\\frac{a}{b_1}</Latex> y",
        "<Latex>{\"\\\\frac{a}{b_1}\"}</Latex>",
        "<Latex>{String.raw`\\frac{a}{b_1}`}</Latex>",
    ] {
        let page = page(source);
        assert!(page.html.contains("<mfrac>"), "{source}: {}", page.html);
        assert!(page.problems.is_empty(), "{source}: {:?}", page.problems);
    }
}

#[test]
fn diagrams_are_rendered_with_controls_and_a_description() {
    let page = page(
        "```mermaid placement=\"top-left\" actions={true}\nflowchart LR\n accTitle: The <way>\n A-->B\n```\n\n```mermaid actions={false}\ngraph TD\n A-->B-->C-->D\n```\n",
    );
    assert!(page.problems.is_empty(), "{:?}", page.problems);
    assert_eq!(page.html.matches("role=\"img\"").count(), 2);
    assert_eq!(page.html.matches("svc-diagram-bar").count(), 1);
    assert!(page.html.contains("data-placement=\"top-left\""));
    assert!(
        page.html.contains("The &lt;way&gt;</title>"),
        "{}",
        page.html
    );
    assert!(page.article.features.mermaid);
}

#[test]
fn an_invalid_diagram_is_shown_as_source() {
    let page = page("```mermaid placement=\"middle\"\nflowchart TD\n  subgraph x\n  A-->B\n```\n");
    assert_eq!(
        page.codes(),
        ["diagram-placement", "diagram-undrawable"],
        "{:?}",
        page.problems
    );
    assert!(
        page.html.contains("<pre class=\"mermaid\""),
        "{}",
        page.html
    );
    assert!(page.html.contains("subgraph x"), "{}", page.html);
}

#[test]
fn links_are_not_nested_and_attributes_are_unique() {
    let page = page("<a href=\"https://x.test\" target=\"_blank\">https://x.test</a>");
    assert_eq!(page.html.matches("<a").count(), 1, "{}", page.html);
    assert_eq!(page.html.matches("target=").count(), 1, "{}", page.html);
}

#[test]
fn an_enclosing_element_with_the_id_of_a_heading_keeps_it() {
    let page = page("<div id=\"two-words\">\n## Two words\n</div>");
    assert_eq!(
        page.html.matches("id=\"two-words\"").count(),
        1,
        "{}",
        page.html
    );
    assert_eq!(page.toc(), ["2 two-words Two words"]);
}

#[test]
fn a_heading_in_a_link_has_no_anchor() {
    let html = page("<a href=\"https://x.test/\">\n  <h2>Title</h2>\n</a>").html;
    assert!(
        html.contains("Title") && !html.contains("svc-anchor"),
        "{html}"
    );
    assert_eq!(html.matches("<a ").count(), 1, "{html}");
}
