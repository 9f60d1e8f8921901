//! All themes in headless Chromium: no errors in any mode and width, and everything is usable.

use std::error::Error;

use serde_json::{Value, json};
use svc_config::Theme;
use svc_tests::browser::Browser;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::server;

type TestResult = Result<(), Box<dyn Error>>;

const WIDTHS: [u32; 4] = [390, 820, 1440, 1920];
const MODES: [&str; 2] = ["light", "dark"];

/// From this width on the list of pages is next to the content.
const WIDE: u32 = 1024;

/// Script that returns the parts of the page that are visible and reachable by pointer.
const FACTS: &str = r#"(() => {
  const root = document.documentElement;
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((element) => {
    const box = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      && box.width > 1 && box.height > 1 && box.left >= 0 && box.right <= innerWidth;
  });
  const reachable = (element) => {
    element.scrollIntoView({ block: "center" });
    const box = element.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return top !== null && element.contains(top);
  };
  const count = (selector) => shown(selector).filter(reachable).length;
  return {
    theme: root.dataset.theme,
    dark: root.classList.contains("dark"),
    overflow: root.scrollWidth - root.clientWidth,
    headings: shown("h1").length,
    toggles: count("[data-svc-theme]"),
    searches: count("[data-svc-search]"),
    menus: count("[data-svc-menu]"),
    tabs: count(".nav-tabs-item"),
    pages: count('#sidebar nav a'),
    links: count(".navbar-link"),
    calls: count(".svc-cta"),
  };
})()"#;

/// Script that presses the visible mode toggle and returns whether the mode changed there and back.
const TOGGLE: &str = r#"(() => {
  const classes = document.documentElement.classList;
  const seen = (button) => button.checkVisibility({ visibilityProperty: true });
  const button = [...document.querySelectorAll("[data-svc-theme]")].find(seen);
  const states = [classes.contains("dark")];
  for (let i = 0; i < 2; i += 1) {
    button?.click();
    states.push(classes.contains("dark"));
  }
  localStorage.clear();
  return states[0] !== states[1] && states[0] === states[2];
})()"#;

fn load_site(theme: Theme) -> std::io::Result<LoadedSite> {
    let config = json!({
        "theme": theme.name(),
        "name": "Harbour",
        "colors": { "primary": "#0f766e", "light": "#2dd4bf" },
        "favicon": "/favicon.svg",
        "navbar": {
            "links": [{ "label": "Support", "href": "https://example.com/support" }],
            "primary": { "type": "button", "label": "Sign up", "href": "https://example.com/join" },
        },
        "navigation": { "tabs": [
            { "tab": "Guides", "groups": [{ "group": "Start", "pages": ["index", "ships"] }] },
            { "tab": "Crew", "groups": [{ "group": "People", "pages": ["crew"] }] },
        ] },
    });
    LoadedSite::of_files([
        ("docs.json", config.to_string()),
        ("favicon.svg", FAVICON.to_owned()),
        ("index.mdx", PAGE.to_owned()),
        ("ships.mdx", "---\ntitle: Ships\n---\n\nText.\n".to_owned()),
        ("crew.mdx", "---\ntitle: Crew\n---\n\nText.\n".to_owned()),
    ])
}

const FAVICON: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>"#;

/// Content that is wider than a phone, and boxes that themes style.
const PAGE: &str = r#"---
title: Welcome to the harbour
description: Where ships rest and sailors tell each other stories.
---

## Ships

A paragraph with `code` and a [link](/ships).

<Columns cols={2}>
  <Card title="Sails" icon="wind" href="/ships">Cloth and rope.</Card>
  <Card title="Crew" icon="users" href="/crew">Who sails.</Card>
</Columns>

<Note>The harbour is closed at night.</Note>

<Tabs>
  <Tab title="Wide">

```bash
harbour list --with-a-very-long-option=and-its-long-value --with-another-long-option=and-another-long-value
```

  </Tab>
  <Tab title="Table">Second.</Tab>
</Tabs>

| Ship | Length in metres | Home port | Master | Year of building | Remarks |
| --- | --- | --- | --- | --- | --- |
| Albatross | 31 | Bergen | Lindqvist | 1911 | Averylongwordwithoutanyplacetobreakit |

## Piers

<Steps>
  <Step title="Arrive">By sea.</Step>
  <Step title="Leave">Also by sea.</Step>
</Steps>
"#;

