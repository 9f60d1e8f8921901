mod html;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;
use scraper::{ElementRef, Html, Selector};
use svc_search::*;

const PG: &str = "/work/t/pg/x/usr/share/doc/postgresql-doc-15/html";
const PY: &str = "/work/t/pg/x/usr/share/doc/python3.11/html";

pub struct Labeled { text: String, pages: BTreeSet<String> }

fn corpus(dir: &str, root: &str, skip: &dyn Fn(&str) -> bool) -> Vec<Arc<Document>> {
    let mut files = vec![];
    let mut stack = vec![std::path::PathBuf::from(dir)];
    while let Some(d) = stack.pop() {
        for e in std::fs::read_dir(d).unwrap() {
            let p = e.unwrap().path();
            if p.is_dir() { if !p.ends_with("_static") && !p.ends_with("_sources") && !p.ends_with("_images") && !p.ends_with("_downloads") { stack.push(p) } }
            else if p.extension().is_some_and(|e| e == "html") { files.push(p) }
        }
    }
    files.sort();
    files.iter().filter_map(|p| {
        let rel = p.strip_prefix(dir).unwrap().to_str().unwrap().to_owned();
        if skip(&rel) { return None; }
        html::document(&rel, &std::fs::read_to_string(p).ok()?, root).map(Arc::new)
    }).collect()
}

fn own_text(e: ElementRef<'_>) -> String {
    let mut s = String::new();
    for c in e.children() {
        if let Some(el) = ElementRef::wrap(c) {
            if el.value().name() == "a" { break; }
            s.extend(el.text());
        } else if let Some(t) = c.value().as_text() { s.push_str(t); }
    }
    s.trim().trim_end_matches(',').split_whitespace().collect::<Vec<_>>().join(" ")
}

fn pg_entries() -> Vec<Labeled> {
    let html = Html::parse_document(&std::fs::read_to_string(format!("{PG}/bookindex.html")).unwrap());
    let dl = Selector::parse("div.indexdiv > dl").unwrap();
    let mut out = vec![];
    fn list(dl: ElementRef<'_>, parent: &str, out: &mut Vec<Labeled>) {
        let mut last = String::new();
        for c in dl.children().filter_map(ElementRef::wrap) {
            match c.value().name() {
                "dt" => {
                    let t = own_text(c);
                    last = if parent.is_empty() { t } else { format!("{parent} {t}") };
                    let a = Selector::parse("a.indexterm").unwrap();
                    let pages: BTreeSet<String> = c.select(&a).filter_map(|a| a.value().attr("href")).map(|h| h.split('#').next().unwrap().to_owned()).collect();
                    if !pages.is_empty() { out.push(Labeled { text: last.clone(), pages }); }
                }
                "dd" => for d in c.children().filter_map(ElementRef::wrap).filter(|d| d.value().name() == "dl") { list(d, &last, out) },
                _ => {}
            }
        }
    }
    for d in html.select(&dl) { list(d, "", &mut out); }
    out
}

