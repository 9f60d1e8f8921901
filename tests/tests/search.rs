//! The search dialog in headless Chromium, and the search of exported sites against the server's.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use svc_search::Query;
use svc_site::{ExportOptions, LoadOptions, RELATIVE_BASE, Site, SiteOptions};
use svc_tests::browser::Browser;
use svc_tests::http::Client;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::random::Random;
use svc_tests::{server, sites};

type TestResult = Result<(), Box<dyn std::error::Error>>;

/// Number of queries whose results are compared.
const QUERIES: usize = 1_000;

/// Searches an exported site that is open in the browser, as the script of the dialog does.
const SEARCH: &str = r#"(async (queries) => {
  const { index, engine } = document.querySelector("dialog.svc-search").dataset;
  const whole = (address) => new URL(address, document.baseURI).href;
  const { svcSearchEngine } = await svcImport(whole(engine));
  const read = async (path) => {
    const response = await fetch(whole(index + path));
    const stream = new Blob([await response.arrayBuffer()]).stream();
    const bytes = stream.pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(bytes).arrayBuffer());
  };
  let version = "";
  const search = await svcSearchEngine(async (name) => {
    if (name !== "meta") return read(`${version}/${name}.bin`);
    const meta = await read("meta.bin");
    version = [...meta.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return meta;
  });
  const out = [];
  for (const text of queries) {
    const { hits, total, correction } = await search.search({ text });
    out.push([total, correction, hits.map(({ path, sections }) => [path, sections.map(({ id }) => id)])]);
  }
  return out;
})"#;

/// Words and phrases of titles and headings: complete, cut, misspelled and combined.
fn queries(site: &Site) -> Vec<String> {
    let documents = site.search_documents();
    let headings = documents.iter().flat_map(|page| {
        let sections = page.sections.iter();
        let headings = sections.filter_map(|section| section.headings.last());
        headings.chain([&page.title]).cloned()
    });
    let headings: Vec<String> = headings.collect();
    let mut random = Random::new(21);
    let query = |_| {
        let heading = random.pick(&headings).cloned().unwrap_or_default();
        match random.below(6) {
            0 => heading,
            1 => random.mutate(&heading, &["x", " ", "-", "é", "\""]),
            2 => heading.split(' ').next().unwrap_or_default().to_owned() + " ",
            3 => format!("\"{heading}\""),
            4 => heading.chars().take(4).collect(),
            _ => {
                let other = random.pick(&headings).cloned().unwrap_or_default();
                let first = heading.split(' ').next_back().unwrap_or_default();
                format!("{first} {}", other.split(' ').next().unwrap_or_default())
            }
        }
    };
    (0..QUERIES).map(query).collect()
}

fn export(root: &Path, out: &Path) -> TestResult {
    let load = LoadOptions::from(SiteOptions {
        base_path: RELATIVE_BASE.to_owned(),
        export: true,
        ..SiteOptions::default()
    });
    svc_site::worker::trust_components();
    let site = svc_site::load(root, &load)?.value;
    svc_site::export(&site, out, &ExportOptions::default())?;
    Ok(())
}

#[test]
fn an_exported_site_finds_what_the_server_finds() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let out = tempfile::tempdir()?;
    export(&sites::docs(), out.path())?;
    let site = LoadedSite::load(&sites::docs())?.site;
    let queries = queries(&site);
    browser.open(&format!("file://{}/index.html", out.path().display()))?;
    let mut results = Vec::new();
    // One evaluation may not take longer than the browser is waited for.
    for part in queries.chunks(100) {
        let found = browser.evaluate(&format!("{SEARCH}({})", json!(part)))?;
        results.extend(found.as_array().ok_or("a list of results")?.iter().cloned());
    }
    let mut with_results = 0;
    for (text, result) in queries.iter().zip(&results) {
        let expected = site.search(&Query::new(text));
        with_results += usize::from(expected.total > 0);
        let pages = expected.pages.iter().map(|page| {
            let path = page.document.path.trim_end_matches('/');
            let ids = page
                .sections
                .iter()
                .map(|result| result.section.id.as_str());
            json!([format!("{path}/index.html"), ids.collect::<Vec<_>>()])
        });
        let pages: Vec<Value> = pages.collect();
        assert_eq!(
            *result,
            json!([expected.total, expected.correction, pages]),
            "{text:?}"
        );
    }
    assert_eq!(results.len(), QUERIES);
    assert!(with_results > QUERIES / 2, "{with_results} have results");
    Ok(())
}