#[test]
fn every_theme_is_usable_in_both_modes_at_every_width() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let mut errors = Vec::new();
    for &theme in Theme::ALL {
        let server = server::serve(load_site(theme)?.site)?;
        for mode in MODES {
            for width in WIDTHS {
                browser.screen(width, 900, mode)?;
                browser.open(&server.url("/"))?;
                let label = format!("{} {mode} {width}", theme.name());
                let problems = check(&mut browser, theme, mode, width)?;
                errors.extend(problems.into_iter().map(|what| format!("{label}: {what}")));
                let complaints = browser.complaints.drain(..);
                errors.extend(complaints.map(|what| format!("{label}: {what}")));
            }
        }
        // Search loads its index when it opens: leave the page before the server ends.
        browser.open("about:blank")?;
        browser.complaints.clear();
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    Ok(())
}

/// Adds the problems of the open page to `errors`.
fn check(
    browser: &mut Browser,
    theme: Theme,
    mode: &str,
    width: u32,
) -> Result<Vec<String>, Box<dyn Error>> {
    let mut errors = Vec::new();
    let wide = width >= WIDE;
    let facts = browser.evaluate(FACTS)?;
    expect(
        &mut errors,
        &facts,
        &[
            ("theme", json!(theme.name())),
            ("dark", json!(mode == "dark")),
            ("overflow", json!(0)),
            ("headings", json!(1)),
            ("toggles", json!(1)),
            ("searches", json!(1)),
            ("menus", json!(u8::from(!wide))),
            ("tabs", json!(2)),
            // The pages of the first tab; in narrow windows the drawer contains them.
            ("pages", json!(if wide { 2 } else { 0 })),
            ("links", json!(u8::from(wide))),
            ("calls", json!(u8::from(wide))),
        ],
    );
    if browser.evaluate(TOGGLE)? != true {
        errors.push("the mode toggle does not switch there and back".to_owned());
    }
    if !wide {
        drawer(browser, &mut errors)?;
    }
    browser.evaluate("document.activeElement.blur()")?;
    browser.press("/")?;
    if !becomes_true(browser, "document.getElementById('search-dialog').open")? {
        errors.push("the slash does not open the search".to_owned());
    }
    Ok(errors)
}

/// The drawer of a narrow window contains the pages and the links of the navbar, and closes.
fn drawer(browser: &mut Browser, wrong: &mut Vec<String>) -> TestResult {
    browser.evaluate("document.querySelector('[data-svc-menu]').click()")?;
    // Wait for the transition of the drawer.
    let arrived = "document.getElementById('sidebar').getBoundingClientRect().left >= 0";
    if !becomes_true(browser, arrived)? {
        wrong.push("the drawer does not open".to_owned());
        return Ok(());
    }
    let facts = browser.evaluate(FACTS)?;
    expect(
        wrong,
        &facts,
        &[
            ("overflow", json!(0)),
            ("pages", json!(2)),
            ("links", json!(1)),
            ("calls", json!(1)),
        ],
    );
    browser.press("Escape")?;
    let gone = "getComputedStyle(document.getElementById('sidebar')).visibility === 'hidden'";
    if !becomes_true(browser, gone)? {
        wrong.push("Escape does not close the drawer".to_owned());
    }
    Ok(())
}

/// Script that returns the background of the button and whether the hovered link has its color.
const POINTED: &str = r#"(() => {
  const color = (element, name) => getComputedStyle(element)[name];
  const probe = document.createElement("i");
  const token = (name) => {
    probe.style.color = `var(${name})`;
    return color(probe, "color");
  };
  document.body.append(probe);
  const link = document.querySelector(".mdx-content p a");
  const colors = {
    button: color(document.querySelector(".svc-cta"), "backgroundColor"),
    pointed: color(link, "color") === token("--svc-hover"),
    own: token("--svc-hover") !== token("--svc-accent-text"),
  };
  probe.remove();
  return colors;
})()"#;

