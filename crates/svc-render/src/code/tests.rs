//! Tests of highlighting.

use super::*;

/// Each token with the letter of its dark color, which keeps expected lines readable.
fn shown(lang: &str, code: &str) -> Vec<String> {
    // Letters for the dark colors of the default theme.
    const LETTERS: [(&str, char); 10] = [
        ("#569cd6", 'k'),
        ("#c586c0", 'K'),
        ("#dcdcaa", 'f'),
        ("#9cdcfe", 'v'),
        ("#4ec9b0", 't'),
        ("#ce9178", 's'),
        ("#b5cea8", 'n'),
        ("#6a9955", 'c'),
        ("#d4d4d4", 'o'),
        ("#4fc1ff", 'C'),
    ];
    let highlighter = Highlighter::new();
    let css = highlighter.palette_css(&Themes::DEFAULT, ".dark");
    let letter = |class: &str| {
        let dark = |rule: &&str| {
            rule.split(['{', ','])
                .any(|part| part == format!(".dark .{class}"))
        };
        let rule = css.lines().find(dark).unwrap_or_default();
        LETTERS
            .iter()
            .find(|known| rule.contains(known.0))
            .map_or('?', |known| known.1)
    };
    let one = |line: &String| {
        let mut out = String::new();
        for (number, part) in line.split("<span class=\"").enumerate() {
            match part.split_once("\">") {
                Some((class, rest)) if number > 0 => {
                    out.push_str(&format!(
                        "{}⟨{}",
                        letter(class),
                        rest.replace("</span>", "⟩")
                    ));
                }
                _ => out.push_str(part),
            }
        }
        out
    };
    highlighter
        .html(Some(lang), code, &Themes::DEFAULT)
        .lines
        .iter()
        .map(one)
        .collect()
}

#[test]
fn python_is_highlighted_like_in_an_editor() {
    let code = "def f(a: int) -> str:  # note\n    return f\"{a}<b>\"\n";
    assert_eq!(
        shown("python", code),
        [
            "k⟨def⟩ f⟨f⟩(v⟨a⟩: t⟨int⟩) -&gt; t⟨str⟩:  c⟨# note⟩",
            "    K⟨return⟩ k⟨f⟩s⟨\"⟩k⟨{⟩ak⟨}⟩s⟨&lt;b&gt;\"⟩",
        ]
    );
}

#[test]
fn shell_is_highlighted_like_in_an_editor() {
    let code = "echo \"$HOME\" | grep -v foo # hi\nexport A=1 && npm i --save x\n";
    assert_eq!(
        shown("bash", code),
        [
            "f⟨echo⟩ s⟨\"⟩v⟨$HOME⟩s⟨\"⟩ o⟨|⟩ f⟨grep⟩ k⟨-v⟩ s⟨foo⟩ c⟨# hi⟩",
            "k⟨export⟩ v⟨A⟩o⟨=⟩n⟨1⟩ &amp;&amp; f⟨npm⟩ s⟨i⟩ k⟨--save⟩ s⟨x⟩",
        ]
    );
}

#[test]
fn json_is_highlighted_like_in_an_editor() {
    assert_eq!(
        shown("json", "{ \"a\": [1, true, null], \"b\": \"c\" }"),
        ["{ v⟨\"a\"⟩: [n⟨1⟩, k⟨true⟩, k⟨null⟩], v⟨\"b\"⟩: s⟨\"c\"⟩ }"]
    );
}

#[test]
fn typescript_is_highlighted_like_in_an_editor() {
    let code = "const x: string = await f(`a${b}`); // c\nexport type T = { a?: number };\n";
    assert_eq!(
        shown("ts", code),
        [
            "k⟨const⟩ C⟨x⟩o⟨:⟩ t⟨string⟩ o⟨=⟩ K⟨await⟩ f⟨f⟩(s⟨`a⟩k⟨${⟩v⟨b⟩k⟨}⟩s⟨`⟩); c⟨// c⟩",
            "K⟨export⟩ k⟨type⟩ t⟨T⟩ o⟨=⟩ { v⟨a⟩o⟨?:⟩ t⟨number⟩ };",
        ]
    );
}

