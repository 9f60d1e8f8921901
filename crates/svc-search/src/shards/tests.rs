//! The script splits text as the index does.

use std::fmt::Write as _;

use rquickjs::{CatchResultExt, Context, Function, Module, Runtime};

use super::SEARCH_SCRIPT;
use crate::fold::compose;
use crate::terms::{TermKind, terms};

const HARNESS: &str = r#"
export const splitText = (text) => {
  const out = [compose(text)];
  visitTerms(text, ({ text, position, kind, chunk }) => out.push(`${text} ${position} ${kind} ${chunk}`));
  return out.join("\n");
};
export const isAssigned = (text) => !/\p{Cn}/u.test(text);
"#;

fn split(text: &str) -> String {
    let mut out = compose(text).into_owned();
    terms(text, 0, &mut |term| {
        let kind = match term.kind {
            TermKind::Word => 0,
            TermKind::Part => 1,
            TermKind::Compound => 2,
        };
        let (text, position, chunk) = (term.text, term.position, term.chunk);
        write!(out, "\n{text} {position} {kind} {chunk}").unwrap();
    });
    out
}

/// Beginnings and ends: what a character is decides where these are split.
const CONTEXTS: [(&str, &str); 4] = [("", ""), ("ab", "cd"), ("aB", "c"), ("x-12", "e\u{301}#")];

fn in_contexts(c: char) -> String {
    let texts = CONTEXTS.map(|(before, after)| format!("{before}{c}{after}"));
    texts.join(" ")
}

/// The characters of the planes in use; of large blocks of letters that are all alike, a few.
fn characters() -> impl Iterator<Item = char> {
    let is_tested = |code: &u32| match code {
        0x3400..=0xa48f | 0xac00..=0xd7ff | 0x12000..=0x1467f | 0x16800..=0x18fff => {
            code.is_multiple_of(16)
        }
        0x1b000..=0x1b2ff | 0x1d800..=0x1daaf => code.is_multiple_of(16),
        0xe000..=0xf8ff | 0x20000..=0x3ffff => code.is_multiple_of(64),
        _ => true,
    };
    let codes = (0..0x40000).chain(0xe0000..0xe0200);
    codes.filter(is_tested).filter_map(char::from_u32)
}

#[test]
fn every_character_has_the_same_terms() {
    let runtime = Runtime::new().unwrap();
    let context = Context::full(&runtime).unwrap();
    context.with(|ctx| {
        ctx.eval::<(), _>("globalThis.TextDecoder = class {}")
            .unwrap();
        let source = format!("{SEARCH_SCRIPT}{HARNESS}");
        let declared = Module::declare(ctx.clone(), "engine", source).catch(&ctx);
        let (module, promise) = declared.unwrap().eval().catch(&ctx).unwrap();
        promise.finish::<()>().catch(&ctx).unwrap();
        let function = |name: &str| -> Function<'_> { module.get(name).unwrap() };
        let (script, is_assigned) = (function("splitText"), function("isAssigned"));
        let is_equal = |text: &str| {
            let expected: String = script.call((text,)).catch(&ctx).unwrap();
            expected == split(text)
        };
        // Characters that are newer than the engine are others there.
        let is_known = |c: &char| is_assigned.call::<_, bool>((c.to_string(),)).unwrap();
        let characters: Vec<char> = characters().filter(is_known).collect();
        let mut different: Vec<char> = Vec::new();
        for block in characters.chunks(64) {
            let texts: Vec<String> = block.iter().map(|&c| in_contexts(c)).collect();
            if !is_equal(&texts.join(" ")) {
                let characters = block.iter().copied();
                different.extend(characters.filter(|&c| !is_equal(&in_contexts(c))));
            }
        }
        let codes: Vec<String> = different
            .iter()
            .map(|&c| format!("{:x}", u32::from(c)))
            .collect();
        assert!(codes.is_empty(), "{} {}", codes.len(), codes.join(" "));
    });
}
