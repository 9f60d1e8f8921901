//! Trees and diagnostics of single constructs.

use svc_diagnostics::SourceFile;
use svc_mdx::{Kind, Options, images, links, mdast_dump, outline, parse, plain_text, unravel};

fn tree(text: &str) -> String {
    let parsed = parse(text, &Options::mdx_js());
    assert_eq!(parsed.diagnostics, [], "{text}");
    mdast_dump(&parsed.value).replacen("root\n", "", 1)
}

/// Returns location, code and message of all diagnostics.
fn problems(text: &str) -> Vec<String> {
    let file = SourceFile::new("p", text);
    let parsed = parse(text, &Options::default());
    let show = |problem: &svc_mdx::ParseDiagnostic| {
        assert!(!problem.hint.is_empty());
        let diagnostic = problem.diagnostic(&file, 0);
        format!(
            "{} {}: {}",
            diagnostic.location_string(),
            diagnostic.code.id,
            diagnostic.message
        )
    };
    parsed.diagnostics.iter().map(show).collect()
}

#[test]
fn markdown_between_tags_is_parsed() {
    let expected = " mdxJsxFlowElement Card title=\"a & b\"\n  paragraph\n   text \"x \"\n   \
                    emphasis\n    text \"y\"\n";
    assert_eq!(
        tree("<Card title=\"a &amp; b\">\n  x *y*\n</Card>"),
        expected
    );
}

#[test]
fn tags_with_text_on_the_same_line_are_inline() {
    let expected = " paragraph\n  mdxJsxTextElement A\n   text \"b\\nc\"\n";
    assert_eq!(tree("<A>b\nc</A>"), expected);
    assert_eq!(tree("<A></A>"), " mdxJsxFlowElement A\n");
}

#[test]
fn an_attribute_may_end_with_a_character_reference() {
    let expected = " paragraph\n  mdxJsxTextElement A t=\"W&B\"\n   text \"x\"\n";
    assert_eq!(tree("<A t=\"W&B\">x</A>"), expected);
}

#[test]
fn white_space_around_the_equals_sign_is_accepted() {
    assert_eq!(
        tree("<A b = {1} c= \"d\"/>"),
        " mdxJsxFlowElement A b={\"1\"} c=\"d\"\n"
    );
}

#[test]
fn a_definition_does_not_become_a_heading() {
    let expected = " definition \"#\" \"x\" \"//\"\n thematicBreak\n heading 2\n  text \"t: C\"\n";
    assert_eq!(tree("[//]: # (x)\n---\nt: C\n---"), expected);
}

#[test]
fn links_do_not_nest() {
    let expected = " paragraph\n  link \"https://a.b\" ~ \n   text \"https://a.b\"\n";
    assert_eq!(tree("[https://a.b](https://a.b)"), expected);
    assert_eq!(tree("https://a.b"), expected);
}

#[test]
fn a_list_continues_after_an_element_with_the_next_number() {
    let expected = " list ordered=true start=2 spread=false\n  listItem checked=~ spread=false\n   \
                    paragraph\n    text \"x\"\n paragraph\n  mdxJsxTextElement N\n   text \"n\"\n \
                    list ordered=true start=3 spread=false\n  listItem checked=~ spread=false\n   \
                    paragraph\n    text \"y\"\n";
    assert_eq!(tree("2. x\n\n<N>n</N>\n\n3. y"), expected);
}

#[test]
fn blank_lines_between_items_and_inside_of_items_are_distinguished() {
    let list = |text: &str| tree(text).lines().take(2).collect::<Vec<_>>().join("|");
    let loose = " list ordered=false start=~ spread=true|  listItem checked=~ spread=false";
    let inner = " list ordered=false start=~ spread=false|  listItem checked=~ spread=true";
    let tight = " list ordered=false start=~ spread=false|  listItem checked=~ spread=false";
    assert_eq!(list("- a\n\n- b"), loose);
    assert_eq!(list("- a\n\n  b\n- c"), inner);
    assert_eq!(list("- a\n- b\n\nc"), tight);
    assert_eq!(list("- ```\n  x\n\n  y\n  ```\n- b"), tight);
}

