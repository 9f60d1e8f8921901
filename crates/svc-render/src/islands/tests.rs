//! Tests of islands, from source to HTML.

use std::sync::Arc;

use super::sandbox::{ComponentEngine as _, ComponentError, Job, LocalEngine, RenderError};
use crate::testing::{page, site};

const COUNTER: &str = r#"export const Counter = ({ start = 0, children }) => {
  const [count, setCount] = useState(start);
  return <button className="rounded" onClick={() => setCount(count + 1)}>{count} {children}</button>;
};
"#;

#[test]
fn a_component_with_state_becomes_an_island() {
    let rendered = page(&format!(
        "{COUNTER}\n<Counter start={{3}}>times</Counter>\n"
    ));
    assert_eq!(rendered.problems, Vec::<String>::new());
    let (tag, rest) = rendered.html.split_once('>').unwrap();
    assert!(
        tag.contains("<svc-island data-i=\"1\" data-m=\"/_svc/islands/a.mdx."),
        "{tag}"
    );
    assert!(
        rest.contains("<button class=\"rounded\">3 times</button></svc-island>"),
        "{rest}"
    );
    let [(url, code)] = &rendered.article.modules.iter().collect::<Vec<_>>()[..] else {
        panic!("one module");
    };
    assert!(url.ends_with(".js"), "{url}");
    assert!(code.contains("useState(start)"), "{code}");
}

#[test]
fn a_component_without_state_is_rendered_once() {
    let rendered = page(
        "export const Shout = ({ text }) => <b>{text.replace(/a/g, 'o')}</b>;\n\n<Shout text=\"banana\" />\n",
    );
    assert_eq!(rendered.problems, Vec::<String>::new());
    assert!(rendered.html.contains("<b>bonono</b>"), "{}", rendered.html);
    assert!(!rendered.html.contains("svc-island"), "{}", rendered.html);
    assert!(rendered.article.modules.is_empty());
}

#[test]
fn style_sheets_are_rendered_only_for_trusted_components() {
    let files = r#"//- /a.mdx
import { Plain, Alive } from "/snippets/x.jsx";
import Part from "/snippets/part.mdx";

<Plain />

<Alive />

<Part />
//- /snippets/part.mdx
<style>{`.part > a { color: blue }`}</style>
//- /snippets/x.jsx
export const Plain = () => (
  <><style jsx>{`.plain > a { background: url("/x.png") }`}</style><p className="plain">one</p></>
);

export const Alive = () => {
  const [on, set] = useState(false);
  return <p onClick={() => set(!on)}><style dangerouslySetInnerHTML={{ __html: ".alive > a { top: 0 }" }} />two</p>;
};
"#;
    let rendered = site(files, "/a");
    assert_eq!(rendered.problems, Vec::<String>::new());
    for css in [
        "<style>.plain > a { background: url(\"/x.png\") }</style>",
        "<style>.alive > a { top: 0 }</style>",
        "<style>.part > a { color: blue }</style>",
    ] {
        assert!(rendered.html.contains(css), "{css}: {}", rendered.html);
    }
    assert!(
        !rendered.article.sections[0].text.contains('{'),
        "{:?}",
        rendered.article.sections
    );
    let off = crate::RenderOptions {
        site: crate::SiteOptions {
            without_scripts: true,
            ..crate::SiteOptions::default()
        },
        ..crate::RenderOptions::default()
    };
    let html = crate::testing::document_with(files, "/a", off);
    assert!(!html.contains("</style>\n<p class=\"plain\"") && html.contains(">one</p>"));
    assert!(
        !html.contains(".plain") && !html.contains(".part"),
        "{html}"
    );
}