const CONFIG: &str = r##"{"theme": "svc", "name": "Harbor", "colors": {"primary": "#0f766e"},
  "navigation": {"versions": [
    {"version": "v2", "groups": [{"group": "Sailing", "pages": ["index", "rigging"]}]},
    {"version": "v1", "groups": [{"group": "Old", "pages": ["old/rigging"]}]}]}}"##;

fn harbor() -> Result<server::RunningServer, Box<dyn std::error::Error>> {
    let files = [
        ("docs.json", CONFIG),
        ("index.mdx", "---\ntitle: Harbor\n---\n\nShips lie here."),
        (
            "rigging.mdx",
            "---\ntitle: Rigging\n---\n\nAll ropes.\n\n## Halyards\n\nA halyard hoists a sail.\n",
        ),
        (
            "old/rigging.mdx",
            "---\ntitle: Old rigging\n---\n\nHemp ropes and a halyard.",
        ),
    ];
    Ok(server::serve(LoadedSite::of_files(files)?.site)?)
}

/// Opens the dialog and types a query.
fn search(browser: &mut Browser, text: &str) -> TestResult {
    browser.press("/")?;
    browser.wait("document.activeElement.id === 'search-input'")?;
    browser.call("Input.insertText", json!({ "text": text }))?;
    Ok(())
}

const TITLES: &str = "[...document.querySelectorAll('#search-results b')].map((title) => title.textContent).join('; ')";

#[test]
fn the_dialog_searches_the_version_of_the_page_and_corrects_typing_errors() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let server = harbor()?;
    browser.open(&server.url("/index"))?;
    search(&mut browser, "haylard")?;
    browser.wait(&format!("{TITLES} === 'Rigging › Halyards'"))?;
    let status = "document.querySelector('dialog.svc-search [role=status]').textContent";
    assert_eq!(browser.evaluate(status)?, "Results: 1");
    let mark = "document.querySelector('#search-results span mark').textContent";
    assert_eq!(browser.evaluate(mark)?, "halyard");
    // The suggestion replaces the query.
    browser.evaluate("document.querySelector('.svc-search-correction button').click()")?;
    browser.wait("document.getElementById('search-input').value === 'halyard'")?;
    browser.wait("document.querySelector('.svc-search-correction').hidden")?;
    // All versions.
    browser.wait("document.querySelector('.svc-search-filters select').value === 'v2'")?;
    browser.evaluate("(() => { const select = document.querySelector('.svc-search-filters select'); select.value = ''; select.dispatchEvent(new Event('change')) })()")?;
    browser.wait(&format!("{TITLES} === 'Rigging › Halyards; Old rigging'"))?;
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

const API: &str = r##"{ "openapi": "3.1.0", "info": { "title": "Harbor", "version": "1" },
  "servers": [{ "url": "https://harbor.test" }],
  "paths": {
    "/berths": {
      "get": { "summary": "List berths", "tags": ["Berths"], "responses": {} },
      "post": { "summary": "Reserve a berth", "tags": ["Berths"], "responses": {} } },
    "/ships": { "get": { "summary": "Find the berth of a ship", "tags": ["Ships"], "responses": {} } } } }"##;

const API_CONFIG: &str = r##"{"theme": "svc", "name": "Harbor", "colors": {"primary": "#0f766e"},
  "navigation": {"pages": ["index", {"group": "API", "openapi": "api.json"}]}}"##;

fn api_files() -> [(&'static str, &'static str); 3] {
    [
        ("docs.json", API_CONFIG),
        (
            "index.mdx",
            "---\ntitle: Harbor\n---\n\nShips lie at a berth.",
        ),
        ("api.json", API),
    ]
}

