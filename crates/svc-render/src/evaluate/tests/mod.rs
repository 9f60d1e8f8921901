//! Tests of the evaluator.

mod corpus;

use std::fmt::Write as _;

use indexmap::IndexMap;

use super::*;

/// Formats a value as short text: JSON-like, elements as tags.
fn shown(value: &Value) -> String {
    match value {
        Value::Undefined => "undefined".to_owned(),
        Value::Function(_) => "function".to_owned(),
        Value::String(text) => format!("{:?}", text.as_ref()),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(shown).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{key}: {}", shown(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Element(element) => {
            let name = match &element.tag {
                JsxTag::Name(name) => name.as_str(),
                _ => "",
            };
            let mut text = format!("<{name}");
            for (key, value) in &element.props {
                let _ = write!(text, " {key}={}", shown(value));
            }
            text.push('>');
            for child in &element.children {
                match child {
                    JsxChild::Text(content) => text.push_str(content),
                    JsxChild::Value(value) => {
                        let _ = write!(text, "{{{}}}", shown(value));
                    }
                }
            }
            let _ = write!(text, "</{name}>");
            text
        }
        other => other.to_text(),
    }
}

fn scope() -> IndexMap<String, Value> {
    let list: Vec<Value> = ["b", "a", "c"].into_iter().map(Value::from).collect();
    let user = IndexMap::from([("name".to_owned(), Value::from("Ada"))]);
    IndexMap::from([
        ("name".to_owned(), Value::from("svc")),
        ("count".to_owned(), Value::from(3.0)),
        ("list".to_owned(), Value::from(list)),
        ("user".to_owned(), Value::from(user)),
    ])
}

fn module(esm: &str, scope: &dyn Scope) -> Result<IndexMap<String, Value>, EvalError> {
    Module::parse(esm).evaluate(scope)
}

fn call(function: &Function, args: &[Value]) -> Result<Value, EvalError> {
    super::call(function, args, &EmptyScope, EvalLimits::default()).map(|result| result.value)
}

fn result(source: &str) -> String {
    match evaluate(source, &scope()) {
        Ok(value) => shown(&value),
        Err(error) => format!("error: {}", error.message),
    }
}