#[test]
fn headings_of_components_are_not_in_the_table_of_contents() {
    let rendered = site(
        r#"//- /a.mdx
import { Plain, Alive, Engine } from "/snippets/x.jsx";

export const Own = () => <h3>Defined here</h3>;

## Of the page

<Own />

<Plain>

### Between the tags

</Plain>

<Engine text="a" />

<Alive />

## Behind
//- /snippets/x.jsx
export const Plain = ({ children }) => <div><h2>Plain</h2>{children}</div>;
export const Engine = ({ text }) => <h2>{text.replace(/a/g, "Engine")}</h2>;
export const Alive = () => {
  const [on, set] = useState(false);
  return <h2 onClick={() => set(!on)}>Alive</h2>;
};
"#,
        "/a",
    );
    assert_eq!(rendered.problems, Vec::<String>::new());
    assert_eq!(
        rendered.toc(),
        [
            "2 of-the-page Of the page",
            "3 between-the-tags Between the tags",
            "2 behind Behind"
        ]
    );
    for title in ["Plain", "Engine", "Alive", "Defined here"] {
        assert!(rendered.html.contains(title), "{title}: {}", rendered.html);
    }
}

#[test]
fn plain_components_need_no_engine() {
    let rendered = page(
        "export const List = ({ items }) => <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul>;\n\n<List items={['a', 'b']} />\n",
    );
    assert_eq!(rendered.problems, Vec::<String>::new());
    assert!(rendered.html.contains("<li>a</li>"), "{}", rendered.html);
    assert!(!rendered.html.contains("svc-island"));
}

#[test]
fn files_import_each_other() {
    let rendered = site(
        r#"//- /a.mdx
import { Panel } from "/snippets/panel.jsx";

<Panel />

//- /snippets/panel.jsx
import { Counter } from "./counter";
import { label } from "./label.js";
import React, { useMemo } from "react";

export const Panel = () => {
  const text = React.useMemo(() => label("n"), []);
  return <><p>{text}</p><Counter /></>;
};
//- /snippets/counter.tsx
import type { Nothing } from "./types";

interface Props {
  start?: number;
}

export const Counter = ({ start = 1 }: Props): JSX.Element => {
  const [count, setCount] = useState<number>(start as number);
  return <button onClick={() => setCount(count! + 1)}>{count}</button>;
};
//- /snippets/label.js
export const label = (text) => `label ${text}`;
"#,
        "/a",
    );
    assert_eq!(rendered.problems, Vec::<String>::new());
    assert!(
        rendered.html.contains("<p>label n</p><button>1</button>"),
        "{}",
        rendered.html
    );
    assert_eq!(rendered.article.modules.len(), 3);
}

#[test]
fn built_in_components_are_rendered_in_islands() {
    let rendered = page(
        r#"export const Box = () => {
  const [open] = useState(true);
  return <Card title="Box" icon={<svg viewBox="0 0 1 1" />}><Note>inside {open && "open"}</Note></Card>;
};

<Box />
"#,
    );
    assert_eq!(rendered.problems, Vec::<String>::new());
    for part in [
        "<!--p1.0:Card-->",
        "<!--c1.0:Card-->",
        "<!--p1.1:Note-->",
        "inside open",
        "svc-card",
        "svc-callout",
        "<!--/p1.0:Card-->",
    ] {
        assert!(rendered.html.contains(part), "{part}: {}", rendered.html);
    }
}

#[test]
fn markdown_children_are_slots_even_if_hidden() {
    let source = r#"export const Toggle = ({ children, more }) => {
  const [open, setOpen] = useState(false);
  return <div><button onClick={() => setOpen(!open)}>x</button>{children}{open && more}</div>;
};

<Toggle more={<b>later</b>}>

Some **text**.

</Toggle>
"#;
    let rendered = page(source);
    assert_eq!(rendered.problems, Vec::<String>::new());
    assert!(
        rendered.html.contains("<strong>text</strong>"),
        "{}",
        rendered.html
    );
    assert!(rendered.html.contains("<!--s1.1-->"), "{}", rendered.html);
    assert!(
        rendered
            .html
            .contains("<template data-s=\"1.0\"><!--s1.0--><b>later</b>"),
        "{}",
        rendered.html
    );
}

#[test]
fn components_can_be_passed_as_props() {
    let rendered = site(
        r#"//- /a.mdx
import { Frame } from "/frame.jsx";
import { Other } from "/other.jsx";

export const Plain = ({ children }) => <i>{children}</i>;

<Frame Inner={Plain} Also={Other} />

//- /frame.jsx
export const Frame = ({ Inner, Also }) => {
  useState(0);
  return <p><Inner>x</Inner><Also /></p>;
};
//- /other.jsx
export const Other = () => <b onClick={() => 1}>o</b>;
"#,
        "/a",
    );
    assert_eq!(rendered.problems, Vec::<String>::new());
    assert!(
        rendered.html.contains("<p><i>x</i><b>o</b></p>"),
        "{}",
        rendered.html
    );
    assert_eq!(rendered.article.modules.len(), 3);
}