/// Selects filters in the open dialog.
fn filter_by_tag_and_method(browser: &mut Browser) -> TestResult {
    search(browser, "berth")?;
    let sorted = "[...document.querySelectorAll('#search-results b')].map((title) => title.textContent).sort().join('; ')";
    browser.wait(&format!(
        "{sorted} === 'GET Find the berth of a ship; GET List berths; Harbor; POST Reserve a berth'"
    ))?;
    browser.wait("!document.querySelector('.svc-search-filters').hidden")?;
    let options = "[...document.querySelectorAll('.svc-search-filters select')].map((select) => [select.ariaLabel, ...[...select.options].map((option) => option.text)])";
    assert_eq!(
        browser.evaluate(options)?,
        json!([
            ["Tag", "Tag: All", "Berths", "Ships"],
            ["Method", "Method: All", "GET", "POST"]
        ])
    );
    let select = |name: &str, value: &str| {
        format!(
            "(() => {{ const select = document.querySelector('select[aria-label={name}]'); select.value = '{value}'; select.dispatchEvent(new Event('change')) }})()"
        )
    };
    browser.evaluate(&select("Method", "GET"))?;
    browser.wait(&format!(
        "{sorted} === 'GET Find the berth of a ship; GET List berths'"
    ))?;
    browser.evaluate(&select("Tag", "Berths"))?;
    browser.wait(&format!("{sorted} === 'GET List berths'"))?;
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn results_can_be_filtered_by_tag_and_method() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let server = server::serve(LoadedSite::of_files(api_files())?.site)?;
    browser.open(&server.url("/index"))?;
    filter_by_tag_and_method(&mut browser)?;
    let (root, out) = (tempfile::tempdir()?, tempfile::tempdir()?);
    for (name, text) in api_files() {
        std::fs::write(root.path().join(name), text)?;
    }
    export(root.path(), out.path())?;
    browser.open(&format!("file://{}/index.html", out.path().display()))?;
    filter_by_tag_and_method(&mut browser)
}

#[test]
fn a_result_opens_at_its_heading_with_marks_and_is_remembered() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let server = harbor()?;
    browser.open(&server.url("/index"))?;
    search(&mut browser, "halyard")?;
    browser.wait(&format!("{TITLES} === 'Rigging › Halyards'"))?;
    browser.press("Enter")?;
    browser.wait(
        "location.href.endsWith('/rigging#halyards') && document.readyState === 'complete'",
    )?;
    browser.wait("[...(CSS.highlights.get('svc-search') ?? [])].length >= 2")?;
    browser.wait("document.querySelector('.svc-marked #content p')")?;
    browser.press("Escape")?;
    browser.wait("!CSS.highlights.has('svc-search')")?;
    browser.press("/")?;
    browser.wait("document.querySelector('.svc-search-recent')?.textContent === 'halyard'")?;
    browser.press("Enter")?;
    browser.wait(&format!("{TITLES} === 'Rigging › Halyards'"))?;
    // A search without results helps.
    browser.evaluate("document.getElementById('search-input').select()")?;
    browser.call("Input.insertText", json!({ "text": "zzzz" }))?;
    browser.wait("document.querySelector('.svc-search-empty').textContent.includes('Nothing found for “zzzz”.')")?;
    browser.evaluate("document.querySelector('.svc-search-empty button').click()")?;
    browser.wait("document.querySelector('.svc-search-filters select').value === ''")?;
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn without_scripts_the_button_leads_to_a_page_with_results() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let server = harbor()?;
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        json!({ "value": true }),
    )?;
    browser.open(&server.url("/index"))?;
    browser.evaluate("document.querySelector('.svc-search-entry').click()")?;
    browser.wait("location.pathname === '/search' && document.readyState === 'complete'")?;
    browser.evaluate("document.querySelector('.svc-search-form input').value = 'haylard'")?;
    browser.evaluate("document.querySelector('.svc-search-form').submit()")?;
    browser.wait("location.search.includes('q=haylard') && document.readyState === 'complete'")?;
    let links = "[...document.querySelectorAll('.svc-search-list a')].map((link) => link.getAttribute('href')).join(' ')";
    // The version of the page on which the search began.
    assert_eq!(browser.evaluate(links)?, "/rigging#halyards");
    let correction = "document.querySelector('a[href^=\"/search?q=halyard&\"]') !== null";
    assert_eq!(browser.evaluate(correction)?, true);
    Ok(())
}