fn py_entries() -> Vec<Labeled> {
    // `name (in module x)` entries: text before the parenthesis.
    let mut files: Vec<_> = std::fs::read_dir(PY).unwrap().map(|e| e.unwrap().path()).filter(|p| p.file_name().unwrap().to_str().unwrap().starts_with("genindex-")).collect();
    files.sort();
    let mut map: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for f in files {
        let html = Html::parse_document(&std::fs::read_to_string(f).unwrap());
        fn list(ul: ElementRef<'_>, parent: &str, map: &mut BTreeMap<String, BTreeSet<String>>) {
            for li in ul.children().filter_map(ElementRef::wrap).filter(|e| e.value().name() == "li") {
                let mut name = String::new();
                let mut href = vec![];
                for c in li.children() {
                    if let Some(e) = ElementRef::wrap(c) {
                        match e.value().name() {
                            "a" => { let t: String = e.text().collect(); if !t.starts_with('[') { name = t; } href.push(e.value().attr("href").unwrap_or("").split('#').next().unwrap().to_owned()); }
                            "ul" => { let p = if name.is_empty() { parent.to_owned() } else { name.clone() }; list(e, &p, map) }
                            _ => {}
                        }
                    } else if let Some(t) = c.value().as_text() { let t = t.trim(); if !t.is_empty() && name.is_empty() { name = t.to_owned(); } }
                }
                if href.is_empty() { continue; }
                let q = if name.starts_with('(') { format!("{parent} {}", name.trim_matches(['(', ')']).replace("in module ", "").replace(" method", "").replace(" attribute", "")) } else { name.clone() };
                let q = q.replace("()", "").replace(" (built-in function)", "").replace(['(', ')'], "").replace("in module ", "").replace(" method", "").replace(" attribute", "");
                map.entry(q.split_whitespace().collect::<Vec<_>>().join(" ")).or_default().extend(href);
            }
        }
        for ul in html.select(&Selector::parse("table.genindextable td > ul").unwrap()) { list(ul, "", &mut map); }
    }
    map.into_iter().map(|(text, pages)| Labeled { text, pages }).collect()
}

fn mdx(path: &str, text: &str) -> Document {
    let mut d = Document { path: path.into(), sections: vec![Section::default()], ..Document::default() };
    let mut body = text;
    if let Some(rest) = text.strip_prefix("---\n") && let Some((fm, b)) = rest.split_once("\n---") {
        body = b;
        for l in fm.lines() {
            if let Some((k, v)) = l.split_once(": ") {
                let v = v.trim().trim_matches(['"', '\'']);
                match k { "title" => d.title = v.into(), "description" => { d.sections[0].text.push_str(v); d.sections[0].text.push('\n') } "keywords" => d.keywords = v.trim_matches(['[', ']']).split(',').map(|k| k.trim().trim_matches(['"', '\'']).to_owned()).collect(), "openapi" => d.sections[0].identifiers.push(v.into()), _ => {} }
            }
        }
    }
    let mut stack: Vec<(usize, String)> = vec![];
    let mut fence = None::<String>;
    for l in body.lines() {
        let t = l.trim_start();
        if let Some(f) = &fence {
            if t.starts_with(f.as_str()) { fence = None } else { let s = d.sections.last_mut().unwrap(); s.code.push_str(l); s.code.push('\n'); }
            continue;
        }
        if t.starts_with("```") { fence = Some(t.chars().take_while(|c| *c == '`').collect()); continue; }
        if t.starts_with("import ") || t.starts_with("export ") { continue; }
        let level = t.chars().take_while(|c| *c == '#').count();
        if (1..=6).contains(&level) && t[level..].starts_with(' ') {
            let h = t[level..].trim();
            let h = h.split(" {#").next().unwrap().replace('`', "");
            if level == 1 && d.title.is_empty() { d.title = h; continue; }
            while stack.last().is_some_and(|(l, _)| *l >= level) { stack.pop(); }
            stack.push((level, h.clone()));
            d.sections.push(Section { id: h, headings: stack.iter().map(|x| x.1.clone()).collect(), ..Section::default() });
            continue;
        }
        let s = d.sections.last_mut().unwrap();
        let mut rest = l;
        while let Some(a) = rest.find('<') {
            s.text.push_str(&rest[..a]);
            rest = &rest[a..];
            let Some(b) = rest.find('>') else { break };
            let tag = &rest[..b];
            for name in ["title=\"", "path=\"", "query=\"", "body=\"", "name=\"", "label=\""] { if let Some(i) = tag.find(name) { let v = tag[i + name.len()..].split('"').next().unwrap(); if tag.contains("Field") && name != "title=\"" { s.identifiers.push(v.into()) } else { s.text.push_str(v); s.text.push(' ') } } }
            rest = &rest[b + 1..];
        }
        s.text.push_str(rest); s.text.push('\n');
    }
    d
}