#[track_caller]
fn check_all(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(source, expected)| result(source) != *expected)
        .map(|(source, expected)| format!("{source}\n  is {}\n not {expected}", result(source)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn literals_and_operators_have_the_values_of_javascript() {
    check_all(&[
        ("", "undefined"),
        ("/* note */ // more", "undefined"),
        ("12", "12"),
        ("1_000.5e1", "10005"),
        ("0xff + 0b11 + 0o7", "265"),
        (".5 + 1.", "1.5"),
        ("'it\\'s \\u0041\\x42\\u{43}'", "\"it's ABC\""),
        ("'\\ud83d\\ude00'", "\"😀\""),
        ("`a${1 + 1}b${name}`", "\"a2bsvc\""),
        ("`$5 \\`x\\` ${`in ${count}`}`", "\"$5 `x` in 3\""),
        ("[1, ...list, 'x', ]", "[1, \"b\", \"a\", \"c\", \"x\"]"),
        (
            "{ a: 1, 'b-c': [], name, ...user, [name + 1]: 2 }",
            "{a: 1, b-c: [], name: \"Ada\", svc1: 2}",
        ),
        ("1 + 2 * 3 - 4 / 2 % 3", "5"),
        ("2 ** 3 ** 2", "512"),
        ("(1 + 2) * 3", "9"),
        ("'1' + 2 + 3", "\"123\""),
        ("1 + 2 + '3'", "\"33\""),
        ("10 - 2 - 3", "5"),
        ("1 < 2 && 'b' > 'a' && !false", "true"),
        ("1 == '1'", "true"),
        ("1 === '1'", "false"),
        ("null ?? 'x'", "\"x\""),
        ("0 || ''", "\"\""),
        ("0 ?? 'x'", "0"),
        (
            "count > 2 ? 'many' : count > 1 ? 'some' : 'few'",
            "\"many\"",
        ),
        (
            "count > 5 ? 'many' : count > 1 ? 'some' : 'few'",
            "\"some\"",
        ),
        ("typeof document === 'undefined'", "true"),
        (
            "typeof name + typeof null + typeof (() => 1)",
            "\"stringobjectfunction\"",
        ),
        ("5 & 3 | 8 ^ 1", "9"),
        ("-1 >>> 28", "15"),
        ("1, 2", "2"),
        ("0.1 + 0.2", "0.30000000000000004"),
        ("1e21 + ' ' + 1e-7 + ' ' + -0", "\"1e+21 1e-7 0\""),
        ("user?.name?.length", "3"),
        ("user.missing?.deep.deeper", "undefined"),
        ("user['na' + 'me']", "\"Ada\""),
        ("list[1] + list.length + list.at(-1)", "\"a3c\""),
        ("/^a[/]b/g", "undefined"),
        ("new Date().getFullYear()", "undefined"),
        ("'a' in {a: 1}", "true"),
        ("void 0", "undefined"),
        ("a?.5:1", "1"),
        ("...user", "{name: \"Ada\"}"),
    ]);
}

#[test]
fn unknown_names_are_undefined_and_never_an_error() {
    check_all(&[
        ("missing", "undefined"),
        ("missing.deep.call(1)[2]", "undefined"),
        ("missing()", "undefined"),
        (
            "navigator.clipboard.writeText('x').then(() => 1).catch((e) => 2)",
            "undefined",
        ),
        ("name.unknown()", "undefined"),
        ("window.location?.href ?? 'none'", "\"none\""),
    ]);
}

#[test]
fn pure_methods_return_the_values_of_javascript() {
    check_all(&[
        ("list.map((x, i) => x + i)", "[\"b0\", \"a1\", \"c2\"]"),
        ("list.filter(x => x !== 'a').join(' ')", "\"b c\""),
        ("[1, 0, 2].filter(Boolean).map(String)", "[\"1\", \"2\"]"),
        (
            "list.slice(-2).concat('z', ['y'])",
            "[\"a\", \"c\", \"z\", \"y\"]",
        ),
        ("[3, 10, 2].sort()", "[10, 2, 3]"),
        ("[3, 10, 2].sort((a, b) => a - b)", "[2, 3, 10]"),
        ("[...list].reverse().indexOf('b')", "2"),
        ("[1, 2, 3].reduce((a, b) => a + b, 10)", "16"),
        ("[1, 2, 3].reduce((a, b) => a * b)", "6"),
        ("[[1], [2, [3]]].flat()", "[1, 2, [3]]"),
        ("[1, 2].flatMap(x => [x, x])", "[1, 1, 2, 2]"),
        (
            "list.includes('a') && list.some(x => x === 'c') && list.every(x => x.length === 1)",
            "true",
        ),
        (
            "list.find(x => x > 'a') + list.findIndex(x => x === 'c')",
            "\"b2\"",
        ),
        ("'a-b-c'.split('-').length", "3"),
        ("'abc'.split('')", "[\"a\", \"b\", \"c\"]"),
        ("'Ab'.toUpperCase() + 'Ab'.toLowerCase()", "\"ABab\""),
        ("'  x '.trim() + '|' + ' y'.trimStart()", "\"x|y\""),
        (
            "'aXbX'.replace('X', '-') + 'aXbX'.replaceAll('X', '')",
            "\"a-bXab\"",
        ),
        ("'abc'.replace(/b/g, '')", "\"abc\""),
        (
            "'abcdef'.slice(1, -1) + 'abcdef'.substring(4, 1) + 'abc'.charAt(1)",
            "\"bcdebcdb\"",
        ),
        ("'5'.padStart(3, '0') + 'x'.padEnd(3) + '|'", "\"005x  |\""),
        ("'ab'.repeat(3)", "\"ababab\""),
        ("'äö😀'.length + 'äö😀'.slice(2)", "\"4😀\""),
        ("'abc'.at(-1) + 'abc'[0] + 'abc'.indexOf('c')", "\"ca2\""),
        (
            "Object.entries({a: 1, b: 2}).map(([k, v]) => `${k}=${v}`).join('&')",
            "\"a=1&b=2\"",
        ),
        (
            "Object.keys({a: 1}).concat(Object.values({a: 5}))",
            "[\"a\", 5]",
        ),
        (
            "Math.max(1, 5, 3) + Math.floor(2.7) + Math.round(-2.5) + Math.abs(-1)",
            "6",
        ),
        ("Math.PI.toFixed(2)", "\"3.14\""),
        (
            "(2.5).toFixed(0) + ' ' + (1.005).toFixed(2) + ' ' + (-1.5).toFixed(0)",
            "\"3 1.00 -2\"",
        ),
        ("(9.99).toFixed(1) + (0).toFixed(2)", "\"10.00.00\""),
        ("(1234567.891).toLocaleString()", "\"1,234,567.891\""),
        (
            "(255).toString(16) + parseInt('12px') + parseFloat('1.5em') + Number('0x10')",
            "\"ff121.516\"",
        ),
        (
            "JSON.stringify({a: [1, 'x\\n'], b: undefined, c: null})",
            "\"{\\\"a\\\":[1,\\\"x\\\\n\\\"],\\\"c\\\":null}\"",
        ),
        (
            "JSON.stringify({a: [1], b: {}}, null, 2)",
            "\"{\\n  \\\"a\\\": [\\n    1\\n  ],\\n  \\\"b\\\": {}\\n}\"",
        ),
        ("Array.from({length: 3}, (_, i) => i * 2)", "[0, 2, 4]"),
        ("Array.isArray(list)", "true"),
        ("encodeURIComponent('a b&ä')", "\"a%20b%26%C3%A4\""),
        (
            "String(null) + Number(true) + Boolean('')",
            "\"null1false\"",
        ),
    ]);
}

#[test]
fn functions_close_over_names_and_bind_patterns() {
    check_all(&[
        ("(() => 5)()", "5"),
        (
            "((a, b = a + 1, ...rest) => [a, b, rest])(1, undefined, 3, 4)",
            "[1, 2, [3, 4]]",
        ),
        (
            "(({ a, b: { c = 7 } = {}, ...others }) => [a, c, others])({a: 1, x: 2})",
            "[1, 7, {x: 2}]",
        ),
        ("(([first, , third] = [1, 2, 3]) => first + third)()", "4"),
        (
            "(function (n) { return n < 2 ? 1 : n * this_(n) ; function this_(k) { return 2; } })(4)",
            "8",
        ),
        (
            "(() => { const f = (n) => n < 2 ? 1 : n * f(n - 1); return f(6) })()",
            "720",
        ),
        (
            "(() => { const a = () => b() + 1; const b = () => 1; return a() })()",
            "2",
        ),
        (
            "(() => { let s = ''; for (const x of list) { if (x === 'a') continue; s += x }\n\
           return s })()",
            "\"bc\"",
        ),
        (
            "(() => { let n = 0; for (let i = 0; i < 5; i++) n += i; return n })()",
            "10",
        ),
        (
            "(() => { let n = 10; while (true) { if (--n < 4) break } return n })()",
            "3",
        ),
        (
            "(() => { const out = []; list.forEach((x) => out.push(x + x)); return out })()",
            "[\"bb\", \"aa\", \"cc\"]",
        ),
        (
            "(() => { const o = {}; o.a = 1; o['b'] = 2; return o })()",
            "{a: 1, b: 2}",
        ),
        (
            "(() => { switch (name) { case 'x': return 1; case 'svc': return 2; default: return 3 }\
           })()",
            "2",
        ),
        (
            "(() => { try { throw 'no'; } catch (e) { return e + '!' } finally { 1 } })()",
            "\"no!\"",
        ),
        (
            "(() => { if (count === 1) return 'one'; else if (count === 3) { return 'three' }\n\
           return 'other' })()",
            "\"three\"",
        ),
        (
            "(() => { let [a, b] = [1, 2]; [a, b] = [b, a]; return [a, b] })()",
            "[2, 1]",
        ),
        ("(async () => { await fetch('/x') })()", "undefined"),
        ("(() => { return\n5 })()", "undefined"),
        (
            "(() => { const [n, setN] = useState(() => 4); setN(5); return n })()",
            "4",
        ),
        (
            "(() => { const r = useRef(null); useEffect(() => { x.y = 1 }, []);\
           return [r.current, useMemo(() => 1, []), useCallback(() => 2)] })()",
            "[null, 1, function]",
        ),
        (
            "(() => { const { useState } = React; return useState(1)[0] })()",
            "1",
        ),
        ("a => b => a", "function"),
        ("async x => { await x }", "function"),
    ]);
}

#[test]
fn jsx_becomes_elements_with_the_white_space_rules_of_jsx() {
    check_all(&[
        ("<div/>", "<div></div>"),
        (
            "<a href=\"/x?a=1&amp;b\" data-x='1' on {...{z: 1, href: '/y'}} n={1 + 1}>t</a>",
            "<a href=\"/y\" data-x=\"1\" on=true z=1 n=2>t</a>",
        ),
        ("<><b>x</b> y {name}</>", "<>{<b>x</b>} y {\"svc\"}</>"),
        (
            "<p>\n   one\n   two {' '}\n   <b/>\n</p>",
            "<p>one two {\" \"}{<b></b>}</p>",
        ),
        (
            "<p>don't & &copy; // no comment</p>",
            "<p>don't & © // no comment</p>",
        ),
        ("<p>{/* note */}{}x</p>", "<p>x</p>"),
        (
            "<Tree.Folder name=\"a\"><Card/></Tree.Folder>",
            "<Tree.Folder name=\"a\">{<Card></Card>}</Tree.Folder>",
        ),
        (
            "list.map((x) => <li key={x}>{x}</li>)",
            "[<li>{\"b\"}</li>, <li>{\"a\"}</li>, <li>{\"c\"}</li>]",
        ),
        ("<A b=<i/> c={<j/>}/>", "<A b=<i></i> c=<j></j>></A>"),
        ("count > 2 && <b>yes</b>", "<b>yes</b>"),
        (
            "<a b={x => x > 1}>{1 > 0 ? <i>{'>'}</i> : null}</a>",
            "<a b=function>{<i>{\">\"}</i>}</a>",
        ),
        (
            "(() => { const Row = ({ title, children }) => <li>{title}: {children}</li>;\
           return <ul><Row title=\"t\">c{1}</Row></ul> })()",
            "<ul>{<li>{\"t\"}: {[\"c\", 1]}</li>}</ul>",
        ),
        (
            "(() => { const Tag = 'h' + 2; return <Tag>x</Tag> })()",
            "<h2>x</h2>",
        ),
        (
            "<React.Fragment><Fragment/></React.Fragment>",
            "<>{<></>}</>",
        ),
        ("<a>&gt;=b</a>", "<a>>=b</a>"),
    ]);
}

#[test]
fn syntax_errors_have_an_offset() {
    for (source, message, offset) in [
        ("1 +", "unexpected end", 3),
        ("a b", "unexpected `b`", 2),
        ("'open", "unterminated string", 0),
        ("`open ${1", "expected `}` but found the end", 9),
        ("`open", "unterminated string", 0),
        ("/* open", "unterminated multiline comment", 0),
        ("{a: }", "unexpected `}`", 4),
        ("<div>", "unexpected end", 5),
        (
            "<div></span>",
            "expected corresponding JSX closing tag for 'div'",
            7,
        ),
        ("<div a=>", "unexpected `=>`", 6),
        ("(a, b", "expected `)` but found the end", 5),
        ("1 = 2", "cannot assign to this expression", 0),
        ("@", "unexpected end", 1),
        ("...", "unexpected end", 3),
        ("  ...a b", "unexpected `b`", 7),
        ("f(x y)", "expected `,` or `)` but found `Identifier`", 4),
        (
            "<a>>=b</a>",
            "unexpected token. Did you mean `{'>'}` or `&gt;`?",
            3,
        ),
        (
            "<p>{a, b}</p>",
            "JSX expressions may not use the comma operator",
            4,
        ),
    ] {
        let error = evaluate(source, &EmptyScope).expect_err(source);
        assert_eq!(
            (error.message.as_str(), error.offset),
            (message, offset),
            "{source}"
        );
    }
}

#[test]
fn hostile_texts_are_stopped_by_limits() {
    let deep = |open: &str, close: &str, count: usize| {
        format!("{}1{}", open.repeat(count), close.repeat(count))
    };
    let nested = "this is nested too deeply";
    let steps = "the evaluation exceeds the step limit";
    let text = "the evaluation exceeds the text limit";
    let cases: Vec<(String, &str)> = vec![
        (deep("(", ")", 50_000), nested),
        (deep("[", "]", 50_000), nested),
        (deep("{a:", "}", 50_000), nested),
        (deep("<a>", "</a>", 50_000), nested),
        (deep("<a b={", "}/>", 50_000), nested),
        (deep("`${", "}`", 50_000), nested),
        (deep("!", "", 50_000), nested),
        (deep("x=>", "", 50_000), nested),
        (deep("a=", "", 50_000), nested),
        (deep("1**", "", 50_000), nested),
        (deep("new ", "", 50_000), nested),
        (deep("() => {", "}", 50_000), nested),
        (deep("function(){if(1)", "}", 50_000), nested),
        ("\"x\".repeat(1e9)".to_owned(), text),
        ("''.repeat(1e300)".to_owned(), "\"\""),
        ("'x'.padStart(1e9)".to_owned(), text),
        ("Array(1e9)".to_owned(), "this list is too long"),
        (
            "Array.from({length: 1e9})".to_owned(),
            "this list is too long",
        ),
        (
            "(() => { const f = () => f(); return f() })()".to_owned(),
            "function calls exceed the depth limit",
        ),
        ("(() => { while (true) {} })()".to_owned(), steps),
        ("(() => { for (;;); })()".to_owned(), steps),
        (
            "(() => { let s = 'x'; while (true) s += s })()".to_owned(),
            steps,
        ),
        (
            "(() => { let a = [1]; while (true) a = [a] })()".to_owned(),
            "this value is nested too deeply",
        ),
        (
            "(() => { let a = 1; while (true) a = <b>{a}</b> })()".to_owned(),
            "this value is nested too deeply",
        ),
        (
            "(() => { let a = [1, 1]; for (let i = 0; i < 60; i++) a = [a, a]; return a })()"
                .to_owned(),
            "this value has too many parts",
        ),
        (
            "(() => { let a = {}; a.x = a; a.y = a; while (1) { a.z = a; a.w = a } })()".to_owned(),
            "this value has too many parts",
        ),
        (
            "(() => { const s = 'x'.repeat(1000); return Array.from({length: 5000}, () => s) })()"
                .to_owned(),
            "the value contains too much text",
        ),
        (
            "(() => { const s = 'x'.repeat(500000); while (true) s.includes('y') })()".to_owned(),
            steps,
        ),
        (
            "(() => { const f = (n) => n < 2 ? n : f(n - 1) + f(n - 2); return f(30) })()"
                .to_owned(),
            steps,
        ),
        (
            "(() => { const C = () => <C/>; return <C/> })()".to_owned(),
            "function calls exceed the depth limit",
        ),
        (
            "(() => { const a = []; while (true) a.push(1) })()".to_owned(),
            steps,
        ),
        ("Array(10000).fill(0).sort((a, b) => 1)".to_owned(), steps),
        ("(() => { const f = (n) => [n].map((x) => ({ a: [f(x)] })); return f(1) })()".to_owned(), "function calls exceed the depth limit"),
        ("(() => { const C = ({ d = <C/> }) => <b>{[<i>{d}</i>]}</b>; return <C/> })()".to_owned(), "function calls exceed the depth limit"),
        ("(() => { const s = 'é'.repeat(400000); while (true) { const { length } = s; s.length } })()".to_owned(), steps),
        ("[1,2,3].sort(() => undefined)".to_owned(), "[1, 2, 3]"),
    ];
    for (source, expected) in &cases {
        let message = result(source);
        let message = message.strip_prefix("error: ").unwrap_or(&message);
        let shown: String = source.chars().take(80).collect();
        assert_eq!(message, *expected, "{shown}");
    }
}

#[test]
fn long_flat_texts_are_parsed_without_recursion() {
    let sum = format!("0{}", "+1".repeat(20_000));
    assert_eq!(result(&sum), "20000");
    let chain = format!("name{}", ".x".repeat(20_000));
    assert_eq!(result(&chain), "undefined");
    let choices = format!("{}9", "0?1:".repeat(20_000));
    assert_eq!(result(&choices), "9");
    let many = format!(
        "(() => {{ if (0) {{}} {} return 4 }})()",
        "else if (0) {} ".repeat(9_000)
    );
    assert_eq!(result(&many), "4");
}

#[test]
fn every_prefix_of_a_component_ends_without_a_panic() {
    let source = "export const A = ({ a, ...b }) => { const [x, y] = useState(`t${1}`);\n\
        return <div class=\"é\" {...b}>don't {a?.b ?? /r[/]/g} <B.C d={[1, , 2]}/> &amp;</div> }";
    for (at, _) in source.char_indices() {
        let part = source.get(..at).unwrap_or("");
        let _ = module(part, &EmptyScope);
        let _ = evaluate(source.get(at..).unwrap_or(""), &EmptyScope);
    }
}

#[test]
fn a_component_can_be_called_after_its_module_was_evaluated() {
    let esm = "import { Other as Local } from '/snippets/other.mdx'\n\
        const prefix = 'v'\n\
        export const Badge = ({ version }) => <b>{label(version)}<Local/></b>;\n\
        export function label(text) { return prefix + text }\n\
        export const list = [1, 2].map((n) => n * 2)\n\
        export { list as items }";
    let module = module(esm, &EmptyScope).expect("valid");
    let keys: Vec<&str> = module.keys().map(String::as_str).collect();
    assert_eq!(keys, ["Badge", "label", "list", "items"]);
    assert_eq!(shown(&module["items"]), "[2, 4]");
    let Value::Function(badge) = &module["Badge"] else {
        panic!("not a function")
    };
    let props = Value::from(IndexMap::from([("version".to_owned(), Value::from("1.2"))]));
    for _ in 0..2 {
        let value = call(badge, std::slice::from_ref(&props)).expect("renders");
        assert_eq!(shown(&value), "<b>{\"v1.2\"}{<Local></Local>}</b>");
    }
}

#[test]
fn a_later_call_cannot_change_values_of_an_earlier_evaluation() {
    let value = evaluate("(() => { let n = 0; return () => ++n + n })()", &EmptyScope);
    let Ok(Value::Function(next)) = value else {
        panic!("not a function")
    };
    let results: Vec<String> = (0..2)
        .map(|_| shown(&call(&next, &[]).expect("runs")))
        .collect();
    assert_eq!(results, ["1", "1"]);
}

#[test]
fn a_heap_is_freed_when_its_last_function_is() {
    let value = evaluate(
        "(() => { const f = () => g(); const g = () => f(); return f })()",
        &EmptyScope,
    );
    let Ok(Value::Function(function)) = value else {
        panic!("not a function")
    };
    let heap::FunctionKind::Closure { heap: home, .. } = &function.kind else {
        panic!("not a closure")
    };
    let heap = std::sync::Arc::downgrade(&home.heap().expect("alive"));
    drop(function);
    assert!(heap.upgrade().is_none());
}

#[test]
fn imports_and_exports_have_their_names() {
    let esm = "import A, { b, c as d } from \"/a.mdx\";\nimport * as E from '/e.jsx'\nimport '/s'\n\
        import type { F } from '/f.ts'\n\
        export const X = { a: 1 }, y = 2;\nexport function F() { return 1 }\n\
        export default () => 3\nexport { g as h } from '/i'\nexport * from '/j'\nexport { y as z }";
    let parsed = Module::parse(esm);
    let imports: Vec<String> = parsed
        .imports
        .iter()
        .map(|import| {
            let Import {
                default,
                named,
                namespace,
                source,
                offset,
            } = import;
            format!("{offset}: {default:?} {named:?} {namespace:?} {source}")
        })
        .collect();
    assert_eq!(
        imports,
        [
            "0: Some(\"A\") [(\"b\", \"b\"), (\"c\", \"d\")] None /a.mdx",
            "39: None [] Some(\"E\") /e.jsx",
            "67: None [] None /s",
        ]
    );
    let values = parsed.evaluate(&EmptyScope).expect("valid");
    let values: Vec<String> = values
        .iter()
        .map(|(name, value)| format!("{name} {}", shown(value)))
        .collect();
    assert_eq!(
        values,
        ["X {a: 1}", "y 2", "F function", "default function", "z 2"]
    );
}

#[test]
fn imports_before_a_syntax_error_are_read() {
    let parsed = Module::parse("import { a } from '/a'\nimport b from '/b'\nexport const c = (\n");
    let sources: Vec<&str> = parsed
        .imports
        .iter()
        .map(|import| import.source.as_str())
        .collect();
    assert_eq!(sources, ["/a", "/b"]);
    assert!(parsed.evaluate(&EmptyScope).is_err());
}

#[test]
fn types_are_ignored() {
    let esm = "interface Props { a?: number }\ntype T = string;\n\
        export const f = ({ a = 1 }: Props): number => (a as number)! + 1;\n\
        export const value = f<T>({ a: 4 }) satisfies number;";
    let values = module(esm, &EmptyScope).expect("valid");
    assert_eq!(shown(&values["value"]), "5");
    assert!(module("export enum A { B }", &EmptyScope).is_err());
}
