//! Pages that `@mdx-js/mdx` rejects are rejected at the same line, and similar valid pages are
//! accepted. The lines were recorded from `@mdx-js/mdx`.
//!
//! With the feature `oxc` the JavaScript inside is compared too.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop, and says what it skipped"
)]

use svc_diagnostics::{Checked, Severity, SourceFile};
use svc_mdx::{Document, Options, ParseDiagnostic, parse};

/// Expected result of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    /// Accepted by both parsers.
    Good,
    /// Rejected by the parser, at the line of `@mdx-js/mdx`.
    Same(usize),
    /// Rejected by `check`, at the line of `@mdx-js/mdx`; accepted by the parser.
    Grammar(usize),
    /// `@mdx-js/mdx` reports the first line, at which it detects the error; the parser reports the
    /// second one, at which the unclosed tag, brace or value begins.
    Begins(usize, usize),
    /// Same as `Grammar`, with the line of `@mdx-js/mdx` and ours.
    Elsewhere(usize, usize),
    /// Rejected by `@mdx-js/mdx` at this line and accepted here: rules beyond the grammar (reserved
    /// words, duplicate bindings), or newer JavaScript.
    Read(usize),
}

use Case::{Begins, Elsewhere, Good, Grammar, Read, Same};

#[rustfmt::skip]
static CASES: &[(&str, Case)] = &[
    ("<A>", Same(1)),
    ("a\n\n<Card>\nb\n", Same(3)),
    ("<A>\n\n<B>\n\n</A>", Begins(5, 3)),
    ("<A></B>", Same(1)),
    ("x\n\n</A>", Same(3)),
    ("a </b> c", Same(1)),
    ("a <b> c", Same(1)),
    ("*a <b>* c</b>", Same(1)),
    ("- <A>\n\nb\n\n</A>", Same(1)),
    ("> <A>\n\nb </A>", Same(1)),
    ("<A>\n- b\n</A> c\n- d <E>", Begins(3, 1)),
    ("<a", Same(1)),
    ("a\n<a", Same(2)),
    ("a\n\n<a b", Same(3)),
    ("<1>", Same(1)),
    ("a <1 b", Same(1)),
    ("<=b", Same(1)),
    ("a <- b", Same(1)),
    ("< a>", Good),
    ("a < b", Good),
    ("<a.>", Same(1)),
    ("<a:>", Same(1)),
    ("<a.b:c/>", Same(1)),
    ("<a:b.c/>", Same(1)),
    ("<a:b:c/>", Same(1)),
    ("<a.1/>", Same(1)),
    ("<a / b>", Same(1)),
    ("<a/ >", Good),
    ("</a/>", Same(1)),
    ("</a b>", Same(1)),
    ("</>", Same(1)),
    ("<>a", Same(1)),
    ("<></a>", Same(1)),
    ("<a></>", Same(1)),
    ("<br>", Same(1)),
    ("a<br>b", Same(1)),
    ("<img src=\"a\">", Same(1)),
    ("<br></br>", Good),
    ("<img src=\"a\"> </img> b", Good),
    ("<A>\n  <img src=\"a\">\n  </img>\n</A>", Good),
    ("<br><br></br>", Same(1)),
    ("<br></hr>", Same(1)),
    ("<!-- a -->", Same(1)),
    ("a <!-- b --> c", Same(1)),
    ("<!-- a\n\nb -->", Same(1)),
    ("<!DOCTYPE html>", Same(1)),
    ("<?a?>", Same(1)),
    ("<![CDATA[a]]>", Same(1)),
    ("<https://a.b>", Same(1)),
    ("see <a@b.c> now", Same(1)),
    ("<A>\n\n## b\n\n</A", Begins(5, 1)),
    ("<A>\n\n<B>\n\n</B>\n", Same(1)),
    ("<A>\n  <B>\n  </A>\n</B>", Begins(3, 2)),
    ("| a |\n|---|\n| <b> |", Same(3)),
    ("# a <b>", Same(1)),
    ("[a <b>](c)</b>", Same(1)),
    ("**a<b>**", Same(1)),
    ("1. <A>\n2. b\n", Same(1)),
    ("<A>b\n\nc</A>", Same(1)),
    ("<A>\n  b</A>\n", Begins(2, 1)),
    ("a\n\n  <A>\n\n- b\n", Same(3)),
    ("<a b=>", Same(1)),
    ("<a b=c/>", Same(1)),
    ("<a b='c/>", Same(1)),
    ("<a b=\"c/>\n\nd", Begins(3, 1)),
    ("<a 1/>", Same(1)),
    ("<a \"b\"/>", Same(1)),
    ("<a b\"c\"/>", Same(1)),
    ("<a b!/>", Same(1)),
    ("<a b:/>", Same(1)),
    ("<a b:c:d/>", Same(1)),
    ("<a b.c/>", Same(1)),
    ("<a =b/>", Same(1)),
    ("<a b={}/>", Same(1)),
    ("<a b={c/>", Same(1)),
    ("<a b={c d}/>", Same(1)),
    ("<a b={1 +}/>", Same(1)),
    ("<a {b}/>", Same(1)),
    ("<a {}/>", Same(1)),
    ("<a {...}/>", Same(1)),
    ("<a {...b c}/>", Same(1)),
    ("<a {...b, c}/>", Grammar(1)),
    ("<a {/* b */}/>", Same(1)),
    ("<a b=<c/>/>", Same(1)),
    ("<a\n b={\n  c d\n }\n/>", Begins(3, 2)),
    ("<a b=\"c\"d=\"e\"/>", Good),
    ("<a b c=1/>", Same(1)),
    ("<a, b/>", Same(1)),
    ("<a b={`${c`}/>", Same(1)),
    ("<a b={{c: 1}/>", Same(1)),
    ("<a b={{c 1}}/>", Grammar(1)),
    ("<a b={\"c}/>", Same(1)),
    ("<a //b\n/>", Same(1)),
    ("<a b={/* c */}/>", Same(1)),
    ("a <b c={1 2}/> d", Same(1)),
    ("<a b={c;}/>", Same(1)),
    ("<a @b/>", Same(1)),
    ("<a b={x => }/>", Same(1)),
    ("<a b={<c>}/>", Grammar(1)),
    ("<a b={<c></d>}/>", Grammar(1)),
    ("<a b={if (c) d}/>", Same(1)),
    ("{", Same(1)),
    ("a { b", Same(1)),
    ("}", Good),
    ("a } b", Good),
    ("{a", Same(1)),
    ("{a\n\nb", Begins(3, 1)),
    ("{a}}", Good),
    ("{{a}}", Good),
    ("{a b}", Same(1)),
    ("a {b c} d", Same(1)),
    ("a\n\n{b +}", Same(3)),
    ("{;}", Same(1)),
    ("{a;}", Same(1)),
    ("{a: 1}", Same(1)),
    ("{\"a\": 1}", Same(1)),
    ("{// a}", Same(1)),
    ("{// a\n}", Good),
    ("{/* a */", Same(1)),
    ("{/* a }", Same(1)),
    ("{'a}", Same(1)),
    ("{`a}", Same(1)),
    ("{`${a`}", Same(1)),
    ("{a ? b}", Grammar(1)),
    ("{a.}", Same(1)),
    ("{a..b}", Grammar(1)),
    ("{1a}", Grammar(1)),
    ("{a[}", Grammar(1)),
    ("{a(}", Grammar(1)),
    ("{(a}", Grammar(1)),
    ("{a)}", Same(1)),
    ("{<a>}", Grammar(1)),
    ("{<a></b>}", Grammar(1)),
    ("{return a}", Grammar(1)),
    ("{const a = 1}", Same(1)),
    ("{if (a) b}", Same(1)),
    ("{...a}", Grammar(1)),
    ("{a, b}", Good),
    ("{}", Good),
    ("{/* a */}", Good),
    ("{a => {}}", Good),
    ("{function(){}}", Good),
    ("{class {}}", Good),
    ("{await a}", Good),
    ("{yield}", Read(1)),
    ("{import('a')}", Good),
    ("{import.meta}", Good),
    ("{new}", Grammar(1)),
    ("{/a}", Same(1)),
    ("{/[/}", Same(1)),
    ("{a @b}", Same(1)),
    ("{#a}", Grammar(1)),
    ("{\\a}", Grammar(1)),
    ("{a \\b}", Same(1)),
    ("{'a\nb'}", Same(1)),
    ("{a = }", Same(1)),
    ("{= a}", Same(1)),
    ("{let}", Read(1)),
    ("{var}", Grammar(1)),
    ("{a++ b}", Same(1)),
    ("{++}", Grammar(1)),
    ("{!}", Same(1)),
    ("{a ||}", Same(1)),
    ("{a ?? b || c}", Grammar(1)),
    ("{-a ** b}", Grammar(1)),
    ("{08}", Read(1)),
    ("{1_}", Grammar(1)),
    ("{0x}", Grammar(1)),
    ("{\"\\u{}\"}", Grammar(1)),
    ("- {a\n\nb}", Begins(3, 1)),
    ("> {a\nb}", Begins(2, 1)),
    ("> {a\n> b}", Same(1)),
    ("- {a\n  b}", Same(1)),
    ("# {a", Same(1)),
    ("| a |\n|---|\n| {b |", Same(3)),
    ("[a {b](c)", Same(1)),
    ("**{a**", Same(1)),
    ("{a\n", Begins(2, 1)),
    ("text {\n\nmore }", Same(1)),
    ("```\n{\n```\n\n{", Same(5)),
    ("set {x | x > 0} of", Good),
    ("a {it's} b", Same(1)),
    ("{ a\n\nb\n\n  c d }", Same(1)),
    ("{async a}", Grammar(1)),
    ("{async () => await b}", Good),
    ("{a\n{b}\n}", Elsewhere(1, 2)),
    ("{debugger}", Grammar(1)),
    ("{throw a}", Grammar(1)),
    ("{this}", Good),
    ("{super.a}", Read(1)),
    ("{delete a}", Read(1)),
    ("{a in b}", Good),
    ("{[a, b}", Grammar(1)),
    ("{[a b]}", Grammar(1)),
    ("{({a b})}", Grammar(1)),
    ("{({a: })}", Grammar(1)),
    ("{f(a b)}", Grammar(1)),
    ("{f(,)}", Grammar(1)),
    ("{[,]}", Good),
    ("{() => {return}}", Good),
    ("{(a, a) => b}", Read(1)),
    ("{for (;;) {}}", Grammar(1)),
    ("import", Good),
    ("import a", Same(1)),
    ("import a from", Same(1)),
    ("import a from b", Grammar(1)),
    ("import a from 'b", Grammar(1)),
    ("import {a from 'b'", Same(1)),
    ("import {a b} from 'c'", Grammar(1)),
    ("import a from 'b'\nc", Same(2)),
    ("import a from 'b' c", Grammar(1)),
    ("import 'a'\nb", Same(2)),
    ("import a from 'b'\n# c", Same(2)),
    ("import a from 'b'\n<C/>", Same(2)),
    ("import a from 'b'\n\nc", Good),
    ("import * from 'a'", Grammar(1)),
    ("import * as a", Grammar(1)),
    ("import a, b from 'c'", Grammar(1)),
    ("import a from \"b'", Grammar(1)),
    ("import {a as} from 'b'", Grammar(1)),
    ("export", Good),
    ("export a", Same(1)),
    ("export {a", Same(1)),
    ("export {a b}", Grammar(1)),
    ("export const a", Grammar(1)),
    ("export const = 1", Grammar(1)),
    ("export const a = ", Same(1)),
    ("export const a = {", Same(1)),
    ("export const a = {\n\n}\n\nb", Good),
    ("export const a = {\n b: 1\n\n c", Begins(4, 1)),
    ("export const a = 1\nb", Same(2)),
    ("export const a = 1\n\nexport const a = 2", Good),
    ("export const a = 1; b", Grammar(1)),
    ("export default", Same(1)),
    ("export default a\n\nexport default b", Good),
    ("export default function", Grammar(1)),
    ("export function a( {}", Same(1)),
    ("export function a() {", Same(1)),
    ("export function a() {}\nb", Same(2)),
    ("export class {}", Read(1)),
    ("export class A {", Same(1)),
    ("export var a b", Grammar(1)),
    ("export let a = 'b", Grammar(1)),
    ("export let a = `b", Same(1)),
    ("export * from", Same(1)),
    ("export * from 'a'", Good),
    ("export {a} from b", Grammar(1)),
    ("export const a = <b>", Same(1)),
    ("export const a = <b></c>", Grammar(1)),
    ("export const a = await b", Good),
    ("export const a = () => {\n  return <p>\n}", Grammar(3)),
    ("a\nimport b from 'c'", Good),
    ("- import a from b", Good),
    ("export type A = 1", Same(1)),
    ("import type A from 'a'", Same(1)),
    ("export const a: string = 'b'", Grammar(1)),
    ("export interface A {}", Same(1)),
    ("export enum A {}", Same(1)),
    ("import a from 'b';\nimport c from d", Grammar(2)),
    ("import a from 'b'\nimport {c from 'd'", Begins(2, 1)),
    ("export const a = 1\nconst b = 2", Same(2)),
    ("import React from 'react'\nconst a = 1\n\n# b", Same(2)),
    ("export const a = [\n\n1\n\n2\n\n]", Grammar(5)),
    ("export const a = 1,", Same(1)),
    ("export const a = (b", Same(1)),
    ("export async a", Grammar(1)),
    ("export const a = /b", Grammar(1)),
    ("export const a = b => {", Same(1)),
    ("import a from 'b' assert {type: 'json'}", Read(1)),
    ("import a from 'b' with {type: 'json'}", Read(1)),
    ("import('a')", Good),
    ("import.meta", Good),
    ("exporting", Good),
    ("imports are", Good),
    ("import things like this", Same(1)),
    ("export your data", Same(1)),
    ("import a from the box", Grammar(1)),
    ("export default <p>a</p>", Good),
    ("export const a = 1 // b\n\nc", Good),
    ("export const a = 1 /* b", Same(1)),
    ("let a = 1", Good),
    ("<A/>", Good),
    ("<A></A>", Good),
    ("<A>\n\nb\n\n</A>", Good),
    ("a <b>c</b> d", Good),
    ("<A b c=\"d\" e='f' g={1} {...h}/>", Good),
    ("<a.b.c/>", Good),
    ("<a:b/>", Good),
    ("<>a</>", Good),
    ("{a}", Good),
    ("{`a${b}c`}", Good),
    ("{a ? b : c}", Good),
    ("{[1].map(a => <p>{a}</p>)}", Good),
    ("{\"}\"}", Good),
    ("{/}/}", Good),
    ("import a from 'b'", Good),
    ("import a, {b as c} from 'd'\nimport * as e from 'f'", Good),
    ("export const a = {\n\n b: 1\n\n}", Good),
    ("export default function a() {\n  return 1\n}", Good),
    ("\\{a\\} \\<b>", Good),
    ("`{` and `<a`", Good),
    ("```\n<a {\n```", Good),
    ("a > b", Good),
    ("$a { b$", Good),
    ("<A b={{c: 1}}/>", Good),
    ("<A\n  b=\"c\n  d\"\n/>", Good),
    ("<A b={<c d='e'>f</c>}/>", Good),
    ("- <A>\n\n  b\n\n  </A>", Good),
    ("> <A>\n> b\n> </A>", Good),
    ("<A>\n- b\n</A>", Good),
    ("&lt;a> &#123;", Good),
];