#[test]
fn a_failed_component_does_not_affect_the_page() {
    for (body, expected) in [
        ("for (;;) {}", "100 ms"),
        (
            "const all = []; for (;;) all.push('x'.repeat(1 << 20) + all.length);",
            "32 MB",
        ),
        ("new ArrayBuffer(1 << 30);", "32 MB"),
        ("const again = () => 1 + again(); again();", "too often"),
        ("throw new Error('no luck');", "no luck"),
        ("throw 'text';", "text"),
        ("return missing.x;", "missing"),
        ("return <div>{{}}</div>;", "no content"),
    ] {
        let rendered = page(&format!(
            "before\n\nexport const Bad = () => {{\n  const [x] = useState(0);\n  {body}\n}};\n\n<Bad />\n\n<Bad />\n\nafter\n"
        ));
        assert_eq!(rendered.codes(), ["component-failed"], "{body}");
        let [problem] = &rendered.problems[..] else {
            panic!("{:?}", rendered.problems);
        };
        assert!(problem.contains(expected), "{body}: {problem}");
        assert!(rendered.html.contains("before") && rendered.html.contains("after"));
        assert!(!rendered.html.contains("svc-island"), "{}", rendered.html);
    }
}

#[test]
fn components_after_a_failed_one_are_rendered() {
    let rendered = page(&format!(
        "{COUNTER}\nexport const Bad = () => {{ useState(0); for (;;) {{}} }};\n\n<Bad />\n\n<Counter />\n"
    ));
    assert_eq!(rendered.codes(), ["component-failed"]);
    assert!(
        rendered
            .html
            .contains("<button class=\"rounded\">0 </button>"),
        "{}",
        rendered.html
    );
}

#[test]
fn a_component_that_uses_browser_apis_is_rendered_in_the_browser() {
    let rendered = page(
        "export const Width = () => { const w = window.innerWidth; return <b>{w}</b>; };\n\n<Width />\n",
    );
    assert_eq!(rendered.problems, Vec::<String>::new());
    assert!(
        rendered.html.contains("data-n=\"Width\"></svc-island>"),
        "{}",
        rendered.html
    );
}

#[test]
fn rendering_is_deterministic() {
    let source = "export const Dice = () => { useState(0); return <b>{Math.random()} {Date.now()} {new Date().getFullYear()} {useId()}</b>; };\n\n<Dice />\n";
    assert_eq!(page(source).html, page(source).html);
}

#[test]
fn urls_and_html_are_sanitized() {
    let rendered = page(
        r#"export const A = () => {
  useState(0);
  return <div title={'"><script>'} dangerouslySetInnerHTML={{ __html: "<i>raw</i>" }} />;
};
export const B = () => {
  useState(0);
  return <p><a href="javascript:alert(1)">{"<b>"}</a><script>alert(1)</script></p>;
};

<A /><B />
"#,
    );
    assert!(
        rendered
            .html
            .contains("&gt;&lt;script&gt;\"><i>raw</i></div>")
            || rendered.html.contains("&quot;&gt;&lt;script&gt;"),
        "{}",
        rendered.html
    );
    assert!(rendered.html.contains("<i>raw</i>"));
    assert!(!rendered.html.contains("javascript:"), "{}", rendered.html);
    assert!(!rendered.html.contains("<script"), "{}", rendered.html);
    assert!(rendered.html.contains("&lt;b&gt;"));
}

#[test]
fn context_memo_reducer_and_refs_work_in_the_first_render() {
    let rendered = page(
        r#"export const Theme = createContext("light");
export const Inner = memo(() => {
  const theme = useContext(Theme);
  const [state] = useReducer((s, a) => s + a, 2);
  const ref = useRef(5);
  const call = useCallback(() => 1, []);
  useEffect(() => { throw new Error("never on the server"); }, []);
  useLayoutEffect(() => {});
  return <i>{theme} {state} {ref.current} {call()} {useId()}</i>;
});
export const Outer = () => <Theme.Provider value="dark"><Inner /></Theme.Provider>;

<Outer />
"#,
    );
    assert_eq!(rendered.problems, Vec::<String>::new());
    assert!(
        rendered.html.contains("<i>dark 2 5 1 svc-1-0</i>"),
        "{}",
        rendered.html
    );
}

