//! Pages are small, make few requests and have no layout shifts.
#![expect(
    clippy::print_stderr,
    reason = "figures and skipped checks must be seen"
)]

use std::error::Error;

use serde_json::{Value, json};
use svc_site::LoadOptions;
use svc_tests::browser::Browser;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::{images, server, sites};

type TestResult = Result<(), Box<dyn Error>>;

/// Script that records layout shifts that were not caused by the reader.
const WATCH: &str = r"
  window.moved = { sum: 0, what: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      window.moved.sum += entry.value;
      for (const source of entry.sources) {
        const element = source.node?.nodeType === 1 ? source.node : source.node?.parentElement;
        window.moved.what.push(`${entry.value.toFixed(4)} ${element?.tagName}.${element?.className}`);
      }
    }
  }).observe({ type: 'layout-shift', buffered: true });
";

/// Script that scrolls through the page, so that everything loads, and returns the layout shifts.
const WALK: &str = r"(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)));
  for (let at = 0; at < 8; at += 1) {
    window.scrollTo({ top: at * innerHeight, behavior: 'instant' });
    await frame();
    await Promise.race([
      Promise.all([...document.images].filter((image) => {
        const box = image.getBoundingClientRect();
        return !image.complete && box.top < innerHeight && box.bottom > 0 && box.width > 0;
      }).map((image) => new Promise((done) => { image.onload = image.onerror = done; }))),
      new Promise((done) => setTimeout(done, 300)),
    ]);
  }
  await frame();
  return window.moved;
})()";

fn start() -> Result<Option<Browser>, Box<dyn Error>> {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(None);
    };
    browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": WATCH }),
    )?;
    // Responses of other sites vary from day to day.
    browser.call("Network.setBlockedURLs", json!({ "urls": ["https://*"] }))?;
    Ok(Some(browser))
}

#[test]
fn a_guide_needs_sixty_kilobytes_and_eight_requests() -> TestResult {
    let Some(mut browser) = start()? else {
        return Ok(());
    };
    let server = server::start(&sites::docs())?;
    browser.screen(1440, 900, "light")?;
    for path in server
        .paths
        .iter()
        .filter(|path| path.starts_with("/guides/"))
    {
        browser.call("Network.clearBrowserCache", json!({}))?;
        browser.open(&server.url(path))?;
        // The last response may be reported after the load event.
        browser.evaluate("new Promise((done) => setTimeout(done, 100))")?;
        let light = ["Image", "Font", "Media"];
        let counted = browser.transfers.iter();
        let counted: Vec<_> = counted.filter(|one| !light.contains(&&*one.kind)).collect();
        let bytes: u64 = counted.iter().map(|one| one.bytes).sum();
        eprintln!("{path}: {bytes} bytes in {} requests", counted.len());
        assert!(bytes > 5_000, "{counted:#?}");
        assert!(bytes <= 60_000, "{path}: {bytes} bytes: {counted:#?}");
        // Data URLs make no request, and speculation rules are requested once an hour.
        let requests = browser.transfers.iter();
        let requests = requests.filter(|one| !one.url.starts_with("data:") && one.kind != "Font");
        let requests = requests.filter(|one| !one.url.ends_with("/_svc/speculation.json"));
        // One of them is the logo of the site.
        assert!(requests.count() <= 9, "{path}: {:#?}", browser.transfers);
        // The font of the text is one more file for all weights.
        let fonts: Vec<_> = browser
            .transfers
            .iter()
            .filter(|one| one.kind == "Font")
            .collect();
        let bytes: u64 = fonts.iter().map(|one| one.bytes).sum();
        assert!(fonts.len() == 1 && bytes < 52_000, "{path}: {fonts:#?}");
    }
    Ok(())
}

/// On a slow connection pages are shown before they are complete.
fn slow_down(browser: &mut Browser) -> TestResult {
    let line = json!({ "offline": false, "latency": 5, "downloadThroughput": 200_000, "uploadThroughput": 200_000 });
    browser.call("Network.emulateNetworkConditions", line)?;
    Ok(())
}

/// By how much a page moves while it loads, and what.
fn movement(browser: &mut Browser, url: &str) -> Result<(f64, Value), Box<dyn Error>> {
    let (mut moved, mut sum) = (json!(null), 1.0);
    // What a page moves by once, because a busy machine shows it in other parts, is no error.
    for _ in 0..3 {
        browser.open(url)?;
        moved = browser.evaluate(WALK)?;
        sum = moved["sum"].as_f64().unwrap_or(1.0);
        if sum <= 0.01 {
            break;
        }
    }
    Ok((sum, moved["what"].take()))
}