fn site(root: &str, lang_skip: &[&str]) -> Vec<Arc<Document>> {
    let mut files = vec![]; let mut stack = vec![std::path::PathBuf::from(root)];
    while let Some(d) = stack.pop() { for e in std::fs::read_dir(d).unwrap() { let p = e.unwrap().path(); let n = p.file_name().unwrap().to_str().unwrap().to_owned(); if p.is_dir() { if !n.starts_with('.') && n != "snippets" && n != "node_modules" && !lang_skip.contains(&n.as_str()) { stack.push(p) } } else if n.ends_with(".mdx") || n.ends_with(".md") { files.push(p) } } }
    files.sort();
    files.iter().map(|p| { let rel = p.strip_prefix(root).unwrap().to_str().unwrap(); let rel = rel.trim_end_matches(".mdx").trim_end_matches(".md"); let rel = rel.strip_suffix("/index").unwrap_or(rel); Arc::new(mdx(&format!("/{rel}"), &std::fs::read_to_string(p).unwrap())) }).collect()
}

fn csv(path: &str) -> Vec<(Labeled, String)> {
    std::fs::read_to_string(path).unwrap().lines().skip(1).map(|l| {
        let mut f = vec![]; let mut cur = String::new(); let mut q = false; let mut it = l.chars().peekable();
        while let Some(c) = it.next() { if q { if c == '"' { if it.peek() == Some(&'"') { cur.push('"'); it.next(); } else { q = false } } else { cur.push(c) } } else if c == '"' { q = true } else if c == ',' { f.push(std::mem::take(&mut cur)) } else { cur.push(c) } }
        f.push(cur);
        (Labeled { text: f[0].clone(), pages: f[1].split(' ').map(|p| p.split('#').next().unwrap().to_owned()).collect() }, f[2].clone())
    }).collect()
}

fn small(which: &str) -> Vec<(String, Vec<Arc<Document>>, Vec<(Labeled, String)>)> {
    let mut out = vec![];
    if which == "own" {
        for s in ["mcp", "fastmcp", "trigger", "polar", "mintlify", "docs"] {
            let root = if s == "docs" { "/work/main/docs".into() } else { format!("/work/shared/corpus/sites/{s}") };
            let root = if std::path::Path::new(&format!("{root}/docs.json")).exists() { root } else { format!("{root}/docs") };
            out.push((s.to_owned(), site(&root, &["es", "fr", "zh"]), csv(&format!("/work/t/labels/{s}.csv"))));
        }
    } else if which == "lang" {
        for l in ["de", "ja", "ko", "zh"] {
            let v: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(format!("/work/t/languages/{l}.json")).unwrap()).unwrap();
            let docs = v["pages"].as_array().unwrap().iter().map(|p| Arc::new(Document { path: p["path"].as_str().unwrap().into(), title: p["title"].as_str().unwrap().into(), language: Some(l.into()), sections: p["sections"].as_array().unwrap().iter().map(|s| Section { id: s["id"].as_str().unwrap().into(), headings: s["headings"].as_array().unwrap().iter().map(|h| h.as_str().unwrap().into()).collect(), text: s["text"].as_str().unwrap().into(), code: s["code"].as_str().unwrap_or("").into(), ..Section::default() }).collect(), ..Document::default() })).collect();
            let q = v["queries"].as_array().unwrap().iter().map(|q| (Labeled { text: q["query"].as_str().unwrap().into(), pages: q["paths"].as_array().unwrap().iter().map(|p| p.as_str().unwrap().split('#').next().unwrap().to_owned()).collect() }, q["kind"].as_str().unwrap().to_owned())).collect();
            out.push((l.to_owned(), docs, q));
        }
    } else {
        let dir = "/work/t/clickhouse";
        let v: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(format!("{dir}/pages.json")).unwrap()).unwrap();
        let docs = v.as_array().unwrap().iter().map(|p| { let mut d = mdx(p["url"].as_str().unwrap(), &std::fs::read_to_string(format!("{dir}/{}", p["file"].as_str().unwrap())).unwrap()); d.title = p["title"].as_str().unwrap_or("").into(); Arc::new(d) }).collect();
        let v: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(format!("{dir}/labels.json")).unwrap()).unwrap();
        let q = v.as_array().unwrap().iter().map(|q| (Labeled { text: q["query"].as_str().unwrap().into(), pages: q["urls"].as_array().unwrap().iter().map(|p| p.as_str().unwrap().to_owned()).collect() }, "term".to_owned())).collect();
        out.push(("clickhouse".into(), docs, q));
    }
    out
}