fn job(code: &str) -> Job {
    Job {
        modules: vec![
            ("/r".to_owned(), super::runtime::server().to_owned()),
            ("/_svc/islands/a.js".to_owned(), code.to_owned()),
        ],
        entry: "/_svc/islands/a.js".to_owned(),
        runtime: "/r".to_owned(),
        name: "A".to_owned(),
        number: 1,
        props: "{}".to_owned(),
        prop_modules: Vec::new(),
    }
}

#[test]
fn the_sandbox_imports_only_modules_of_the_page() {
    let mut session = LocalEngine.session().unwrap();
    let mut render = |job: Job| super::sandbox::render(&mut *session, &job);
    for code in [
        "import x from 'fs'; export const A = () => x;",
        "import * as x from '/etc/passwd'; export const A = () => x;",
        "import * as std from 'std'; export const A = () => 1;",
    ] {
        let reply = render(job(code));
        assert!(
            matches!(
                reply,
                Err(RenderError::Component(ComponentError::Thrown { .. }))
            ),
            "{reply:?}"
        );
    }
}

#[test]
fn hostile_components_are_stopped() {
    let mut session = LocalEngine.session().unwrap();
    let mut render = |job: Job| super::sandbox::render(&mut *session, &job);
    for (code, failure) in [
        ("export const A = () => { for (;;); }", ComponentError::Time),
        ("for (;;); export const A = 1;", ComponentError::Time),
        (
            "export const A = () => { for (;;) try { for (;;); } catch {} }",
            ComponentError::Time,
        ),
        (
            "export const A = () => /(a+)+$/.test('a'.repeat(40) + 'b');",
            ComponentError::Time,
        ),
        (
            "export const A = () => { const a = []; for (;;) a.push(a.length, {}); }",
            ComponentError::Memory,
        ),
        (
            "export const A = () => 'x'.repeat(900000000);",
            ComponentError::Memory,
        ),
        ("export const A = () => A();", ComponentError::Depth),
    ] {
        assert_eq!(
            render(job(code)),
            Err(RenderError::Component(failure)),
            "{code}"
        );
    }
    let nested = format!(
        "export const A = () => {}1{};",
        "(".repeat(20_000),
        ")".repeat(20_000)
    );
    assert!(render(job(&nested)).is_err());
    assert_eq!(
        render(job("export const A = () => 'ok';")),
        Ok("[[0,\"ok\"]]".to_owned())
    );
}

#[test]
fn an_error_has_its_line() {
    let mut session = LocalEngine.session().unwrap();
    let mut render = |job: Job| super::sandbox::render(&mut *session, &job);
    let reply = render(job(
        "export const A = () => {\n\n  throw new Error('x');\n};",
    ));
    let Err(RenderError::Component(ComponentError::Thrown { message, location })) = reply else {
        panic!("{reply:?}");
    };
    assert_eq!(message, "x");
    assert_eq!(location, Some(("/_svc/islands/a.js".to_owned(), 3)));
}

#[test]
fn the_same_thread_serves_many_pages() {
    let threads: Vec<_> = (0..4)
        .map(|_| std::thread::spawn(|| page(&format!("{COUNTER}\n<Counter />\n")).html))
        .collect();
    let pages: Vec<Arc<str>> = threads
        .into_iter()
        .map(|thread| thread.join().unwrap().into())
        .collect();
    assert!(pages.windows(2).all(|pair| pair[0] == pair[1]));
}

/// Renders `{expression}` in a component, with `hook` before it.
fn paragraph(hook: &str, expression: &str) -> String {
    let rendered = page(&format!(
        "export const Shown = () => {{\n  {hook}\n  return <p>{{{expression}}}</p>;\n}};\n\n<Shown />\n"
    ));
    let inner = rendered
        .html
        .split_once("<p>")
        .and_then(|(_, rest)| rest.split_once("</p>"));
    match inner {
        Some((inner, _)) if rendered.problems.is_empty() => inner.to_owned(),
        _ => format!("{:?} {}", rendered.problems, rendered.html),
    }
}

