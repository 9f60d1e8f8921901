//! Tests of the compiler.

use super::*;

fn compiled(source: &str) -> CompiledModule {
    let setting = CompileOptions {
        runtime: "/r.js",
        resolve: &|specifier| match specifier {
            "react" => Import::Runtime,
            "./c.mdx" => Import::Content {
                path: "c.mdx".to_owned(),
                module: "/c.js".to_owned(),
            },
            "./a" => Import::Module("/a.js".to_owned()),
            _ => Import::Missing,
        },
        is_part: &|name| name == "Card",
    };
    compile(source, &setting).expect("it compiles")
}

/// The compiled code after its prelude.
fn body(source: &str) -> String {
    let code = compiled(source).code;
    code.split_once("from\"/r.js\";")
        .expect("a prelude")
        .1
        .to_owned()
}

#[test]
fn jsx_becomes_calls() {
    for (from, to) in [
        ("<a/>", "$h(\"a\",null)"),
        ("<a></a>", "$h(\"a\",null)"),
        (
            "<a b=\"c\" d e={f}/>",
            "$h(\"a\",{\"b\":\"c\",\"d\":true,\"e\":(f)})",
        ),
        (
            "<Card {...p} x='1'>t {u} v</Card>",
            "$h(\"Card\",{...p,\"x\":\"1\"},\"t \",(u),\" v\")",
        ),
        (
            "<><b>x</b>{/* no */}</>",
            "$h($F,null,$h(\"b\",null,\"x\"))",
        ),
        (
            "<Tree.File name=\"a&amp;b\"/>",
            "$h(\"Tree.File\",{\"name\":\"a&b\"})",
        ),
        (
            "<a b=<i/>>{x && <u>y</u>}</a>",
            "$h(\"a\",{\"b\":$h(\"i\",null)},(x && $h(\"u\",null,\"y\")))",
        ),
        ("<p>a &nbsp; b</p>", "$h(\"p\",null,\"a \u{a0} b\")"),
        ("<a>{...all}</a>", "$h(\"a\",null,...all)"),
        (
            "<React.Fragment><Suspense/></React.Fragment>",
            "$h(React.Fragment,null,$h(Suspense,null))",
        ),
        (
            "<svg:a xlink:href=\"#b\"/>",
            "$h(\"svg:a\",{\"xlink:href\":\"#b\"})",
        ),
    ] {
        assert_eq!(body(&format!("x = {from}")), format!("x = {to}"), "{from}");
    }
}

#[test]
fn lines_are_retained() {
    let source = "export const A = () => (\n  <div\n    a=\"b\"\n  >\n    text\n    {c}\n  </div>\n);\nlast();";
    let code = compiled(source).code;
    let line = |text: &str| code.lines().position(|line| line.contains(text));
    assert_eq!(line("last()"), Some(8));
    assert_eq!(line("(c)"), Some(5));
}

#[test]
fn types_are_removed() {
    for (from, to) in [
        ("const a: string = b as string;", "const a = b;"),
        (
            "function f<T>(a?: T, ...b: T[]): T { return a!; }",
            "function f(a, ...b) { return a; }",
        ),
        ("type A = { b: 1 };", ";"),
        ("interface A { b: 1 }", ";"),
        ("export type { A } from './a';", ";"),
        (
            "const f = async <T,>(a: T): Promise<T> => a satisfies T;",
            "const f = async (a) => a;",
        ),
        ("f<string>(x);", "f(x);"),
        (
            "class A<T> extends B<T> implements C { private x?: T; declare y: 1; constructor() { super(); } }",
            "class A extends B  {  x;  constructor() { super(); } }",
        ),
        ("let a!: number;", "let a;"),
        ("import type { A } from './a';", ";"),
    ] {
        assert_eq!(body(from), to, "{from}");
    }
}