#[test]
fn indented_text_is_not_code() {
    assert_eq!(tree("        text"), " paragraph\n  text \"text\"\n");
    assert_eq!(
        tree("      ```js\n        x\n      ```"),
        " code \"js\" ~ \"  x\"\n"
    );
}

#[test]
fn modules_end_where_their_brackets_close() {
    let expected = " mdxjsEsm \"export const a = {\\n\\n b}\"\n paragraph\n  text \"c\"\n";
    assert_eq!(tree("export const a = {\n\n b}\n\nc"), expected);
    assert_eq!(
        tree("export a thing"),
        " paragraph\n  text \"export a thing\"\n"
    );
}

#[test]
fn tasks_tables_footnotes_and_math_are_parsed() {
    assert!(tree("- [x] a").contains("checked=true"));
    assert!(tree("| a |\n|:-:|\n| `b\\|c` |").contains("inlineCode \"b|c\""));
    assert!(tree("a[^1]\n\n[^1]: b").contains("footnoteReference \"1\""));
    assert!(tree("$$ m\nx\n$$").contains("math \"m\" \"x\""));
    assert!(tree("a $x$ b").contains("inlineMath \"x\""));
}

#[test]
fn prices_are_not_math_with_guarded_dollars() {
    let text = |text: &str| plain_text(&parse(text, &Options::default()).value.children);
    let math = |text: &str| {
        let parsed = parse(text, &Options::default());
        parsed.value.children[0]
            .children()
            .iter()
            .any(|n| matches!(n.kind, Kind::InlineMath(_)))
    };
    assert_eq!(text("from $5 to $10"), "from $5 to $10");
    assert!(!math("from $5 to $10"));
    assert!(!math("$ref and $ref"));
    assert!(math("so $x + y$ is"));
    let off = Options {
        math: false,
        ..Options::default()
    };
    assert!(matches!(
        parse("$$\nx\n$$", &off).value.children[0].kind,
        Kind::Paragraph(_)
    ));
}

#[test]
fn heading_ids_are_removed_from_the_title() {
    let parsed = parse(
        "## A title {#the-id}\n\n# B {x}\n\n<A>\n### C\n</A>",
        &Options::default(),
    );
    let entries = outline(&parsed.value);
    assert_eq!(
        (entries[0].depth, entries[0].id, &*entries[0].text),
        (2, Some("the-id"), "A title")
    );
    assert_eq!((entries[1].id, entries.len()), (None, 3));
}

#[test]
fn links_and_images_are_returned_in_order() {
    let parsed = parse("[a](/b) ![c](/d) <A>[e](/f)</A>", &Options::default());
    let urls: Vec<_> = links(&parsed.value).iter().map(|link| link.url).collect();
    assert_eq!(urls, ["/b", "/f"]);
    assert_eq!(images(&parsed.value)[0].url, "/d");
}

#[test]
fn a_paragraph_of_tags_is_lifted() {
    let mut parsed = parse("<A>x</A> {y}\n\nb <C/>", &Options::default());
    unravel(&mut parsed.value);
    let [element, expression, paragraph] = &parsed.value.children[..] else {
        panic!("{parsed:?}")
    };
    assert!(matches!(&element.kind, Kind::Element(element) if element.flow));
    assert!(matches!(
        &expression.kind,
        Kind::Expression { flow: true, .. }
    ));
    assert!(matches!(&paragraph.kind, Kind::Paragraph(_)));
}