struct Rng(u64);
impl Rng { fn next(&mut self) -> u64 { self.0 ^= self.0 << 13; self.0 ^= self.0 >> 7; self.0 ^= self.0 << 17; self.0 } fn below(&mut self, n: usize) -> usize { (self.next() % n as u64) as usize } }

fn typo(text: &str, rng: &mut Rng) -> Option<String> {
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let long: Vec<usize> = (0..words.len()).filter(|&i| words[i].chars().count() >= 4 && words[i].chars().all(|c| c.is_alphanumeric() || c == '_')).collect();
    if long.is_empty() { return None; }
    let i = long[rng.below(long.len())];
    let mut c: Vec<char> = words[i].chars().collect();
    let at = rng.below(c.len());
    let letter = (b'a' + rng.below(26) as u8) as char;
    match rng.below(4) {
        0 => { c.remove(at); }
        1 => c.insert(at, letter),
        2 => c[at] = letter,
        _ => { let at = at.min(c.len() - 2); c.swap(at, at + 1) }
    }
    words[i] = c.into_iter().collect();
    Some(words.join(" "))
}

fn prefix(text: &str) -> Option<String> {
    let (head, last) = text.rsplit_once(' ').map_or(("", text), |(a, b)| (a, b));
    if last.chars().count() <= 4 { return None; }
    let cut: String = last.chars().take(4).collect();
    Some(format!("{head} {cut}").trim().to_owned())
}

#[derive(Default)]
struct Score { n: f64, ndcg: f64, mrr: f64, found: f64, recall: f64 }
impl Score {
    fn add(&mut self, ranks: &[bool], relevant: usize) {
        self.n += 1.0;
        let dcg: f64 = ranks.iter().take(10).enumerate().filter(|(_, r)| **r).map(|(i, _)| 1.0 / ((i + 2) as f64).log2()).sum();
        let ideal: f64 = (0..relevant.min(10)).map(|i| 1.0 / ((i + 2) as f64).log2()).sum();
        self.ndcg += dcg / ideal; self.recall += ranks.iter().filter(|r| **r).count() as f64 / relevant.min(10) as f64;
        if let Some(i) = ranks.iter().position(|r| *r) { self.mrr += 1.0 / (i + 1) as f64; if i < 5 { self.found += 1.0 } }
    }
}
impl std::fmt::Display for Score { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "n={} ndcg {:.4} mrr {:.4} f5 {:.4} r10 {:.4}", self.n, self.ndcg / self.n, self.mrr / self.n, self.found / self.n, self.recall / self.n) } }

fn slices(queries: &[Labeled]) -> Vec<(&'static str, Vec<(String, &BTreeSet<String>)>)> {
    let mut rng = Rng(42);
    vec![
        ("plain", queries.iter().map(|q| (q.text.clone(), &q.pages)).collect()),
        ("typo", queries.iter().filter_map(|q| Some((typo(&q.text, &mut rng)?, &q.pages))).collect()),
        ("prefix", queries.iter().filter_map(|q| Some((prefix(&q.text)?, &q.pages))).collect()),
        ("ident", queries.iter().filter(|q| q.text.contains('_') || q.text.contains('.')).map(|q| (q.text.clone(), &q.pages)).collect()),
    ]
}