/// Script that returns where the texts of the first screen begin.
const POSITIONS: &str = r"document.fonts.ready.then(() => [...document.querySelectorAll('main :is(h1, h2, p, pre)')]
  .map((element) => [element.textContent.slice(0, 40), element.getBoundingClientRect()])
  .filter(([, box]) => box.height > 0 && box.top < innerHeight)
  .map(([text, box]) => `${text.trim()} at ${Math.round(box.top)}`))";

/// Script that lets the side column of the page arrive in pieces and returns how many there were, and
/// where the text stood after each that showed it.
const ARRIVAL: &str = r"(async () => {
  const html = await (await fetch(location.href)).text();
  const aside = html.lastIndexOf('<aside', html.indexOf('svc-split-aside'));
  const end = html.indexOf('svc-pager', aside);
  document.open();
  document.write(html.slice(0, aside));
  const text = () => document.querySelector('.svc-split-main');
  // Without its style sheet nothing is in place.
  while (!text() || !document.querySelector('link[rel=stylesheet]').sheet) {
    await new Promise((done) => setTimeout(done, 20));
  }
  const tops = [];
  let pieces = 0;
  for (let at = aside; at < end; at += 200, pieces += 1) {
    document.write(html.slice(at, Math.min(at + 200, end)));
    if (getComputedStyle(text()).visibility === 'visible') tops.push(Math.round(text().getBoundingClientRect().top));
  }
  document.close();
  return { pieces, tops };
})()";

#[test]
fn the_text_of_an_operation_is_shown_where_it_stays() -> TestResult {
    let Some(mut browser) = start()? else {
        return Ok(());
    };
    let server = server::start(&sites::docs())?;
    browser.screen(412, 823, "light")?;
    browser.open(&server.url("/api-reference/pets/list-pets"))?;
    let arrival = browser.evaluate(ARRIVAL)?;
    let tops = arrival["tops"].as_array().expect("a list");
    assert!(!tops.is_empty(), "{arrival}");
    assert!(
        tops.len() < arrival["pieces"].as_u64().unwrap_or(0) as usize,
        "{arrival}"
    );
    assert!(tops.iter().all(|top| *top == tops[0]), "{arrival}");
    Ok(())
}

#[test]
fn nothing_moves_on_a_phone_when_the_script_comes() -> TestResult {
    let Some(mut browser) = start()? else {
        return Ok(());
    };
    let server = server::start(&sites::docs())?;
    browser.screen(412, 823, "light")?;
    let mut lists = 0;
    for path in [
        "/",
        "/guides/pages",
        "/reference/docs-json",
        "/api-reference/pets/list-pets",
    ] {
        let url = server.url(path);
        let mut positions = |blocked: &[&str]| {
            browser.call("Network.setBlockedURLs", json!({ "urls": blocked }))?;
            browser.open(&url)?;
            let list = browser.evaluate("document.querySelector('.svc-panels-select') !== null")?;
            assert!(
                list == false || blocked.is_empty(),
                "{url}: the script runs"
            );
            lists += usize::from(list == true);
            browser.evaluate(POSITIONS)
        };
        let before = positions(&["*/_svc/assets/svc.*.js"])?;
        let after = positions(&[])?;
        assert!(before.as_array().is_some_and(|texts| texts.len() > 2));
        assert_eq!(before, after, "{path}");
    }
    assert_eq!(lists, 1, "the script adds a list to the page of the API");
    Ok(())
}

#[test]
fn real_pages_have_no_errors_and_no_layout_shifts() -> TestResult {
    let Some(mut browser) = start()? else {
        return Ok(());
    };
    slow_down(&mut browser)?;
    let (mut pages, mut worst, mut errors) = (0, (0.0, String::new()), Vec::new());
    for name in sites::NAMES {
        let Some(root) = sites::site(name) else {
            return Ok(());
        };
        let mut tree = svc_source::load(&root, &svc_source::LoadOptions::default())?.value;
        images::add_missing(&mut tree);
        let made = LoadedSite::from(svc_site::assemble(tree, &LoadOptions::default())?);
        let server = server::serve(made.site)?;
        let own = format!("http://{}", server.addr);
        for (at, path) in sites::sample(&server.paths, 8).enumerate() {
            let (width, mode) = [(1440, "light"), (390, "dark")][at % 2];
            browser.screen(width, 900, mode)?;
            browser.complaints.clear();
            let (sum, moved) = movement(&mut browser, &server.url(path))?;
            pages += 1;
            let label = format!("{name} {path} at {width}");
            if sum > 0.01 {
                errors.push(format!("{label} moves by {sum:.4}: {moved}"));
            }
            if sum > worst.0 {
                worst = (sum, label.clone());
            }
            let ours = |complaint: &&String| complaint.contains(&own);
            for complaint in browser.complaints.iter().filter(ours) {
                errors.push(format!("{label} complains: {complaint}"));
            }
        }
    }
    eprintln!("{pages} real pages; the one that moves most: {worst:?}");
    assert!(pages >= 30, "only {pages} pages");
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    Ok(())
}
