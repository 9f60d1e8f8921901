//! Conversion of rendered pages and of markup that is not well formed.

use super::{BookPart, html_to_book, html_to_markdown};
use crate::html::Html;
use crate::testing;

/// The Markdown of a page.
fn markdown(source: &str) -> String {
    let page = testing::agent_page(source);
    assert!(page.problems.is_empty(), "{:?}", page.problems);
    html_to_markdown(&Html::trusted(page.html), "")
}

#[test]
fn markdown_stays_as_it_is() {
    for source in [
        "## Title\n\nSome *text* with **words**, `code`, ~~no~~ and a [link](https://x.test/a).\n",
        "- one\n- two\n  - inner\n- three\n",
        "3. three\n4. four\n",
        "- first\n\n  second\n- other\n",
        "> quoted\n>\n> more\n",
        "| a | b |\n| --- | --- |\n| 1 | `x \\| y` |\n",
        "```js\nlet a = `1`;\n\n\nlet b;\n```\n",
        "````md\n```\ninner\n```\n````\n",
        "- [x] done\n- [ ] open\n",
        "![An image](https://x.test/a.png)\n",
        "one\n\n---\n\ntwo\n",
        "A formula $a^2 < b$ in a line.\n",
    ] {
        assert_eq!(markdown(source), source);
    }
}

#[test]
fn text_that_looks_like_markup_is_escaped() {
    assert_eq!(markdown("2 \\* 3 \\< 4\n"), "2 \\* 3 < 4\n");
    assert_eq!(
        markdown("a \\<token> and \\`b`\n"),
        "a \\<token> and \\`b\\`\n"
    );
    assert_eq!(markdown("1\\. no list\n"), "1\\. no list\n");
    assert_eq!(markdown("\\# no heading\n"), "\\# no heading\n");
    assert_eq!(markdown("snake_case_name\n"), "snake_case_name\n");
}

#[test]
fn components_become_markdown() {
    for (source, expected) in [
        (
            "<Note>\nA *note*.\n\nMore.\n</Note>",
            "> **Note:** A *note*.\n>\n> More.\n",
        ),
        (
            "<Card title=\"A\" href=\"https://x.test\">Text.</Card>\n<Card title=\"B\">\n- x\n</Card>",
            "- [A](https://x.test): Text.\n- **B**:\n\n  - x\n",
        ),
        (
            "<Tabs>\n<Tab title=\"One\">\na\n</Tab>\n<Tab title=\"Two\">\n- b\n</Tab>\n</Tabs>",
            "**One**\n\na\n\n**Two**\n\n- b\n",
        ),
        (
            "<CodeGroup>\n```bash npm\nnpm i\n```\n```bash yarn\nyarn\n```\n</CodeGroup>",
            "**npm**\n\n```bash\nnpm i\n```\n\n**yarn**\n\n```bash\nyarn\n```\n",
        ),
        (
            "<Steps>\n<Step title=\"First\">\na\n</Step>\n<Step title=\"Second\">\n```\nb\n```\n</Step>\n</Steps>",
            "**1. First**\n\na\n\n**2. Second**\n\n```\nb\n```\n",
        ),
        (
            "<Accordion title=\"Why?\">\nBecause.\n</Accordion>",
            "**Why?**\n\nBecause.\n",
        ),
        (
            "<ResponseField name=\"id\" type=\"string\" required>\nThe id.\n\n<Expandable title=\"parts\">\n<ResponseField name=\"a\" type=\"number\">x</ResponseField>\n</Expandable>\n</ResponseField>",
            "- `id` `string` required — The id.\n\n  **Show parts**\n\n  - `a` `number` — x\n",
        ),
        (
            "<ParamField query=\"limit\" type=\"integer\" default=\"20\">\nHow many.\n\n- one\n</ParamField>\n<ParamField body=\"ids\" type=\"list<string>\" required />",
            "- `limit` `integer` query default: `20` — How many.\n  - one\n- `ids` `list<string>` body required\n",
        ),
        (
            "```js src/app.js\nlet a;\n```",
            "**src/app.js**\n\n```js\nlet a;\n```\n",
        ),
        (
            "<Tooltip tip=\"Application programming interface\">API</Tooltip> first",
            "API (Application programming interface) first\n",
        ),
        (
            "<Tree>\n<Tree.Folder name=\"src\" defaultOpen>\n<Tree.File name=\"main.rs\" />\n</Tree.Folder>\n<Tree.File name=\"a.toml\" />\n</Tree>",
            "- src\n  - main.rs\n- a.toml\n",
        ),
        (
            "<Update label=\"1.2\" description=\"May\" tags={[\"New\"]}>\nText\n</Update>",
            "## 1.2\n\n*May · New*\n\nText\n",
        ),
        (
            "```mermaid\nflowchart LR\n  A --> B\n```",
            "```mermaid\nflowchart LR\n  A --> B\n```\n",
        ),
        ("$$\na^2\n$$", "$$a^2$$\n"),
        (
            "<Frame caption=\"The caption\">\n![x](https://x.test/a.png)\n</Frame>",
            "![x](https://x.test/a.png)\n\n**The caption**\n",
        ),
        (
            "<iframe src=\"https://www.youtube.com/embed/a\" title=\"Tour\" />",
            "[Embedded page: Tour](https://www.youtube.com/embed/a)\n",
        ),
        (
            "<Visibility for=\"agents\">for you</Visibility>\n\n<Visibility for=\"humans\">not</Visibility>",
            "for you\n",
        ),
    ] {
        assert_eq!(markdown(source), expected, "{source}");
    }
}

