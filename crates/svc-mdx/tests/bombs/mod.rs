//! Inputs that take other parsers more than linear time; shared by the tests and the benchmark.

use std::fmt::Write as _;

/// Returns all inputs, each of about `size` bytes.
pub(crate) fn bombs(size: usize) -> Vec<(&'static str, String)> {
    let mut all = marks(size);
    all.extend(pages(size));
    all
}

/// Delimiters that are never closed, or closed too often.
fn marks(size: usize) -> Vec<(&'static str, String)> {
    let repeat = |piece: &str| piece.repeat(size / piece.len() + 1);
    let half = |open: &str, close: &str| {
        let count = size / (open.len() + close.len()) + 1;
        format!("{}x{}", open.repeat(count), close.repeat(count))
    };
    let mut ladder = String::new();
    for length in 1.. {
        if ladder.len() > size {
            break;
        }
        let _ = write!(ladder, "{} ", "`".repeat(length));
    }
    let mut stairs = String::new();
    for depth in 0.. {
        if stairs.len() > size {
            break;
        }
        let _ = writeln!(stairs, "{}- a", " ".repeat(2 * depth));
    }
    let mut nested = String::new();
    for depth in 0..90 {
        let _ = writeln!(nested, "{}- <A", "  ".repeat(depth));
    }
    nested.push_str(&repeat(&format!("{}b=\"\n", " ".repeat(180))));
    vec![
        ("quotes", repeat("> ")),
        ("quotes without space", repeat(">")),
        ("lists in a line", repeat("- ")),
        ("list stairs", stairs),
        ("opening emphasis", repeat("*a _ ")),
        ("nested emphasis", half("*", "*")),
        ("nested emphasis with text", half("*a ", " a*")),
        ("strikethrough", repeat("~~a ~b")),
        ("brackets", repeat("[")),
        ("nested brackets", half("[", "]")),
        ("link openers", repeat("[a](")),
        ("images", repeat("![[]()")),
        ("titles", repeat("[a](b \"")),
        ("titles in parentheses", repeat("[a](b (")),
        ("back-ticks", ladder),
        ("dollars", repeat("$a $")),
        ("opening tags", repeat("<A>")),
        ("opening tags on lines", repeat("<A>\n")),
        ("unclosed tags on lines", repeat("<A\n")),
        ("unclosed attributes", repeat("<A b=\"\n\n")),
        ("unclosed attributes in a line", repeat("<A b='\" ")),
        ("closing tags", repeat("</A>")),
        ("nested tags", half("<A>\n", "</A>\n")),
        ("braces", repeat("{")),
        ("braces on lines", repeat("{\n")),
        ("braces on lines apart", repeat("{\n\n")),
        ("braces in a list", repeat("- {\n")),
        ("braces in quotes", repeat("> {`\n")),
        ("one expression", format!("{{[{}]}}", repeat("{a:1},"))),
        (
            "one export",
            format!("export const a = [\n{}]\n", repeat("1,\n\n")),
        ),
        (
            "an export without end",
            format!("export const a = [\n{}", repeat("1,\n\n")),
        ),
        ("many exports without end", repeat("export const a = [\n\n")),
        (
            "stray braces in an export",
            format!("export const a = {}", half("(", "}")),
        ),
        (
            "braces that close few brackets",
            repeat("export conste {= ( version }) => {\n    return (\n    "),
        ),
        ("regular expressions that do not end", repeat("[{/l*[a]")),
        ("regular expressions and braces", repeat("{/[ }")),
        ("strings that do not end", format!("{{{}}}", repeat("\\'"))),
        ("strings and braces", repeat("{\\' }")),
        ("slashes in braces", format!("{{{}}}", repeat("a /"))),
        ("templates", repeat("{`${")),
        ("references", repeat("&a")),
        ("definitions", repeat("[a]: b\n")),
        ("labels", repeat("[a]: b \"\n")),
        (
            "references to definitions",
            format!("[a]: b\n\n{}", repeat("[a] ")),
        ),
        ("nested references", format!("[a]: b\n\n{}", half("[", "]"))),
        ("footnotes", repeat("[^a]: ")),
        ("table rows", format!("|a|\n|-|\n{}", repeat("|b|\n"))),
        ("table heads", repeat("|a|\n")),
        (
            "table columns",
            format!("{}\n{}\n", repeat("|a"), repeat("|-")),
        ),
        ("addresses", repeat("www.")),
        ("addresses after letters", repeat("éwww._a")),
        (
            "marks after an address",
            format!("http://a.b/{}", repeat("&")),
        ),
        (
            "marks after an address",
            format!("http://a.b/{}x", repeat("!")),
        ),
        (
            "marks after an address",
            format!("http://a.b/{}x", repeat("]")),
        ),
        (
            "marks after an address",
            format!("http://a.b/{}", repeat("&a;")),
        ),
        ("dots in a domain", format!("http://{}", repeat("a._"))),
        ("mails", repeat("a@")),
        ("mail names", repeat("a.")),
        ("fences", repeat("```\n")),
        ("setext", repeat("a\n=\n")),
        ("paragraph", repeat("a\n")),
        ("comments", repeat("<!-- ")),
        ("comment lines", repeat("<!--\n\n")),
        ("tabs", repeat("\t- ")),
        ("blank", repeat(" \n")),
        ("tags in lists", nested),
    ]
}