fn evaluate(index: &Index, docs: &[Arc<Document>], queries: &[(String, &BTreeSet<String>)], mut worst: Option<&mut Vec<String>>) -> Score {
    let mut s = Score::default();
    for (text, pages) in queries {
        let hits = index.search(&svc_search::Query::new(text)).hits;
        let ranks: Vec<bool> = hits.iter().map(|h| pages.contains(&docs[h.page as usize].path)).collect();
        if let Some(w) = worst.as_deref_mut() && !ranks.iter().take(5).any(|r| *r) {
            w.push(format!("{text:?} wants {pages:?} got {:?}", hits.iter().take(4).map(|h| format!("{}#{} {:.2}", docs[h.page as usize].path, h.sections[0], h.score)).collect::<Vec<_>>()));
        }
        s.add(&ranks, pages.len());
    }
    s
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let set = args.first().map_or("pg", |s| s.as_str());
    if matches!(set, "own" | "lang" | "ch") {
        let mut kinds: BTreeMap<String, Score> = BTreeMap::new();
        let verbose = args.iter().any(|a| a == "v");
        for (name, docs, queries) in small(set) {
            let index = Index::new(docs.clone(), &Weights::default());
            let all: Vec<_> = queries.iter().map(|(q, _)| (q.text.clone(), &q.pages)).collect();
            let mut worst = vec![];
            let start = Instant::now();
            let s = evaluate(&index, &docs, &all, Some(&mut worst));
            println!("{name:10} {} pages {s} {:?} a query", docs.len(), start.elapsed() / all.len() as u32);
            if verbose { for w in worst { println!("    {w}") } }
            for (q, kind) in &queries { let one = [(q.text.clone(), &q.pages)]; let s = evaluate(&index, &docs, &one, None); for k in [kind.as_str(), "all"] { let t = kinds.entry(k.to_owned()).or_default(); t.n += s.n; t.ndcg += s.ndcg; t.mrr += s.mrr; t.found += s.found; t.recall += s.recall; } }
        }
        for (k, s) in kinds { println!("  {k:10} {s}") }
        return;
    }
    let (docs, mut entries) = match set {
        "pg" => (corpus(PG, "body", &|p| p == "bookindex.html"), pg_entries()),
        _ => (corpus(PY, "div.body", &|p| p.starts_with("genindex") || p == "contents.html" || p == "search.html" || p == "py-modindex.html"), py_entries()),
    };
    let paths: BTreeSet<&str> = docs.iter().map(|d| d.path.as_str()).collect();
    for q in &mut entries { q.pages.retain(|p| paths.contains(p.as_str())); }
    entries.retain(|q| !q.pages.is_empty() && q.text.chars().any(char::is_alphanumeric));
    let bytes: usize = docs.iter().flat_map(|d| &d.sections).map(|s| s.text.len() + s.code.len()).sum();
    println!("{} pages, {} bytes of text, {} entries", docs.len(), bytes, entries.len());
    let even = args.iter().any(|a| a == "even");
    let queries: Vec<Labeled> = entries.into_iter().enumerate().filter(|(i, _)| (i % 2 == 0) != even).map(|(_, q)| q).collect();
    let start = Instant::now();
    let base = Weights::default();
    let index = Index::new(docs.clone(), &base);
    println!("index {:?}: {} sections, {} terms, {:?}", start.elapsed(), index.section_count(), index.term_count(), index.memory());
    let slices = slices(&queries);
    for (name, queries) in &slices {
        let mut worst = vec![];
        let start = Instant::now();
        let s = evaluate(&index, &docs, queries, Some(&mut worst));
        println!("{name:8} {s}  {:?} a query", start.elapsed() / queries.len() as u32);
        if args.iter().any(|a| a == name) { for w in worst.iter().take(60) { println!("   {w}") } }
    }
}