#[test]
fn markup_that_is_not_well_formed_loses_no_text() {
    for (html, expected) in [
        ("<div><p>a</div>b</p>c", "a\n\nbc\n"),
        ("</p>a<b>c", "a**c**\n"),
        ("<p title=\"a>b\">x</p><!-- y -->", "x\n"),
        (
            "a &lt;b&gt; &#65;&#x42; &unknown; &",
            "a \\<b> AB &unknown; &\n",
        ),
        ("<a href=\"/x y\">z</a><script>no</script>", "[z](</x y>)\n"),
        ("<", ""),
    ] {
        assert_eq!(
            html_to_markdown(&Html::trusted(html.to_owned()), ""),
            expected
        );
    }
    let deep = "<div>".repeat(100_000) + "x";
    assert_eq!(html_to_markdown(&Html::trusted(deep), ""), "x\n");
}

#[test]
fn links_are_absolute_if_the_origin_is_known() {
    let html = Html::trusted(
        "<a href=\"/a\">a</a> <a href=\"#b\">b</a> <a href=\"//c.test\">c</a> <img src=\"/d.png\">"
            .to_owned(),
    );
    assert_eq!(
        html_to_markdown(&html, "https://x.test"),
        "[a](https://x.test/a) [b](#b) [c](//c.test) ![](https://x.test/d.png)\n"
    );
}

#[test]
fn formulas_of_books_are_valid_mathml() {
    let book = |markup: &str| match &html_to_book(&Html::trusted(markup.to_owned()), "p1-").parts[..]
    {
        [BookPart::Markup(markup)] => markup.clone(),
        parts => panic!("{parts:?}"),
    };
    // Tokens contain text only.
    assert_eq!(
        book("<math display=\"block\"><mo>a &lt; <mi mathvariant=\"normal\">x</mi></mo></math>"),
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\"><mrow><mtext>a &lt; </mtext><mi mathvariant=\"normal\">x</mi></mrow></math>"
    );
    // Only what formulas of pages contain.
    assert_eq!(
        book("<math onclick=\"a()\"><mn class=\"b\" style=\"background:url(c)\">1</mn></math>"),
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mn class=\"b\">1</mn></math>"
    );
    assert_eq!(
        book("<math><mi>x</mi><b>y</b></math>"),
        "<code class=\"formula\">xy</code>"
    );
}
