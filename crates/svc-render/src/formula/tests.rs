//! Tests of formulas: supported input, rejected input, and the cost of hostile input.

use std::time::{Duration, Instant};

use super::mathml;

#[track_caller]
fn render(source: &str) -> String {
    match mathml(source, true) {
        Ok(html) => html.into_string(),
        Err(problem) => panic!("{source}: {problem:?}"),
    }
}

#[test]
fn every_listed_formula_is_rendered_deterministically() {
    let list = include_str!("formulas.txt");
    let formulas = list.lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for formula in formulas {
        let first = render(formula);
        assert_eq!(first, render(formula), "{formula}");
        assert!(first.starts_with("<math "), "{first}");
        for name in ["menclose", "columnalign", "columnspacing", "<span", "href"] {
            assert!(!first.contains(name), "{formula}: {first}");
        }
        // The engine marks unsupported commands with its error color.
        assert!(!first.contains("#cc0000"), "{formula}: {first}");
        count += 1;
    }
    assert!(count >= 200, "{count} formulas");
}

#[test]
fn presentation_attributes_are_converted_to_mathml_core() {
    for (formula, parts) in [
        ("\\mathbb{R}", &["<mi>ℝ</mi>"][..]),
        ("\\mathrm{d}", &["<mi mathvariant=\"normal\">d</mi>"]),
        ("\\textbf{a b}", &["<mtext class=\"svc-math-bold\">"]),
        (
            "\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}",
            &["class=\"svc-math-right\"", "class=\"svc-math-left\""],
        ),
        (
            "\\begin{array}{l|r} a & b \\\\ \\hline c & d \\end{array}",
            &[
                "svc-math-right svc-math-rule-left",
                "svc-math-left svc-math-rule-top",
            ],
        ),
        ("\\cancel{x}", &["<mrow class=\"svc-math-up\">"]),
        ("\\boxed{x}", &["<mrow class=\"svc-math-box\">"]),
        ("E \\tag{1}", &["svc-math-full", "svc-math-number"]),
        ("a \\\\ b", &["<mtable", "<mi>a</mi>", "<mi>b</mi>"]),
        ("\\textcolor{red}{x}", &["mathcolor=\"red\""]),
        (
            "a < b",
            &["<annotation encoding=\"application/x-tex\">a &lt; b</annotation>"],
        ),
    ] {
        let html = render(formula);
        let mut rest = html.as_str();
        for part in parts {
            let at = rest.find(part);
            assert!(at.is_some(), "{formula}: no {part} in {html}");
            rest = &rest[at.unwrap_or(0)..];
        }
    }
}

#[test]
fn errors_have_an_offset() {
    for (formula, reason, at) in [
        ("x + \\unheardof", "\\unheardof", Some(4)),
        ("\\frac{a}{", "", Some(9)),
        ("a } b", "", Some(2)),
        ("\\begin{matrix} a", "\\end", None),
    ] {
        let problem = mathml(formula, false).expect_err(formula);
        assert!(problem.reason.contains(reason), "{problem:?}");
        assert!(!problem.reason.is_empty());
        assert_eq!(problem.offset, at, "{formula}: {problem:?}");
    }
}

#[test]
fn formulas_cannot_contain_markup_or_urls() {
    for formula in [
        "\\href{javascript:alert(1)}{x}",
        "\\url{https://example.com}",
        "\\includegraphics{https://example.com/a.png}",
        "\\htmlStyle{background:url(x)}{y}",
        "\\htmlData{onclick=alert}{y}",
        "\\htmlId{a}{x}\\htmlClass{b}{y}",
        "\\text{<script>alert(1)</script>}",
        "\\text{</math><img src=x onerror=alert(1)>}",
        "\\color{red;background:url(x)} x",
        "\\textcolor{\"><script>}{x}",
        "\\char\"3C script \\char\"3E",
    ] {
        let html = mathml(formula, true).map_or_else(|_| String::new(), |html| html.into_string());
        let tags = html.replace(&crate::html::Html::text(formula).into_string(), "");
        for hostile in ["<script", "<img", "href=", "url(", "id=\"", " on", "<a "] {
            assert!(!tags.contains(hostile), "{formula}: {html}");
        }
    }
}

#[test]
fn hostile_formulas_are_rejected_quickly() {
    let nest = |open: &str, close: &str, times: usize| {
        format!("{}x{}", open.repeat(times), close.repeat(times))
    };
    let fill = |part: &str| part.repeat(16_000 / part.len());
    let mut bombs = vec![
        "{".repeat(100_000),
        "}".repeat(15_000),
        nest("{", "}", 7_000),
        nest("\\sqrt{", "}", 10_000),
        "\\sqrt".repeat(3_000),
        "\\left(".repeat(2_000),
        "\\text{$".repeat(2_000),
        nest("\\begin{matrix}", "\\end{matrix}", 500),
        "\\def\\a{\\a}\\a".to_owned(),
        "\\def\\a{\\sqrt{\\a}}\\a".to_owned(),
        "\\def\\a{{{{{{{{{{{{{{\\a}}}}}}}}}}}}}}\\a".to_owned(),
        "\\def\\a{\\boxed{\\boxed{\\boxed{\\a}}}}\\a".to_owned(),
        format!("\\def\\a{{xx}}{}\\a", "\\edef\\a{\\a\\a}".repeat(60)),
        format!("\\def\\a#1{{#1#1}}{}x{}", "\\a{".repeat(60), "}".repeat(60)),
        format!("\\def\\a{{{}}}{}", "x".repeat(900), "\\a".repeat(500)),
        "\\newcommand{\\a}[1]{\\frac{#1}{#1}}\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{x}}}}}}}}".to_owned(),
        "\u{0}\u{1}\u{202e}\u{feff}".to_owned(),
        "👩‍👩‍👧 é ̸ ﷽ \u{10ffff}".to_owned(),
        format!("\\begin{{matrix}}{}\\end{{matrix}}", "&".repeat(15_000)),
        format!("\\rule{{{}em}}{{1em}}", "9".repeat(400)),
    ];
    for part in [
        "\\displaystyle ",
        "\\rm ",
        "\\frac12",
        "\\mathbf ",
        "\\color{red}",
        "'",
        "^",
        "a\\\\",
        "%\n",
        "\\pmb x",
        "\\left(\\right)",
        "\\tag{1}",
        "\\neq",
        "{}",
        "&",
        "\\hat",
        "\\not",
        "1",
        "é",
        "\\text\\text",
    ] {
        bombs.push(fill(part));
    }
    for (open, close) in [
        ("\\boxed{", "}"),
        ("\\text{$", "$}"),
        ("\\bra{", "}"),
        ("\\substack{", "}"),
        ("\\begin{aligned}", "\\end{aligned}"),
        ("\\left(", "\\right)"),
        ("x^{", "}"),
        ("\\pmb{", "}"),
        ("\\mathchoice{a}{b}{c}{", "}"),
        ("\\overset{a}{", "}"),
        ("\\html@mathml{a}{", "}"),
        ("\\mathbf\\mathbf\\mathbf{", "}"),
    ] {
        for times in [40, 50, 99] {
            bombs.push(nest(open, close, times));
        }
    }
    for bomb in bombs {
        let begin = Instant::now();
        let result = mathml(&bomb, true);
        let took = begin.elapsed();
        let size = result.map_or(0, |html| html.len());
        assert!(size < 3 << 20, "{bomb:.40}: {size} bytes");
        assert!(took < Duration::from_secs(5), "{bomb:.40}: {took:?}");
    }
}