fn strict(text: &str) -> Checked<Document, ParseDiagnostic> {
    let options = Options {
        strict: true,
        ..Options::mdx_js()
    };
    parse(text, &options)
}

fn line(text: &str, problem: &ParseDiagnostic) -> usize {
    let file = SourceFile::new("p", text);
    let location = problem.diagnostic(&file, 0).location_string();
    location.split(':').nth(1).unwrap().parse().unwrap()
}

#[test]
fn pages_that_mdx_js_rejects_are_rejected_at_the_same_line() {
    let mut mismatches = Vec::new();
    for (text, case) in CASES {
        let parsed = strict(text);
        let actual = parsed.diagnostics.first().map(|first| line(text, first));
        let expected = match case {
            Good | Grammar(_) | Elsewhere(..) | Read(_) => None,
            Same(line) | Begins(_, line) => Some(*line),
        };
        assert_eq!(parsed.has(Severity::Error), actual.is_some(), "{text:?}");
        if actual != expected {
            mismatches.push(format!("{text:?}: {case:?}, found {actual:?}"));
        }
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
}

#[test]
fn nine_of_ten_pages_are_rejected_at_the_same_line() {
    let count = |matches_case: fn(&Case) -> bool| {
        CASES.iter().filter(|(_, case)| matches_case(case)).count()
    };
    let rejected = count(|case| *case != Good);
    let same = count(|case| matches!(case, Same(_) | Grammar(_)));
    println!(
        "{same} of {rejected} at the same line, {} good",
        count(|case| *case == Good)
    );
    assert!(same * 10 >= rejected * 9, "{same} of {rejected}");
}

#[test]
fn input_with_a_clear_meaning_is_accepted_without_strict() {
    for text in [
        "<a b={/* c */}/>",
        "import things like this",
        "export your data",
    ] {
        assert!(
            !parse(text, &Options::mdx_js()).has(Severity::Error),
            "{text}"
        );
        assert!(strict(text).has(Severity::Error), "{text}");
    }
}

#[cfg(feature = "oxc")]
mod grammar {
    use svc_mdx::check;

    use super::*;

    #[test]
    fn invalid_javascript_is_reported_at_the_line_of_mdx_js() {
        let mut mismatches = Vec::new();
        for (text, case) in CASES {
            let parsed = strict(text);
            let actual = check(text, &parsed).first().map(|first| line(text, first));
            let expected = match case {
                Grammar(line) | Elsewhere(_, line) => Some(*line),
                Good | Same(_) | Begins(..) | Read(_) => None,
            };
            // If the parser reported an error, `check` may report others elsewhere.
            if actual != expected && parsed.diagnostics.is_empty() {
                mismatches.push(format!("{text:?}: {case:?}, found {actual:?}"));
            }
        }
        assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
    }

    #[test]
    fn valid_pages_of_real_sites_have_no_diagnostics() {
        let Some(shared) = svc_test_support::reference_path("") else {
            return;
        };
        let mut pages = 0;
        let mut mismatches = Vec::new();
        for site in ["fastmcp", "mcp", "mintlify", "polar", "trigger"] {
            let trees = std::fs::read_to_string(shared.join(format!("oracle/mdx/{site}.json")));
            let trees: serde_json::Map<String, serde_json::Value> =
                serde_json::from_str(&trees.unwrap()).unwrap();
            // A page with a tree is one that `@mdx-js/mdx` accepts.
            for (path, _) in trees.iter().filter(|(_, tree)| tree.is_string()) {
                let page = shared.join("corpus/sites").join(site).join(path);
                let Ok(text) = std::fs::read_to_string(page) else {
                    continue;
                };
                pages += 1;
                let parsed = strict(&text);
                let mut problems = check(&text, &parsed);
                problems.extend(parsed.diagnostics);
                if let Some(first) = problems.first() {
                    let line = line(&text, first);
                    mismatches.push(format!("{site}/{path}:{line}: {}", first.message));
                }
            }
        }
        println!(
            "{} of {pages} valid pages have diagnostics",
            mismatches.len()
        );
        assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
    }
}