#[test]
fn enter_opens_the_first_result_of_the_query_that_was_typed() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let server = harbor()?;
    browser.open(&server.url("/rigging"))?;
    search(&mut browser, "halyard")?;
    browser.wait(&format!("{TITLES} === 'Rigging › Halyards'"))?;
    // The answer to the next query is late.
    browser.evaluate(
        "(() => { const { fetch } = window; window.fetch = (...all) => new Promise((done) => setTimeout(done, 500)).then(() => fetch(...all)) })()",
    )?;
    browser.evaluate("document.getElementById('search-input').select()")?;
    browser.call("Input.insertText", json!({ "text": "ships" }))?;
    browser.press("Enter")?;
    browser.wait(
        "['/', '/index'].includes(location.pathname) && document.readyState === 'complete'",
    )?;
    // The same with a list of recent searches.
    browser.press("/")?;
    browser.wait("document.querySelector('.svc-search-recent') !== null")?;
    browser.evaluate(
        "(() => { const { fetch } = window; window.fetch = (...all) => new Promise((done) => setTimeout(done, 500)).then(() => fetch(...all)) })()",
    )?;
    browser.call("Input.insertText", json!({ "text": "hoists" }))?;
    browser.press("Enter")?;
    browser.wait("location.pathname === '/rigging' && location.hash === '#halyards'")?;
    Ok(())
}