#[test]
fn a_code_block_in_markdown_has_the_colors_of_its_language() {
    let lines = shown("md", "# Title\n\n```python\nreturn 1\n```\n");
    assert_eq!(lines.get(3).map(String::as_str), Some("K⟨return⟩ n⟨1⟩"));
}

/// The text of a line of HTML.
fn text(html: &str) -> String {
    let parts = html
        .split('<')
        .map(|part| part.split_once('>').map_or(part, |(_, rest)| rest));
    parts
        .collect::<String>()
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[test]
fn no_grammar_loses_a_character() {
    let highlighter = Highlighter::new();
    let code = "<a href=\"x\">é &amp; 'q' `b` ${c} 日本\r\n\n\t# note // ok {% if %} 🙂 --flag=1;\n   \nend";
    let expected = [
        "<a href=\"x\">é &amp; 'q' `b` ${c} 日本",
        "",
        "\t# note // ok {% if %} 🙂 --flag=1;",
        "   ",
        "end",
    ];
    for id in (0..grammars::GRAMMAR_COUNT)
        .filter_map(grammars::grammar_id)
        .chain(["text"])
    {
        let block = highlighter.html(Some(id), code, &Themes::DEFAULT);
        let lines: Vec<String> = block.lines.iter().map(|line| text(line)).collect();
        assert_eq!(lines, expected, "{id}");
        assert!(block.complete, "{id}");
    }
}

#[test]
fn output_is_html_without_inline_styles() {
    let block = Highlighter::new().html(
        Some("html"),
        "<script>alert(\"&\")</script>",
        &Themes::DEFAULT,
    );
    let html = block.lines.concat();
    assert!(
        !html.contains("<script") && !html.contains("style="),
        "{html}"
    );
    assert_eq!(block.language.as_deref(), Some("html"));
}

#[test]
fn unknown_languages_are_plain_text() {
    let block = Highlighter::new().html(Some("klingon"), "a < b\nc\n", &Themes::DEFAULT);
    let expected = HighlightedLines {
        lines: vec!["a &lt; b".to_owned(), "c".to_owned()],
        language: None,
        complete: true,
    };
    assert_eq!(block, expected);
    assert_eq!(
        Highlighter::new().html(None, "", &Themes::DEFAULT).lines,
        [""]
    );
}

#[test]
fn unknown_themes_become_the_default_of_their_color_scheme() {
    let highlighter = Highlighter::new();
    let odd = Themes {
        light: "no-such",
        dark: "dark-plus",
    };
    assert_eq!(
        highlighter.palette_css(&odd, ".dark"),
        highlighter.palette_css(&Themes::DEFAULT, ".dark")
    );
    assert!(is_theme("snazzy-light") && !is_theme("no-such"));
}

#[test]
fn every_theme_has_a_stylesheet_with_every_class() {
    let highlighter = Highlighter::new();
    let code = "import a\nclass B(C):\n  \"\"\"Doc *x*\"\"\"\n  x = [1, 'a', None]  # c\n";
    for name in theme_names() {
        let themes = Themes {
            light: name,
            dark: name,
        };
        let css = highlighter.palette_css(&themes, ".dark");
        let html = highlighter
            .html(Some("python"), code, &themes)
            .lines
            .concat();
        for class in html
            .split("<span class=\"")
            .skip(1)
            .filter_map(|part| part.split_once('"'))
        {
            for class in class.0.split(' ') {
                let known = css
                    .split(['{', ',', '\n'])
                    .any(|part| part.ends_with(&format!(".{class}")));
                assert!(known, "{name}: {class}");
            }
        }
        assert!(html.contains("<span"), "{name}");
    }
}

#[test]
fn highlighting_is_deterministic() {
    let code = "const a = <T,>(x: T) => x;\n".repeat(20);
    let themes = Themes {
        light: "one-light",
        dark: "nord",
    };
    let used = Highlighter::new();
    let first = used.html(Some("tsx"), &code, &themes);
    assert_eq!(used.html(Some("tsx"), &code, &themes), first);
    assert_eq!(Highlighter::new().html(Some("tsx"), &code, &themes), first);
    assert_eq!(
        Highlighter::new().palette_css(&themes, ".dark"),
        used.palette_css(&themes, ".dark")
    );
}

#[test]
fn a_highlighter_is_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let highlighter = Highlighter::new();
    shared(&highlighter);
    let one = || {
        highlighter
            .html(Some("rust"), "fn main() {}", &Themes::DEFAULT)
            .lines
    };
    let (left, right) = std::thread::scope(|scope| {
        let (left, right) = (scope.spawn(one), scope.spawn(one));
        (
            left.join().expect("no panic"),
            right.join().expect("no panic"),
        )
    });
    assert_eq!(left, right);
}