#[test]
fn an_unclosed_element_ends_with_its_container() {
    assert_eq!(
        problems("a\n\n<Card>\nb"),
        ["p:3:1 mdx-unclosed-element: `<Card>` is not closed"]
    );
    assert_eq!(
        problems("- <A>\n\nb"),
        ["p:1:3 mdx-unclosed-element: `<A>` is not closed"]
    );
    assert_eq!(
        problems("x *a <b>c* d"),
        ["p:1:6 mdx-unclosed-element: `<b>` is not closed"]
    );
    assert_eq!(
        problems("a<br>b"),
        ["p:1:2 mdx-unclosed-element: `<br>` is not closed"]
    );
    assert!(problems("a <br></br> b\n\n<img>\n</img>").is_empty());
    let parsed = parse("a<br> </br>b", &Options::default()).value;
    let names: Vec<usize> = parsed.children[0]
        .children()
        .iter()
        .map(|node| node.children().len())
        .collect();
    assert_eq!(names, [0, 1, 0]);
    assert_eq!(
        problems("a\n\n> ~~~js\n> b\n\nc\n\n```\nd\n"),
        [
            "p:3:3 mdx-unclosed-fence: this code block is not closed, so it continues to the end",
            "p:8:1 mdx-unclosed-fence: this code block is not closed, so it continues to the end",
        ]
    );
    assert_eq!(
        problems("<A>\n\n```js\nb\n\n</A>\n"),
        [
            "p:1:1 mdx-unclosed-element: `</A>` is inside of a code block that is not closed",
            "p:3:1 mdx-unclosed-fence: this code block is not closed, so it continues to the end",
        ]
    );
    let parsed = parse("<A>\n\nb\n\n- c", &Options::default());
    assert_eq!(parsed.value.children[0].children().len(), 2);
}

#[test]
fn a_closing_tag_closes_open_elements_inside() {
    assert_eq!(
        problems("<A>\n<B>\nx\n</A>"),
        ["p:2:1 mdx-unclosed-element: `<B>` is not closed"]
    );
    assert_eq!(
        problems("x </A>"),
        ["p:1:3 mdx-stray-closing-tag: `</A>` has no opening tag"]
    );
}

#[test]
fn an_invalid_brace_becomes_text() {
    let messages = problems("a {b\n\nc");
    assert_eq!(messages.len(), 1);
    assert!(
        messages[0].starts_with("p:1:3 mdx-unclosed-expression"),
        "{messages:?}"
    );
    let parsed = parse("a {b\n\nc", &Options::default());
    assert_eq!(plain_text(&parsed.value.children), "a {b\nc");
    assert_eq!(
        problems("'{\"a\": 1}'")[0].split(':').nth(2),
        Some("2 mdx-bad-expression")
    );
}

#[test]
fn an_invalid_tag_becomes_text() {
    assert_eq!(problems("a < b"), [""; 0]);
    assert!(problems("a <3")[0].starts_with("p:1:4 mdx-bad-tag"));
    assert!(problems("<https://a.b>")[0].contains("mdx-bad-tag"));
    assert!(problems("<A b=c>")[0].starts_with("p:1:6 mdx-bad-attribute"));
    assert!(problems("<A {b}>x</A>")[0].contains("mdx-bad-attribute"));
}

#[test]
fn html_comments_are_dropped() {
    let text = "a\n\n<!-- b\n\nc -->\n\nd <!-- e --> f";
    let parsed = parse(text, &Options::default());
    assert_eq!(problems(text).len(), 2);
    assert_eq!(plain_text(&parsed.value.children), "a\nd  f");
}

#[test]
fn content_directly_below_an_import_is_reported_and_retained() {
    let text = "import A from '/a.mdx'\n# Title\n";
    assert!(problems(text)[0].starts_with("p:2:1 mdx-bad-esm"));
    assert_eq!(
        outline(&parse(text, &Options::default()).value)[0].text,
        "Title"
    );
}

#[test]
fn excessive_depth_is_reported_once() {
    assert_eq!(problems(&"> ".repeat(300)).len(), 1);
    let messages = problems(&"<A>\n".repeat(300));
    assert!(
        messages
            .iter()
            .filter(|message| message.contains("mdx-too-deep"))
            .count()
            == 1
    );
}

#[test]
fn spans_inside_of_containers_refer_to_the_page() {
    let text = "> - a *b\n>   c* <X y={z}/>\n";
    let parsed = parse(text, &Options::default());
    let mut slices = Vec::new();
    svc_mdx::walk(&parsed.value.children, |node, _| {
        if matches!(node.kind, Kind::Emphasis(_) | Kind::Element(_)) {
            slices.push(&text[node.span.range()]);
        }
        true
    });
    assert_eq!(slices, ["*b\n>   c*", "<X y={z}/>"]);
}