/// Usual content in large amounts, and deep containers.
fn pages(size: usize) -> Vec<(&'static str, String)> {
    let repeat = |piece: &str| piece.repeat(size / piece.len() + 1);
    let mut definitions = String::from("[a]: b\n\n");
    let mut i = 0;
    while definitions.len() < size {
        let _ = writeln!(definitions, "[a{i}]: b{i}\n");
        i += 1;
    }
    vec![
        (
            "mixed page",
            repeat(
                "## Head\n\nText *a* **b** `c` [l](/u).\n\n<Card title=\"a\">\n  x\n</Card>\n\n- a\n- b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet a = 1\n```\n\n",
            ),
        ),
        (
            "wide table",
            format!(
                "| a | b | c |\n|---|---|---|\n{}",
                repeat("| one | `two` | three |\n")
            ),
        ),
        ("flat list", repeat("- item one\n")),
        ("loose list", repeat("- item one\n\n")),
        (
            "cards",
            repeat("<Card title=\"a\" icon=\"b\">\n  Text\n</Card>\n\n"),
        ),
        ("one line", repeat("word word, word. ")),
        ("many lines", repeat("word word, word.\n")),
        ("*** run", {
            let c = size / 2;
            format!("{}a{}", "*".repeat(c), "*".repeat(c))
        }),
        ("definitions many", definitions),
        ("a_ marks", repeat("a_ ")),
        ("_ * mix", repeat("*_a ")),
        ("link in link", repeat("[a](b) ")),
        ("autolinks", repeat("https://a.b/c ")),
        ("ampersand run", repeat("&amp;")),
        ("amp web", format!("{}x", repeat("https://a.b&"))),
        ("emails", repeat("a@b.c ")),
        ("nested A indent", repeat("<A>\n\n")),
        ("unclosed A B", repeat("<A><B></A>")),
        ("inline unclosed", repeat("x <A> ")),
        ("escaped", repeat("\\*")),
        ("hard breaks", repeat("a  \n")),
        ("spaces", format!("a{}b", repeat(" "))),
        (
            "spaces in lines",
            repeat("a                                                             \n"),
        ),
        ("list of quotes", repeat("- > a\n")),
        (
            "quote lazies",
            format!("{}\n{}", "> ".repeat(99), repeat("a\n")),
        ),
        (
            "deep list lazies",
            format!("{}a\n{}", "- ".repeat(99), repeat("a\n")),
        ),
        (
            "deep list blanks",
            format!("{}a\n{}", "- ".repeat(99), repeat("\n")),
        ),
        ("footnote refs", format!("[^a]: x\n\n{}", repeat("[^a] "))),
        ("footnote opens", repeat("[^")),
        ("image openers", repeat("![")),
        ("img dest", repeat("![a](<b")),
        ("dest parens", repeat("[a]((")),
        ("dest long", format!("[a]({}", repeat("b"))),
        (
            "code in cells",
            format!("|a|\n|-|\n{}", repeat("|`a\\|b`|\n")),
        ),
        ("dollar runs", repeat("$$a $ ")),
        ("pluses", format!("+++\n{}", repeat("a\n"))),
        ("tag spaces", repeat("<A ")),
        ("attr many", format!("<A {}/>", repeat("b=\"c\" "))),
        ("attr expr", format!("<A {}/>", repeat("b={c} "))),
        ("text attr", format!("x <A {}/>", repeat("b=\"c\" "))),
        ("jsx in expr", format!("{{{}}}", repeat("<A/>"))),
        ("nested jsx in expr", {
            let c = size / 7;
            format!("{{{}{}}}", "<A>".repeat(c), "</A>".repeat(c))
        }),
        ("bad quotes", repeat("{' ")),
        ("template nest", repeat("{`a`}")),
        ("headings", repeat("# a\n")),
        ("headings id", repeat("# a {#b}\n")),
        ("heading open id", format!("# {}", repeat("{#"))),
        ("thematic", repeat("***\n")),
        ("thematic spaces", repeat("* * * a\n")),
        ("numbers", repeat("1. a\n")),
        ("stars in a line", repeat("* ")),
        ("math fences", repeat("$$\na\n")),
        ("fence in list", format!("- ```\n{}", repeat("  a\n"))),
        ("fence in stairs", {
            let mut s = String::new();
            for d in 0..90 {
                let _ = writeln!(s, "{}- a", " ".repeat(2 * d));
            }
            let _ = writeln!(s, "{}```", " ".repeat(180));
            let l = format!("{}x\n", " ".repeat(180));
            s.push_str(&l.repeat(size / l.len() + 1));
            s
        }),
        (
            "quotes 90 deep lines",
            format!("{}a\n", "> ".repeat(90)).repeat(size / 182 + 1),
        ),
        ("brace then text in quote", repeat("> {a\n")),
        ("tag long in list", format!("- <A\n{}", repeat("  b\n"))),
        ("html comments", repeat("<!-- a -->")),
        ("import lines", repeat("import a from 'b'\n")),
        ("cr only", repeat("a\r")),
        ("nul", repeat("\0")),
        ("unicode", repeat("é* ")),
    ]
}
