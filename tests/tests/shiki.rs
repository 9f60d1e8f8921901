//! Colors of code blocks compared with the npm package `shiki`.
//!
//! The package is one of `tests/npm`; `cargo test -p svc-tests --test integration shiki:: -- --nocapture` shows the figures.
#![expect(clippy::print_stdout, reason = "figures must be seen")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use svc_mdx::{Kind, Options, parse, walk};
use svc_render::Highlighter;
use svc_render::code::{Themes, canonical_language};
use svc_tests::{sites, tools};

/// Maximum number of blocks to compare.
const MAX_BLOCKS: usize = 500;
/// Minimum number of characters of a thousand with equal colors.
const EQUAL_PER_MILLE: usize = 990;

/// Maximum number of differences to print.
const MAX_PRINTED: usize = 20;

/// A language under the name that both sides use, and code.
type Block = (&'static str, String);
/// Characters of a line except blanks, each with its styles on light and on dark pages.
type Line = Vec<(char, Look, Look)>;
/// Color; bold, italic, underlined and struck as bits.
type Look = (String, u8);

#[test]
fn colors_equal_those_of_shiki() {
    let Some(package) = tools::npm("shiki/dist/index.mjs") else {
        return;
    };
    let blocks = sample();
    if blocks.is_empty() {
        return;
    }
    for themes in [
        Themes::DEFAULT,
        Themes {
            light: "github-light",
            dark: "github-dark",
        },
    ] {
        compare(&package, &blocks, themes);
    }
}

fn compare(package: &Path, blocks: &[Block], themes: Themes<'static>) {
    let theirs = reference(package, blocks, themes);
    let highlighter = Highlighter::new();
    let palette = Palette::read(&highlighter.palette_css(&themes, ".dark"));
    // Blocks, characters, equal characters.
    let mut tally: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    let mut odd = Vec::new();
    for ((lang, code), theirs) in blocks.iter().zip(&theirs) {
        if theirs.is_null() {
            println!("{lang}: not among the languages of shiki");
            continue;
        }
        let ours = highlighter.html(Some(lang), code, &themes).lines;
        let row = tally.entry(lang).or_default();
        row.0 += 1;
        for (number, line) in ours.iter().enumerate() {
            let ours = palette.line(line);
            let theirs = their_line(theirs, number);
            let text = |line: &Line| line.iter().map(|item| item.0).collect::<String>();
            assert_eq!(text(&ours), text(&theirs), "{lang}: {code}");
            let equal = ours.iter().zip(&theirs).filter(|(a, b)| a == b).count();
            row.1 += ours.len();
            row.2 += equal;
            let first = ours.iter().zip(&theirs).find(|(a, b)| a != b);
            if let Some((mine, other)) = first
                && odd.len() < MAX_PRINTED
                && !odd.iter().any(|known: &String| known.starts_with(lang))
            {
                odd.push(format!(
                    "{lang}: {} of {} differ, first at `{}`: {:?} is {:?} in: {}",
                    ours.len() - equal,
                    ours.len(),
                    mine.0,
                    (&mine.1, &mine.2),
                    (&other.1, &other.2),
                    text(&ours),
                ));
            }
        }
    }
    let sum = |get: fn(&(usize, usize, usize)) -> usize| tally.values().map(get).sum::<usize>();
    let (all, characters, equal) = (sum(|row| row.0), sum(|row| row.1), sum(|row| row.2));
    println!("{} and {}:", themes.light, themes.dark);
    for (lang, (blocks, characters, equal)) in &tally {
        let share = percent(*equal, *characters);
        println!("  {lang:15} {blocks:4} blocks {characters:7} characters {share}");
    }
    println!(
        "  {all} blocks, {characters} characters, equal {}",
        percent(equal, characters)
    );
    for line in odd {
        println!("  {line}");
    }
    assert!(
        equal * 1000 >= characters * EQUAL_PER_MILLE,
        "{} and {}: only {} of the characters have the same color",
        themes.light,
        themes.dark,
        percent(equal, characters)
    );
}

fn percent(part: usize, total: usize) -> String {
    let hundredths = (part * 10_000).checked_div(total).unwrap_or(10_000);
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}

/// Returns distinct blocks of the real sites, one of each language in turn.
fn sample() -> Vec<Block> {
    let mut by_language: BTreeMap<&'static str, BTreeSet<(u64, String)>> = BTreeMap::new();
    for root in sites::NAMES.iter().filter_map(|name| sites::site(name)) {
        let tree = svc_source::load(&root, &svc_source::LoadOptions::default())
            .expect("the directory can be read")
            .value;
        let pages = tree.iter().map(|(path, _)| path);
        for path in pages.filter(|path| path.ends_with(".mdx") || path.ends_with(".md")) {
            let Some(file) = tree.text(path) else {
                continue;
            };
            let page = parse(file.text(), &Options::default()).value;
            walk(&page.children, |node, _| {
                if let Kind::Code { lang, value, .. } = &node.kind
                    && let Some(lang) = lang.as_deref().and_then(canonical_language)
                    && value.len() < 20_000
                {
                    let blocks = by_language.entry(lang).or_default();
                    blocks.insert((number(value), value.to_string()));
                }
                true
            });
        }
    }
    let mut queues: Vec<_> = by_language
        .into_iter()
        .map(|(lang, blocks)| (lang, blocks.into_iter()))
        .collect();
    let mut out = Vec::new();
    while out.len() < MAX_BLOCKS && !queues.is_empty() {
        queues.retain_mut(|(lang, blocks)| match blocks.next() {
            Some((_, code)) => {
                out.push((*lang, code));
                true
            }
            None => false,
        });
    }
    out.truncate(MAX_BLOCKS);
    out
}

/// Returns a hash that orders blocks pseudo-randomly and deterministically (FNV-1a).
fn number(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn reference(package: &Path, blocks: &[Block], themes: Themes<'_>) -> Vec<serde_json::Value> {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/shiki.mjs");
    let request = serde_json::json!({
        "package": package,
        "themes": [themes.light, themes.dark],
        "blocks": blocks
            .iter()
            .map(|(lang, code)| serde_json::json!({"lang": lang, "code": code}))
            .collect::<Vec<_>>(),
    });
    let mut node = Command::new("node")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node starts");
    let mut input = node.stdin.take().expect("it is piped");
    input
        .write_all(request.to_string().as_bytes())
        .expect("node reads");
    drop(input);
    let output = node.wait_with_output().expect("node ends");
    assert!(output.status.success(), "node failed");
    serde_json::from_slice(&output.stdout).expect("node writes JSON")
}

/// Returns a line with its styles from the tokens of both themes.
fn their_line(block: &serde_json::Value, number: usize) -> Line {
    let side = |theme: usize| block.get(theme)?.get(number)?.as_array();
    let light = side(0).into_iter().flatten().flat_map(looks);
    let dark = side(1).into_iter().flatten().flat_map(looks);
    light
        .zip(dark)
        .map(|((c, light), (_, dark))| (c, light, dark))
        .collect()
}

/// Returns the characters of a token except blanks.
fn looks(token: &serde_json::Value) -> Vec<(char, Look)> {
    let text = |at: usize| token.get(at).and_then(|value| value.as_str());
    let bits = token.get(2).and_then(|value| value.as_i64()).unwrap_or(0);
    // The bits of Shiki are italic, bold, underlined and struck; minus one means none.
    let bit = |from: i64, to: u8| if bits > 0 && bits & from != 0 { to } else { 0 };
    let look = (
        text(1).map(long).unwrap_or_default(),
        bit(2, 1) | bit(1, 2) | bit(4, 4) | bit(8, 8),
    );
    let characters = text(0).unwrap_or_default().chars();
    characters
        .filter(|c| !c.is_whitespace())
        .map(|c| (c, look.clone()))
        .collect()
}

/// Expands `#abc` to `#aabbcc`.
fn long(color: &str) -> String {
    let digits = color.trim_start_matches('#');
    match digits.len() {
        3 => format!(
            "#{}",
            digits.chars().flat_map(|c| [c, c]).collect::<String>()
        ),
        _ => color.get(..7).unwrap_or(color).to_ascii_lowercase(),
    }
}

/// Declarations of the style sheet by class.
struct Palette {
    light: HashMap<String, Vec<(String, String)>>,
    dark: HashMap<String, Vec<(String, String)>>,
    base: (String, String),
}

impl Palette {
    fn read(css: &str) -> Self {
        let mut light: HashMap<String, Vec<(String, String)>> = HashMap::new();
        let mut dark = light.clone();
        let mut base = (String::new(), String::new());
        for rule in css.split('}') {
            let Some((selectors, body)) = rule.trim().split_once('{') else {
                continue;
            };
            let declarations: Vec<(String, String)> = body
                .split(';')
                .filter_map(|text| text.split_once(':'))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect();
            let text = declarations.iter().find(|item| item.0 == "--svc-code-text");
            for selector in selectors.split(',') {
                match (selector, text) {
                    (":root", Some(text)) => base.0 = long(&text.1),
                    (".dark", Some(text)) => base.1 = long(&text.1),
                    _ => {}
                }
                let (side, class) = match selector.strip_prefix(".dark .") {
                    Some(class) => (&mut dark, class),
                    None => (&mut light, selector.trim_start_matches(":root:not(.dark) ")),
                };
                let class = class.trim_start_matches('.').to_owned();
                side.entry(class).or_default().extend(declarations.clone());
            }
        }
        Self { light, dark, base }
    }

    fn look(&self, class: &str) -> (Look, Look) {
        let mut light = (self.base.0.clone(), 0);
        let mut dark = (self.base.1.clone(), 0);
        for class in class.split(' ').filter(|class| !class.is_empty()) {
            let own = self.light.get(class).cloned().unwrap_or_default();
            apply(&own, &mut light, &self.base.0);
            let rare = class.starts_with("kl") || class.starts_with("kd");
            if !rare {
                apply(&own, &mut dark, &self.base.1);
            }
            if !class.starts_with("kl") {
                let own = self.dark.get(class).cloned().unwrap_or_default();
                apply(&own, &mut dark, &self.base.1);
            }
        }
        (light, dark)
    }

    fn line(&self, html: &str) -> Line {
        let mut out = Vec::new();
        for (number, part) in html.split('<').enumerate() {
            let (tag, text) = match part.split_once('>') {
                Some(parts) if number > 0 => parts,
                _ => ("", part),
            };
            let look = match tag.split('"').nth(1) {
                Some(class) => self.look(class),
                None => self.look(""),
            };
            let text = text
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&");
            out.extend(
                text.chars()
                    .filter(|c| !c.is_whitespace())
                    .map(|c| (c, look.0.clone(), look.1.clone())),
            );
        }
        out
    }
}

fn apply(declarations: &[(String, String)], look: &mut Look, inherited: &str) {
    for (name, value) in declarations {
        match (name.as_str(), value.as_str()) {
            ("color", "inherit") => look.0 = inherited.to_owned(),
            ("color", color) => look.0 = long(color),
            ("font-weight", "700") => look.1 |= 1,
            ("font-weight", _) => look.1 &= !1,
            ("font-style", "italic") => look.1 |= 2,
            ("font-style", _) => look.1 &= !2,
            ("text-decoration", "underline") => look.1 |= 4,
            ("text-decoration", "line-through") => look.1 |= 8,
            ("text-decoration", _) => look.1 &= !12,
            _ => {}
        }
    }
}
