//! A site of a few hundred pages with all kinds of words.

use std::sync::Arc;

use svc_search::{Analysis, Document, Index, Section, Synonyms, Weights};

/// A small generator of pseudo-random numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 20).unwrap() % count
    }

    pub(crate) fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    /// A word, the later in the list the rarer.
    pub(crate) fn token(&mut self) -> &'static str {
        let end = 1 + self.below(TOKENS.len());
        TOKENS[self.below(end)]
    }
}

pub(crate) const TOKENS: &[&str] = &[
    "the",
    "a",
    "of",
    "to",
    "is",
    "request",
    "API",
    "token",
    "rate",
    "limit",
    "limits",
    "limited",
    "limiting",
    "webhook",
    "webhooks",
    "page",
    "pages",
    "configure",
    "configuration",
    "configured",
    "configuring",
    "config",
    "server",
    "servers",
    "error",
    "errors",
    "value",
    "values",
    "key",
    "secret",
    "header",
    "verify",
    "verification",
    "verified",
    "use",
    "user",
    "users",
    "using",
    "effect",
    "auto",
    "vacuum",
    "autovacuum",
    "database",
    "databases",
    "index",
    "indices",
    "indexes",
    "number",
    "replicas",
    "install",
    "installer",
    "installation",
    "environment",
    "variable",
    "variables",
    "deploy",
    "deployment",
    "deploying",
    "status",
    "429",
    "404",
    "v2",
    "useEffect",
    "index.number_of_replicas",
    "number_of_replicas",
    "HTMLParser",
    "oauth2Token",
    "k8s",
    "C#",
    "C++",
    "ES|QL",
    "--dry-run",
    "--port=80",
    "-v",
    "built-in",
    "single sign-on",
    "SSO",
    "std::vec::Vec",
    "@scope/package",
    "$HOME",
    "a.b_c",
    "GET",
    "/v1/users/{id}",
    "user_id",
    "XMLHttpRequest",
    "IPv4Address",
    "camelCaseIdentifier",
    "SCREAMING_SNAKE_CASE",
    "x",
    "y",
    "z",
    "Datenbank",
    "Datenbanken",
    "Wiederherstellung",
    "Sicherung",
    "Sicherungen",
    "Straße",
    "Größe",
    "grosse",
    "Übersicht",
    "Einstellungen",
    "einstellen",
    "und",
    "der",
    "die",
    "das",
    "café",
    "naïve",
    "résumé",
    "déployer",
    "ΜΟΥΣΙΚΉ",
    "λόγος",
    "ΛΌΓΟΣ",
    "Ёлка",
    "настройки",
    "設定",
    "設定を変更",
    "APIキー",
    "キーの設定",
    "認証",
    "認証の方法",
    "ページ",
    "ユーザー・キー",
    "数据库",
    "数据库备份",
    "서버",
    "서버를",
    "설정을",
    "การตั้งค่า",
    "ສະບາຍດີ",
    "ﬁle",
    "ﬁnal",
    "№1",
    "½",
    "x²",
    "Ⅷ",
    "①②",
    "ｆｕｌｌｗｉｄｔｈ",
    "ﾊﾝｶｸ",
    "İstanbul",
    "ıstanbul",
    "ǅ",
    "𝐁𝐨𝐥𝐝",
    "𐐀𐐁𐐂",
    "𐐨𐐩",
    "𠀀𠀁𠀂",
    "🎉",
    "e\u{301}a\u{323}\u{301}",
    "\u{301}x",
    "naïf",
    "queue",
    "enqueue",
    "dequeue",
    "priority",
    "retention",
    "throughput",
    "latency",
    "observability",
    "telemetry",
    "checkpoint",
    "snapshot",
    "snapshots",
    "rollback",
    "migration",
    "migrations",
    "schema",
    "partition",
    "partitioning",
    "sharding",
    "replication",
    "failover",
    "idempotency",
    "pagination",
    "cursor",
    "throttling",
    "encryption",
    "certificate",
    "certificates",
    "handshake",
    "middleware",
    "serialization",
    "accommodate",
    "occurrence",
    "separate",
    "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeee",
];

const GAPS: &[&str] = &[
    " ", " ", " ", " ", " ", ". ", ", ", "\n", "! ", "。", " (", ") ", "\u{a0}", "\t",
];

fn text(random: &mut Random, max: usize) -> String {
    let mut out = String::new();
    for _ in 0..random.below(max + 1) {
        out.push_str(random.token());
        let gap = random.of(GAPS);
        out.push_str(gap);
    }
    out
}

/// The page of a number.
pub(crate) fn page(number: usize) -> Document {
    let mut random = Random::new(number as u64 + 1);
    let title = text(&mut random, 4);
    let mut page = Document {
        path: format!("/{number}"),
        title,
        language: (number % 5 == 4).then(|| "de-AT".to_owned()),
        boost: [1.0, 1.0, 1.0, 0.7, 1.25][random.below(5)],
        ..Document::default()
    };
    if random.below(3) == 0 {
        page.keywords = vec![random.token().to_owned(), text(&mut random, 3)];
    }
    if random.below(4) > 0 {
        let version = random.of(&["v1", "v2", "v3"]);
        page.facets.push(("version".to_owned(), version.to_owned()));
    }
    for tag in ["guide", "api", "ユーザー"] {
        if random.below(4) == 0 {
            page.facets.push(("tag".to_owned(), tag.to_owned()));
        }
    }
    let mut sections = Vec::new();
    for section in 0..=random.below(5) {
        let mut headings: Vec<String> = Vec::new();
        if section > 0 {
            headings = (0..=random.below(3))
                .map(|_| text(&mut random, 4))
                .collect();
        }
        let identifiers = (0..random.below(3)).map(|_| random.token().to_owned());
        sections.push(Section {
            id: format!("s{section}"),
            headings,
            identifiers: identifiers.collect(),
            text: text(&mut random, 45),
            code: text(&mut random, 8),
        });
    }
    page.sections = sections.into();
    page
}

/// An index with synonyms.
pub(crate) fn index() -> Index {
    let weights = Weights::default();
    let synonyms = Synonyms::new([
        vec!["SSO", "single sign-on"],
        vec!["k8s", "kubernetes"],
        vec!["認証", "login"],
    ]);
    let pages: Vec<Arc<Document>> = (0..300).map(|number| Arc::new(page(number))).collect();
    let analyses = pages
        .iter()
        .map(|page| Analysis::with_synonyms(page, &weights, &synonyms));
    let analyses: Vec<Analysis> = analyses.collect();
    Index::from_analyses(pages, &analyses.iter().collect::<Vec<_>>(), &weights)
}
