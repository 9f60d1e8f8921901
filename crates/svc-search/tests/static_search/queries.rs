//! What readers type, and what nobody types.

use super::corpus::Random;
use super::engine::Request;

/// Queries of all kinds.
pub(super) fn requests(count: usize) -> Vec<Request> {
    let mut random = Random::new(7);
    let requests = (0..count).map(|number| {
        let mut request = Request::new(&text(&mut random, number % 10));
        if random.below(4) == 0 {
            request.filters.push((
                "version".to_owned(),
                random.of(&["v1", "v2", "v9"]).to_owned(),
            ));
        }
        if random.below(6) == 0 {
            request
                .filters
                .push(("version".to_owned(), "v3".to_owned()));
        }
        if random.below(8) == 0 {
            request
                .filters
                .push(("tag".to_owned(), random.of(&["api", "ユーザー"]).to_owned()));
        }
        if random.below(5) == 0 {
            request.limit = random.below(50);
            request.offset = random.below(50);
        }
        request
    });
    requests.collect()
}

fn text(random: &mut Random, kind: usize) -> String {
    let mut tokens: Vec<String> = (0..=random.below(4))
        .map(|_| random.token().to_owned())
        .collect();
    let last = tokens.len() - 1;
    match kind {
        0 => tokens[last] = beginning(random, &tokens[last]),
        1 | 2 => tokens[0] = error(random, &tokens[0]),
        3 => tokens[last] = error(random, &tokens[last]),
        4 => {
            tokens = vec![
                format!("\"{}\"", tokens.join(" ")),
                random.token().to_owned(),
            ];
        }
        5 => tokens = vec![tokens.concat()],
        6 => {
            let letters: Vec<char> = tokens[0].chars().collect();
            let (a, b) = letters.split_at(random.below(letters.len()));
            tokens[0] = format!(
                "{} {}",
                a.iter().collect::<String>(),
                b.iter().collect::<String>()
            );
        }
        7 => {
            let two = error(random, &tokens[0]);
            tokens = vec![error(random, &two)];
        }
        8 => {
            let suffix = random.of(&["s", "ing", "ed", "en", "ation", "を"]);
            tokens[0].push_str(suffix);
        }
        _ => {}
    }
    let gap = random.of(&[" ", " ", " ", "-", "_", ".", "  ", "/"]);
    let mut text = tokens.join(gap);
    match random.below(6) {
        0 => text.push(' '),
        1 => text = text.to_uppercase(),
        2 => text = text.to_lowercase(),
        _ => {}
    }
    text
}

pub(crate) fn beginning(random: &mut Random, token: &str) -> String {
    let count = token.chars().count();
    token.chars().take(1 + random.below(count)).collect()
}

pub(crate) fn error(random: &mut Random, token: &str) -> String {
    let mut letters: Vec<char> = token.chars().collect();
    if letters.is_empty() {
        return String::new();
    }
    let at = random.below(letters.len());
    let letter = random
        .of(&["a", "e", "x", "q", "é", "ー", "𐐀"])
        .chars()
        .next()
        .unwrap();
    match random.below(4) {
        0 => letters.insert(at, letter),
        1 => letters[at] = letter,
        2 if at > 0 => letters.swap(at, at - 1),
        _ => {
            letters.remove(at);
        }
    }
    letters.into_iter().collect()
}

/// Queries that are too long, empty or no text.
pub(super) fn hostile() -> Vec<Request> {
    let mut texts: Vec<String> = [
        "",
        " ",
        "\n\t",
        "\"",
        "\"\"",
        "“”„\"",
        "?!",
        "...",
        "---",
        "--",
        "-",
        "#",
        "c#+#",
        "++",
        "\u{0}",
        "\u{0}token\u{1}limit\u{7f}",
        "\u{feff}token",
        "token\u{feff}",
        "\u{85}token\u{85}",
        "to\u{200b}ken",
        "\u{202e}nekot",
        "\u{301}",
        "a\u{301}\u{301}\u{301}",
        "\u{fffd}",
        "\u{fffd}\u{fffd} token",
        "ß",
        "ẞ",
        "ς",
        "Σ",
        "ΑΣ",
        "ΑΣ ",
        "İ",
        "ı",
        "ﬃ",
        "\u{1100}\u{1161}",
        "ｶﾞ",
        "・",
        "・・",
        "キー・",
        "々〆〇",
        "\u{10ffff}",
        "\u{f8ff}",
        "🎉🎉🎉",
        "👩‍👩‍👧",
        "𐐀",
        "𐐨",
        "𠀀",
        "𠀀𠀁",
        "½",
        "¼½",
        "²",
        "x²",
        "Ⅷ",
        "٣",
        "a.b.c.d.e.f.g.h.i.j",
        "a/b:c.d_e-f",
        "::",
        "a::",
        "::a",
        "--a-b",
        "---a",
        "-a=b",
        "--port=80,[x|y",
        "'token'",
        "token's",
        "<script>",
        "%00",
        "\\",
        "{}[]()",
        "constructor",
        "__proto__",
        "toString",
        "hasOwnProperty",
        "a b c d e f g h i j k l m n o p q r s t",
        "the",
        "the ",
        "the of to",
        "\"the of\"",
        "\"of the\" a",
        "\"token \"limit",
        "\"\"token\"\"",
        "\"rate limit",
        "token \"",
        "¨",
        "´token",
        "\u{1e9b}\u{323}",
    ]
    .map(str::to_owned)
    .into();
    for unit in [
        "a",
        "token ",
        "é",
        "設",
        "設 ",
        "𐐀",
        "𠀀",
        ".",
        "\"",
        "a.",
        "-",
        "a-",
        "\"token limit\" ",
        "\u{301}",
        "ﷺ",
        "limti ",
        "aB",
        "x1",
    ] {
        texts.push(unit.repeat(10_000 / unit.len()));
        texts.push(unit.repeat(40));
        texts.push(format!("x{}", unit.repeat(400)));
    }
    for length in 38..=42 {
        texts.push("a".repeat(length));
        texts.push("𐐀".repeat(length));
        texts.push("ﬃ".repeat(length));
    }
    let mut out: Vec<Request> = texts.iter().map(|text| Request::new(text)).collect();
    let token: Vec<u16> = "token".encode_utf16().collect();
    let units: [&[u16]; 6] = [
        &[0xd800],
        &[0xdc00],
        &[0xdc00, 0xd800],
        &[0xd800, 0x61],
        &[0xd801, 0xdc00, 0xd801],
        &[0xdfff],
    ];
    for unit in units {
        for text in [
            unit.to_vec(),
            [&token, unit].concat(),
            [unit, &token].concat(),
            unit.repeat(500),
        ] {
            out.push(Request {
                text,
                ..Request::new("")
            });
        }
    }
    let mut random = Random::new(3);
    for _ in 0..100 {
        let text = (0..random.below(30)).map(|_| {
            let max = [0x80, 0x250, 0x3000, 0x1_0000][random.below(4)];
            u16::try_from(random.below(max)).unwrap()
        });
        out.push(Request {
            text: text.collect(),
            ..Request::new("")
        });
    }
    for (limit, offset) in [
        (0, 0),
        (1, 0),
        (1, 29),
        (3, 29),
        (1_000, 0),
        (10, 1_000),
        (40, 20),
    ] {
        out.push(Request {
            limit,
            offset,
            ..Request::new("token limit")
        });
    }
    out.push(Request {
        filters: vec![
            ("tag".into(), "none".into()),
            ("color".into(), String::new()),
        ],
        ..Request::new("token")
    });
    out
}