#[test]
fn long_lines_and_blocks_are_plain() {
    let highlighter = Highlighter::new();
    let long = "1".repeat(MAX_LINE_CHARS + 1);
    let block = highlighter.html(
        Some("json"),
        &format!("[1]\n{long}\n[1]\n"),
        &Themes::DEFAULT,
    );
    assert!(!block.complete);
    assert_eq!(
        block
            .lines
            .iter()
            .map(|line| line.contains("<span"))
            .collect::<Vec<_>>(),
        [true, false, true]
    );
    let wide = "é".repeat(MAX_LINE_CHARS - 2);
    assert!(
        highlighter
            .html(Some("json"), &format!("\"{wide}\""), &Themes::DEFAULT)
            .complete
    );
    let block = highlighter.html(
        Some("json"),
        &"1\n".repeat(MAX_BLOCK_BYTES),
        &Themes::DEFAULT,
    );
    assert_eq!(block.lines.len(), MAX_BLOCK_BYTES);
    assert!(!block.lines.concat().contains('<'));
}

#[test]
fn work_is_bounded_by_the_length_of_lines() {
    let highlighter = Highlighter::new();
    let code = format!("{}\n", "[1]".repeat(300)).repeat(100);
    let block = highlighter.html(Some("json"), &code, &Themes::DEFAULT);
    let highlighted = block.lines.iter().filter(|line| line.contains("<span"));
    assert_eq!(highlighted.count(), MAX_WORK / 900 / 900);
    assert!(!block.complete);
}

#[test]
fn placeholders_in_shell_commands_are_words() {
    assert_eq!(
        shown("bash", "run --id <your-key> > out <<END"),
        ["f⟨run⟩ k⟨--id⟩ s⟨&lt;your-key&gt;⟩ o⟨&gt;⟩ s⟨out⟩ o⟨&lt;&lt;⟩END"]
    );
}

#[test]
fn ansi_colors_are_those_of_the_theme() {
    let highlighter = Highlighter::new();
    let block = highlighter.html(Some("ansi"), "\u{1b}[31mno\u{1b}[0m", &Themes::DEFAULT);
    assert_eq!(block.lines, ["<span class=\"ka1\">no</span>"]);
    let themes = Themes {
        light: "one-light",
        dark: "dracula",
    };
    let css = highlighter.palette_css(&themes, ".dark");
    assert!(css.contains(".ka1{color:var(--svc-ansi-1)}"), "{css}");
    let dark = css.lines().find(|line| line.starts_with(".dark{"));
    assert!(
        dark.is_some_and(|line| line.contains("--svc-ansi-1:#FF5555")),
        "{dark:?}"
    );
}