#[test]
fn an_expression_has_the_same_html_with_and_without_a_hook() {
    let mut different = Vec::new();
    for expression in [
        // Literals and operators.
        "1 + 2 * 3 - 4 / 2 % 3",
        "2 ** 3 ** 2",
        "'1' + 2 + 3",
        "0.1 + 0.2",
        "1e21 + ' ' + 1e-7 + ' ' + -0",
        "0xff + 0b11 + 0o7 + 1_000",
        "'it\\'s \\u0041\\x42\\u{43}' + '\\ud83d\\ude00'",
        "`a${1 + 1}b`",
        "1 == '1' && null == undefined && !(null == 0)",
        "[] + {} + [1, [2, 3]] + null + undefined + true",
        "typeof null + typeof (() => 1) + typeof missing + typeof 'x'",
        "-1 >>> 28 | 5 & 3 ^ 8",
        "'b' > 'a' && 'B' < 'a' && '10' < 9",
        "0 || '' || 'x'",
        "null ?? 0 ?? 'x'",
        "void 0 ?? 'nothing'",
        "(1, 2)",
        "'a' in { a: 1 }",
        "({ a: { b: [1, 2] } }).a.b[1]",
        "({ a: null }).a?.b.c ?? 'short'",
        "NaN + ' ' + Infinity + ' ' + -Infinity",
        // Functions and statements.
        "(({ a, b: { c = 7 } = {}, ...others }) => [a, c, Object.keys(others)].join())({ a: 1, x: 2 })",
        "((a, b = a + 1, ...rest) => [a, b, rest.length].join())(1, undefined, 3, 4)",
        "(() => { let s = ''; for (const x of 'abc') { if (x === 'b') continue; s += x } return s })()",
        "(() => { let k; for (k of [1, 2]); for (const key in { a: 1 }) k += key; return k })()",
        "(() => { try { throw 'no' } catch (e) { return e + '!' } })()",
        "(() => { switch (2) { case 1: return 'a'; case 2: case 3: return 'b'; default: return 'c' } })()",
        "(() => { let n = 10; do { n -= 3 } while (n > 3); return n++ + n })()",
        "(() => { let [a, b] = [1, 2]; [a, b] = [b, a]; return [a, b].join() })()",
        // Methods.
        "[3, 10, 2].sort().join() + [3, 10, 2].sort((a, b) => a - b)",
        "['b', 'a'].map((x, i) => x + i).reverse().join(' ')",
        "[1, [2, [3]]].flat().length + [1, 2].flatMap((x) => [x, x]).join('')",
        "[1, 2, 3].reduce((a, b) => a + b) + [1, 2].indexOf(2) + [1].at(-1)",
        "JSON.stringify({ a: [1, 'x\\n'], b: undefined, c: null }, null, 1)",
        "Object.entries({ a: 1, b: 2 }).map(([k, v]) => `${k}=${v}`).join('&')",
        "'a-b-c'.split('-').length + 'abc'.slice(1, -1) + 'abc'.substring(2, 0)",
        "'aXbX'.replace('X', '-') + 'aXbX'.replaceAll('X', '')",
        "'5'.padStart(3, '0') + 'x'.padEnd(3, 'ab') + 'ab'.repeat(2) + ' y '.trim()",
        "'äö😀'.length + 'Ab'.toUpperCase() + 'abc'.charCodeAt(1)",
        "(2.5).toFixed(0) + ' ' + (1.005).toFixed(2) + ' ' + (255).toString(16)",
        "Math.round(-2.5) + ' ' + Math.max(1, 5) + ' ' + Math.hypot(3, 4) + ' ' + Math.sign(-2)",
        "parseInt('12px') + parseFloat('1.5em') + Number('0x10') + Number('')",
        "Array.from({ length: 3 }, (_, i) => i * 2).join() + Array.isArray([])",
        "encodeURIComponent('a b&ä')",
        "(1234567.891).toLocaleString() + (5).toLocaleString('en', { minimumFractionDigits: 2 })",
        "['b', 'A', 'c'].sort((x, y) => x.localeCompare(y)).join()",
        "(() => { const a = [3, 1, 2]; a.sort(); a.reverse(); a.push(0); return a.join() })()",
        "(() => { const o = { a: {} }; o.b = 1; o.a.b = 2; return o.a.b + o.b })()",
        "(() => { const o = { a: [] }; o.a.push(1); return o.a.length })()",
        "1e21",
        "-0",
        "1 / 0",
        "0.1 + 0.7",
        // JavaScript that only the engine runs.
        "'abc'.replace(/b/g, 'x') + /^a/.test('abc')",
        "'a1b2'.match(/\\d/g).join()",
        "'a, b;c'.split(/[,;]\\s*/).join('|')",
        "({ x: 4, f() { return this.x } }).f() + ({ get y() { return 5 } }).y",
        "(() => { a: for (const x of [1, 2]) for (;;) { if (x > 1) return x; continue a } })()",
        "(() => { class A { b = 1 } return new A().b })()",
        "(function () { return arguments.length })(1, 2)",
        "Date.UTC(2020, 1, 1)",
        "new Set([1, 1, 2]).size + [...new Map([['k', 'v']]).keys()].join()",
        "String.raw`a\\n${1}`",
        "Number(10n ** 20n > 5n)",
        "new (class { x = 4; get y() { return this.x + 1 } })().y",
        "typeof Promise.resolve(1)",
        "JSON.parse('{\"a\": [1, 2]}').a.length",
        "[1, 2, 3, 4].findLastIndex((x) => x < 3)",
        "(async () => 1)() ? 'promise' : 'nothing'",
        "(function* () { yield 1; yield 2 })().next().value",
        // Markup.
        "<b title=\"a&amp;amp;b\">x &copy; &amp;lt;{' '}y</b>",
        "['a', 'b'].map((x) => <i key={x}>{x}</i>)",
        "<>one{' '}<b>two</b>\n three</>",
        "false",
        "[0, null, false, '', 'x']",
    ] {
        let plain = paragraph("", expression);
        let hook = paragraph("useState(0);", expression);
        let bare = page(&format!("text <p>{{{expression}}}</p>\n")).html;
        let bare = bare
            .split_once("<p>")
            .and_then(|(_, rest)| rest.split_once("</p>"));
        let bare = bare.map_or("", |(inner, _)| inner);
        if plain != hook || bare != hook || hook.contains("component-") {
            different.push(format!(
                "{expression}\n  plain {plain}\n  hook  {hook}\n  bare  {bare}"
            ));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn a_component_that_needs_the_engine_because_of_an_import_runs_there() {
    let rendered = site(
        r#"//- /a.mdx
import { shout } from "./shout.js";

export const Shout = ({ text, children }) => <p>{shout(text)} {children}</p>;

<Shout text="banana">inner</Shout>
//- /shout.js
export const shout = (text) => text.replace(/a/g, "o");
"#,
        "/a",
    );
    assert_eq!(rendered.problems, Vec::<String>::new());
    assert!(
        rendered.html.contains("<p>bonono inner</p>"),
        "{}",
        rendered.html
    );
}

#[test]
fn an_expression_that_fails_in_the_engine_is_evaluated_without_it() {
    let rendered = page("<p>{window.name.replace(/a/, '') ?? 'none'} {missing.x}</p>\n");
    assert_eq!(rendered.problems, Vec::<String>::new());
    assert!(rendered.html.contains("<p>none </p>"), "{}", rendered.html);
}

#[test]
fn expressions_of_snippets_read_their_variables_in_the_engine() {
    let rendered = site(
        "//- /a.mdx\nimport Part from '/part.mdx';\n\n<Part name=\"a b\" list={['x']} />\n\
         //- /part.mdx\nexport const own = 'z';\n\n<p>{name.split(/ /).join('+')} {list.concat(own).join(',').replace(/,/, ';')}</p>\n",
        "/a",
    );
    assert_eq!(rendered.problems, Vec::<String>::new());
    assert!(
        rendered.html.contains("<p>a+b x;z</p>"),
        "{}",
        rendered.html
    );
}