#[test]
fn enter_with_a_modifier_key_opens_the_result_elsewhere_and_keeps_the_dialog() -> TestResult {
    const CONTROL: u8 = 2;
    const SHIFT: u8 = 8;
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let server = harbor()?;
    browser.open(&server.url("/"))?;
    search(&mut browser, "halyard")?;
    browser.wait(&format!("{TITLES} === 'Rigging › Halyards'"))?;
    for (modifier, count) in [(CONTROL, 2), (SHIFT, 3)] {
        browser.press_with("Enter", modifier)?;
        let mut opened = 0;
        for _ in 0..200 {
            let targets = browser.call("Target.getTargets", json!({}))?;
            let targets = targets["targetInfos"].as_array().ok_or("no targets")?;
            let is_result = |target: &&Value| {
                let url = target["url"].as_str().unwrap_or_default();
                target["type"] == "page" && url.ends_with("/rigging#halyards")
            };
            opened = targets.iter().filter(is_result).count() + 1;
            if opened == count {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(opened, count, "windows after Enter with {modifier}");
        assert_eq!(browser.evaluate("location.pathname")?, "/");
        let open = "document.querySelector('dialog.svc-search').open";
        assert_eq!(browser.evaluate(open)?, true);
    }
    Ok(())
}

#[test]
fn a_failed_search_is_announced_and_filters_of_the_last_choice_count() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let server = harbor()?;
    browser.open(&server.url("/index"))?;
    search(&mut browser, "halyard")?;
    browser.wait("document.querySelector('.svc-search-filters select')?.value === 'v2'")?;
    browser.evaluate(
        "window.realFetch = window.fetch; window.fetch = () => Promise.reject(new Error('offline'))",
    )?;
    browser.evaluate("document.getElementById('search-input').select()")?;
    browser.call("Input.insertText", json!({ "text": "ropes" }))?;
    let status = "document.querySelector('dialog.svc-search [role=status]').textContent";
    browser.wait(&format!(
        "{status} === document.querySelector('dialog.svc-search').dataset.failed"
    ))?;
    // The first choice is answered after the second one.
    browser.evaluate("window.fetch = async (url) => { if (url.includes('version=v1')) await new Promise((done) => setTimeout(done, 500)); return window.realFetch(url) }")?;
    browser.evaluate("(() => { const select = document.querySelector('.svc-search-filters select'); for (const value of ['v1', '']) { select.value = value; select.dispatchEvent(new Event('change')) } })()")?;
    browser.wait(&format!("{TITLES} === 'Rigging; Old rigging'"))?;
    browser.evaluate("new Promise((done) => setTimeout(done, 800))")?;
    assert_eq!(browser.evaluate(TITLES)?, "Rigging; Old rigging");
    Ok(())
}

/// Number of pages of the site on which the size of the first query is measured.
const PAGES: usize = 1_000;
/// Maximum number of bytes that the first query of an exported site of this size loads.
const MAX_FIRST_QUERY_BYTES: u64 = 150_000;

/// The bytes of the files that a search loads, and the number of its results.
const FIRST_QUERY: &str = r#"(async (text) => {
  const { index, engine } = document.querySelector("dialog.svc-search").dataset;
  const whole = (address) => new URL(address, document.baseURI).href;
  let bytes = (await (await fetch(whole(engine))).arrayBuffer()).byteLength;
  const { svcSearchEngine } = await svcImport(whole(engine));
  const read = async (path) => {
    const response = await (await fetch(whole(index + path))).arrayBuffer();
    bytes += response.byteLength;
    const stream = new Blob([response]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  let version = "";
  const search = await svcSearchEngine(async (name) => {
    if (name !== "meta") return read(`${version}/${name}.bin`);
    const meta = await read("meta.bin");
    version = [...meta.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return meta;
  });
  const { total } = await search.search({ text, snippetLength: 180 });
  return [bytes, total];
})"#;

/// Words whose frequencies fall as those of a language do: half of the text consists of a hundred
/// of fifteen thousand words.
fn random_text(random: &mut Random, count: usize) -> String {
    let word = |number: usize| {
        let syllables = [
            "ba", "ke", "lo", "ni", "ru", "sa", "te", "vo", "mi", "do", "pla", "gre",
        ];
        let mut rest = number * 7 + 11;
        let mut out = String::new();
        while rest > 0 {
            out.push_str(syllables[rest % syllables.len()]);
            rest /= syllables.len();
        }
        out
    };
    let mut out = Vec::new();
    for _ in 0..count {
        let exponent = random.below(1_000_000) as f64 / 1e6;
        out.push(word(15_000_f64.powf(exponent) as usize));
    }
    out.join(" ")
}

#[test]
fn the_first_query_of_a_thousand_pages_loads_little() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let (root, out) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let mut random = Random::new(150);
    let names: Vec<String> = (0..PAGES).map(|number| format!("\"p{number}\"")).collect();
    let config = format!(
        r##"{{"theme": "svc", "name": "Large", "colors": {{"primary": "#0f766e"}}, "navigation": {{"pages": [{}]}}}}"##,
        names.join(", ")
    );
    std::fs::write(root.path().join("docs.json"), config)?;
    for number in 0..PAGES {
        let mut text = format!("---\ntitle: {}\n---\n", random_text(&mut random, 3));
        for _ in 0..4 {
            let (heading, body) = (random_text(&mut random, 3), random_text(&mut random, 80));
            text.push_str(&format!("\n## {heading}\n\n{body}\n"));
        }
        std::fs::write(root.path().join(format!("p{number}.mdx")), text)?;
    }
    export(root.path(), out.path())?;
    browser.open(&format!("file://{}/p0/index.html", out.path().display()))?;
    for _ in 0..10 {
        let query = random_text(&mut random, 2);
        let loaded = browser.evaluate(&format!("{FIRST_QUERY}({})", json!(query)))?;
        let bytes = loaded[0].as_u64().ok_or("a number of bytes")?;
        assert!(bytes <= MAX_FIRST_QUERY_BYTES, "{query}: {bytes} bytes");
        assert!(loaded[1].as_u64() > Some(0), "{query}: {loaded}");
    }
    Ok(())
}

#[test]
fn programs_page_through_results_of_a_version() -> TestResult {
    let server = harbor()?;
    let mut client = Client::connect(server.addr)?;
    let mut get = |path: &str| -> Result<(u16, Value), Box<dyn std::error::Error>> {
        let response = client.get(path, &[])?;
        Ok((response.status, serde_json::from_str(&response.text())?))
    };
    let (status, first) = get("/_svc/search?q=ropes&limit=1")?;
    assert_eq!(status, 200);
    assert_eq!(first["total"], 2);
    assert_eq!(first["filters"], json!({ "version": ["v2", "v1"] }));
    assert_eq!(first["results"][0]["path"], "/rigging");
    let cursor = first["cursor"].as_str().ok_or("a cursor")?;
    let (_, second) = get(&format!("/_svc/search?q=ropes&limit=1&cursor={cursor}"))?;
    assert_eq!(second["results"][0]["path"], "/old/rigging");
    assert_eq!(second["cursor"], Value::Null);
    let (_, old) = get("/_svc/search?q=ropes&version=v1")?;
    let result = &old["results"][0];
    assert_eq!(
        (&old["total"], &result["title"], &result["version"]),
        (&json!(1), &json!("Old rigging"), &json!("v1"))
    );
    assert_eq!(
        result["sections"],
        json!([{
            "id": "",
            "headings": [],
            "heading_marks": [],
            "snippet": "Hemp ropes and a halyard.",
            "snippet_marks": [[5, 10]]
        }])
    );
    let (status, error) = get("/_svc/search?q=ropes&limit=0")?;
    assert_eq!(
        (status, error),
        (
            400,
            json!({ "error": "`limit` must be a number from 1 to 50" })
        )
    );
    Ok(())
}