#[test]
fn the_css_variables_theme_uses_variables() {
    let highlighter = Highlighter::new();
    let themes = Themes {
        light: "css-variables",
        dark: "css-variables",
    };
    let css = highlighter.palette_css(&themes, ".dark");
    for name in [
        "color-text",
        "color-background",
        "token-constant",
        "token-string",
        "token-comment",
        "token-keyword",
        "token-parameter",
        "token-function",
        "token-string-expression",
        "token-punctuation",
        "token-link",
        "ansi-bright-red",
    ] {
        let text = format!("var(--svc-{name},var(--mint-{name},");
        assert!(css.contains(&text), "{name}: {css}");
    }
    let line = highlighter
        .html(Some("json"), "\"a\"", &themes)
        .lines
        .concat();
    let class = line.split('"').nth(1).expect("a class");
    let rules: Vec<&str> = css
        .lines()
        .filter(|rule| {
            rule.split(['{', ','])
                .any(|part| part == format!(".{class}") || part == format!(".dark .{class}"))
        })
        .collect();
    let [light, dark] = rules.as_slice() else {
        panic!("a rule for each side: {rules:?}");
    };
    assert!(
        light.contains("--svc-token-string,var(--mint-token-string,#0a3069)"),
        "{light}"
    );
    assert!(
        dark.contains("--svc-token-string,var(--mint-token-string,#ce9178)"),
        "{dark}"
    );
}

#[test]
fn other_themes_override_the_built_in_ones_completely() {
    let themes = Themes {
        light: "dracula",
        dark: "dracula",
    };
    let css = Highlighter::new().palette_css(&themes, ".dark");
    let rules = |start: &str| {
        let first = |rule: &&str| {
            let selectors = rule.split('{').next().unwrap_or_default();
            selectors
                .split(',')
                .any(|selector| selector.strip_prefix(start) == Some("0"))
        };
        css.lines()
            .filter(first)
            .map(|rule| rule.split_once('{').expect("a rule").1)
            .collect::<Vec<_>>()
    };
    let [light] = rules(".k")[..] else {
        panic!("one rule: {css}");
    };
    assert_eq!(rules(".dark .k"), [light]);
    for part in ["color:", "font-weight:", "font-style:", "text-decoration:"] {
        assert!(light.contains(part), "{part}: {light}");
    }
}

#[test]
fn a_scoped_theme_is_complete() {
    let highlighter = Highlighter::new();
    let css = highlighter.scoped_css("nord", "x");
    assert!(css.starts_with(":root .x"), "{css}");
    for rule in css.lines().filter(|rule| rule.contains(".k0{")) {
        assert!(
            rule.contains("font-weight") && rule.contains("color:"),
            "{rule}"
        );
    }
    assert_eq!(highlighter.is_dark("nord"), Some(true));
    assert_eq!(highlighter.is_dark("one-light"), Some(false));
    assert_eq!(highlighter.is_dark("css-variables"), None);
}

#[test]
fn hostile_code_takes_bounded_time() {
    let highlighter = Highlighter::new();
    for lang in ["python", "bash", "tsx", "mdx", "yaml", "html", "ruby"] {
        for part in [
            "(", "((a", "{", "<a ", "`", "${", "$(", "a<b<", "_*", "[a](", "- ", "\\", "f\"{", "=>",
        ] {
            let line = part.repeat(990 / part.len());
            let code = format!("{line}\n").repeat(5);
            let block = highlighter.html(Some(lang), &code, &Themes::DEFAULT);
            let expected = vec![line.trim_end().to_owned(); 5];
            let lines: Vec<String> = block
                .lines
                .iter()
                .map(|line| text(line).trim_end().to_owned())
                .collect();
            assert_eq!(lines, expected, "{lang} {part}");
        }
    }
}

#[test]
fn deep_nesting_is_not_highlighted() {
    let code = format!("[1]\n{}", format!("{}1\n", "[".repeat(900)).repeat(200));
    let block = Highlighter::new().html(Some("json"), &code, &Themes::DEFAULT);
    assert!(!block.complete);
    assert_eq!(block.lines.len(), 201);
    assert!(
        block
            .lines
            .first()
            .is_some_and(|line| line.contains("<span"))
    );
    assert!(
        !block
            .lines
            .last()
            .is_some_and(|line| line.contains("<span"))
    );
}