#[test]
fn buttons_and_hovered_links_use_the_dark_color() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let mut errors = Vec::new();
    for &theme in Theme::ALL {
        let config = json!({
            "theme": theme.name(), "name": "Harbour",
            "colors": { "primary": "#0f766e", "light": "#2dd4bf", "dark": "#7c2d12" },
            "navbar": { "primary": { "type": "button", "label": "Join", "href": "https://example.com" } },
            "navigation": { "pages": ["index"] },
        });
        let page = "---\ntitle: Page\n---\n\nA [link](/index) in a line.\n".to_owned();
        let files = [("docs.json", config.to_string()), ("index.mdx", page)];
        let server = server::serve(LoadedSite::of_files(files)?.site)?;
        for mode in MODES {
            browser.screen(1440, 900, mode)?;
            browser.open(&server.url("/"))?;
            let script = "(() => { const box = document.querySelector('.mdx-content p a').getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2] })()";
            let position = browser.evaluate(script)?;
            let moved = json!({ "type": "mouseMoved", "x": position[0], "y": position[1] });
            browser.call("Input.dispatchMouseEvent", moved)?;
            becomes_true(&mut browser, &format!("{POINTED}.pointed"))?;
            let facts = browser.evaluate(POINTED)?;
            let mut problems = Vec::new();
            expect(
                &mut problems,
                &facts,
                &[
                    ("button", json!("rgb(124, 45, 18)")),
                    ("pointed", json!(true)),
                    ("own", json!(true)),
                ],
            );
            let label = format!("{} {mode}", theme.name());
            errors.extend(problems.into_iter().map(|what| format!("{label}: {what}")));
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    Ok(())
}

/// Script that returns measurements of an open drawer with more pages than a screen holds.
const DRAWER: &str = r##"(() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const reachable = (element) => {
    const own = element.getBoundingClientRect();
    if (own.top < 0 || own.bottom > innerHeight + 1) return false;
    const top = document.elementFromPoint(own.left + own.width / 2, own.top + own.height / 2);
    return top !== null && element.contains(top);
  };
  const [close, menu] = [box("[data-svc-close]"), box(".svc-switcher > summary")];
  const links = [...document.querySelectorAll("#sidebar nav a")];
  const last = links.at(-1);
  const before = reachable(last);
  last.scrollIntoView({ block: "end" });
  return {
    height: box("#sidebar").height,
    menu_is_below: menu.top >= close.bottom,
    logo: reachable(document.querySelector(".svc-side-head .svc-logo")),
    before,
    last: reachable(last),
    close: reachable(document.querySelector("[data-svc-close]")),
  };
})()"##;

#[test]
fn the_last_page_of_a_long_drawer_is_reachable_in_every_theme() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let names: Vec<String> = (0..60).map(|page| format!("p{page}")).collect();
    let mut errors = Vec::new();
    for &theme in Theme::ALL {
        let config = json!({
            "theme": theme.name(), "name": "Harbour", "colors": { "primary": "#0f766e" },
            "navigation": { "versions": [
                { "version": "2", "groups": [{ "group": "Start", "pages": names }] },
                { "version": "1", "groups": [{ "group": "Old", "pages": ["old"] }] },
            ] },
        });
        let mut files = vec![("docs.json".to_owned(), config.to_string())];
        let all = names.iter().map(String::as_str).chain(["old"]);
        files.extend(all.map(|name| (format!("{name}.mdx"), "Text.\n".to_owned())));
        let server = server::serve(LoadedSite::of_files(files)?.site)?;
        for (width, height) in [(390, 844), (820, 700)] {
            browser.screen(width, height, "light")?;
            browser.open(&server.url("/p0"))?;
            browser.evaluate("document.querySelector('[data-svc-menu]').click()")?;
            let arrived = "document.getElementById('sidebar').getBoundingClientRect().left >= 0";
            becomes_true(&mut browser, arrived)?;
            let facts = browser.evaluate(DRAWER)?;
            let mut problems = Vec::new();
            expect(
                &mut problems,
                &facts,
                &[
                    ("height", json!(height)),
                    ("menu_is_below", json!(true)),
                    ("logo", json!(true)),
                    ("before", json!(false)),
                    ("last", json!(true)),
                    ("close", json!(true)),
                ],
            );
            let label = format!("{} {width}", theme.name());
            errors.extend(problems.into_iter().map(|what| format!("{label}: {what}")));
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    Ok(())
}

fn expect(wrong: &mut Vec<String>, facts: &Value, expected: &[(&str, Value)]) {
    for (name, value) in expected {
        if facts[name] != *value {
            wrong.push(format!("{name} is {}, not {value}", facts[name]));
        }
    }
}

/// Waits at most a second for a condition that depends on an animation.
fn becomes_true(browser: &mut Browser, condition: &str) -> Result<bool, Box<dyn Error>> {
    for _ in 0..50 {
        if browser.evaluate(condition)? == true {
            return Ok(true);
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    Ok(false)
}