#[test]
fn import_specifiers_become_urls() {
    for (from, to) in [
        (
            "import { b, c as d } from './a';",
            "import{b as b,c as d}from\"/a.js\";",
        ),
        (
            "import e, * as all from './a';",
            "import*as all from\"/a.js\";import{default as e}from\"/a.js\";",
        ),
        (
            "import React, { useState } from 'react';",
            "import{React as React,useState as useState}from\"/r.js\";",
        ),
        ("import { Search } from 'lucide-react';", "const Search=$x;"),
        (
            "import Text from './c.mdx';",
            "const Text=\"\\u0000content:c.mdx\";",
        ),
        (
            "import { x } from './c.mdx';",
            "import{x as x}from\"/c.js\";",
        ),
        ("export * from './a';", "export * from \"/a.js\";"),
        (
            "export { b as B } from './a';",
            "export { b as B } from \"/a.js\";",
        ),
        ("import './style.css';", ";"),
    ] {
        assert_eq!(body(from), to, "{from}");
    }
}

#[test]
fn the_prelude_imports_the_names_that_the_module_uses() {
    let code = compiled("export const A = () => { const C = Card; useState(1); return <Note/> && <React.Fragment><C/></React.Fragment>; };").code;
    assert!(
        code.starts_with(
            "import{h as $h,Fragment as $F,$x,React,useState}from\"/r.js\";const Card=\"Card\";"
        ),
        "{code}"
    );
    let own = compiled("const { useState } = React; export const A = () => useState(1);").code;
    assert!(
        own.starts_with("import{h as $h,Fragment as $F,$x,React}from"),
        "{own}"
    );
}

#[test]
fn components_have_the_level_of_their_features() {
    let module = compiled(
        "export const Plain = () => <b/>;\nexport const Rx = () => <b>{x.replace(/a/, '')}</b>;\nexport function Count() { const [a] = useState(0); return a; }\nexport const Click = () => <b onClick={() => 1}/>;\nexport const Page = () => <Count/>;\nexport const data = [1];\nexport const Data = [useState];\nconst helper = () => window.x;\nexport const Uses = () => helper();\nexport default function () { return <i ref={r}/>; }",
    );
    let level = |name: &str| {
        module
            .components
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, level)| *level)
    };
    assert_eq!(level("Plain"), Some(Level::Plain));
    assert_eq!(level("Rx"), Some(Level::Engine));
    for island in ["Count", "Click", "Page", "Uses", "default"] {
        assert_eq!(level(island), Some(Level::Island), "{island}");
    }
    assert_eq!(level("data"), None);
    assert_eq!(level("Data"), None);
}

#[test]
fn minified_code_has_no_comments_and_retains_strings() {
    let short = compiled("// one\nexport const A = () => {\n  /* two */\n  const a = `x\n    y`+ 'a  //b';\n\n  return a / 2 / 1;\n};\n").minified;
    let (_, code) = short.split_once("from\"/r.js\";").unwrap();
    assert_eq!(
        code,
        "export const A=()=>{const a=`x\n    y`+ 'a  //b';return a / 2 / 1;};"
    );
}

#[test]
fn compile_errors_have_a_message() {
    let setting = CompileOptions {
        runtime: "/r.js",
        resolve: &|_| Import::Missing,
        is_part: &|_| false,
    };
    let error = |source: &str| compile(source, &setting).expect_err("it does not compile");
    assert!(
        error("export const A = (")
            .message
            .starts_with("syntax error: ")
    );
    assert!(error("enum A { B }").message.contains("`enum`"));
    assert!(
        error("const a = import('x');")
            .message
            .contains("`import()`")
    );
    assert!(error(&"(".repeat(40_000)).message.contains("too many"));
    assert!(
        error(&"a".repeat(300_000))
            .message
            .contains("exceeds the limit")
    );
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let setting = CompileOptions {
        runtime: "/r.js",
        resolve: &|_| Import::Missing,
        is_part: &|_| false,
    };
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("!", ""),
        ("a=>", ""),
        ("a?b:", ""),
        ("a.", ""),
        ("`${", "}`"),
        ("<a>{", "}</a>"),
        ("new ", ""),
        ("if(a)b;else ", ""),
        ("a+", ""),
        ("a**", ""),
        ("function f(){", "}"),
        ("{", "}"),
        ("typeof ", ""),
    ] {
        for times in [1_000, 14_000] {
            let source = format!("{}x{}", open.repeat(times), close.repeat(times));
            // Only panics matter here.
            let _ = compile(&source, &setting);
        }
    }
}
