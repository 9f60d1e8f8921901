//! Everything can be used by keyboard: menus, tabs, dialogs, trees, the search box.
use std::error::Error;

use serde_json::Value;
use svc_config::Theme;
use svc_tests::browser::Browser;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::{images, server};

type TestResult = Result<(), Box<dyn Error>>;

const CONFIG: &str = r##"{
  "theme": "THEME",
  "name": "Harbour",
  "colors": { "primary": "#0f766e" },
  "navigation": { "versions": [
    { "version": "2", "groups": [{ "group": "Start", "pages": [
      "index",
      { "group": "Ships", "root": "ships", "pages": ["sails"] }
    ] }] },
    { "version": "1", "groups": [{ "group": "Old", "pages": ["old"] }] }
  ] }
}"##;

const PAGE: &str = r#"---
title: Harbour
---

## First

Text with a [link](/sails).

<Tabs>
  <Tab title="One">The first panel.</Tab>
  <Tab title="Two">The second panel.</Tab>
</Tabs>

<Accordion title="More">Hidden at first.</Accordion>

<Tree>
  <Tree.Folder name="src" defaultOpen>
    <Tree.File name="main.rs" />
    <Tree.Folder name="inner">
      <Tree.File name="deep.rs" />
    </Tree.Folder>
  </Tree.Folder>
  <Tree.File name="readme.md" />
</Tree>

![A black picture](/black.png)

```bash
harbour list
```

## Last
"#;

/// Script that returns the focused element and whether the focus is visible.
const FOCUS: &str = r#"(() => {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const label = document.querySelector(`label[for="${element.id}"]`);
  const visible = (one) => {
    const style = getComputedStyle(one);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
  };
  // Tabs show it on their label.
  const ring = [element, label].some((one) => one && visible(one)) || style.boxShadow !== "none";
  return { name: element.tagName, ring, of: element.outerHTML.slice(0, 160), seen: box.width > 0 };
})()"#;

fn start(theme: Theme) -> Result<Option<(Browser, server::RunningServer)>, Box<dyn Error>> {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(None);
    };
    let page = |title: &str| format!("---\ntitle: {title}\n---\n\nText.\n");
    let mut tree = svc_source::SourceTree::from_files([
        ("docs.json", CONFIG.replace("THEME", theme.name())),
        ("index.mdx", PAGE.to_owned()),
        ("ships.mdx", page("Ships")),
        ("sails.mdx", page("Sails")),
        ("old.mdx", page("Old")),
    ]);
    tree.insert_bytes("black.png", images::png(320, 180));
    let made = LoadedSite::from(svc_site::assemble(tree, &svc_site::LoadOptions::default())?);
    let server = server::serve(made.site)?;
    browser.screen(1440, 900, "light")?;
    browser.open(&server.url("/"))?;
    Ok(Some((browser, server)))
}

#[test]
fn tab_follows_the_page_order_and_every_stop_is_visible() -> TestResult {
    for theme in [Theme::Svc, Theme::Linden] {
        let Some((mut browser, _server)) = start(theme)? else {
            return Ok(());
        };
        let mut stops: Vec<String> = Vec::new();
        let mut dim = Vec::new();
        for _ in 0..60 {
            browser.press("Tab")?;
            let at = browser.evaluate(FOCUS)?;
            let of = at["of"].as_str().unwrap_or_default().to_owned();
            if at["name"] == "BODY" {
                break;
            }
            if at["ring"] != true {
                dim.push(of.clone());
            }
            stops.push(of);
        }
        let name = theme.name();
        assert!(
            dim.is_empty(),
            "{name}: the focus cannot be seen on {dim:#?}"
        );
        assert!(stops[0].contains("svc-skip-link"), "{name}: {}", stops[0]);
        let position_of = |label: &str| {
            let position = stops.iter().position(|stop| stop.contains(label));
            position.ok_or_else(|| format!("{name}: Tab never reaches {label}: {stops:#?}"))
        };
        let order = [
            position_of("data-svc-search")?,
            position_of("href=\"/ships\"")?,
            position_of("class=\"svc-panels-radio\"")?,
            position_of("role=\"treeitem\"")?,
            position_of("data-svc-zoom")?,
            position_of("href=\"#last\"")?,
        ];
        assert!(order.is_sorted(), "{name}: {order:?} of {stops:#?}");
    }
    Ok(())
}

#[test]
fn the_skip_link_leads_to_the_text() -> TestResult {
    let Some((mut browser, _server)) = start(Theme::Svc)? else {
        return Ok(());
    };
    browser.press("Tab")?;
    browser.press("Enter")?;
    browser.wait("document.activeElement.matches('main')")?;
    browser.press("Tab")?;
    browser.wait("document.querySelector('main').contains(document.activeElement)")
}

#[test]
fn a_menu_opens_closes_and_restores_the_focus() -> TestResult {
    let Some((mut browser, _server)) = start(Theme::Svc)? else {
        return Ok(());
    };
    tab_to(&mut browser, ".svc-switcher > summary")?;
    browser.press("Enter")?;
    browser.wait("document.querySelector('.svc-switcher').open")?;
    browser.press("Tab")?;
    browser.wait(
        "document.activeElement.closest('.svc-switcher') && document.activeElement.matches('a')",
    )?;
    browser.press("Escape")?;
    browser.wait("!document.querySelector('.svc-switcher').open && document.activeElement.matches('.svc-switcher > summary')",
    )?;
    browser.press("Enter")?;
    let old = "document.activeElement.matches('a[href$=\"/old\"]')";
    for _ in 0..4 {
        if browser.evaluate(old)? != true {
            browser.press("Tab")?;
        }
    }
    browser.press("Enter")?;
    browser.wait("location.pathname === '/old'")
}

#[test]
fn a_group_with_a_page_has_a_link_and_an_arrow() -> TestResult {
    let Some((mut browser, _server)) = start(Theme::Svc)? else {
        return Ok(());
    };
    tab_to(&mut browser, "#sidebar a[href='/ships']")?;
    browser.press("Tab")?;
    browser.wait("document.activeElement.matches('#sidebar summary')")?;
    let open = "document.activeElement.parentElement.open";
    let before = browser.evaluate(open)?;
    browser.press("Enter")?;
    assert_ne!(browser.evaluate(open)?, before);
    browser.press(" ")?;
    assert_eq!(browser.evaluate(open)?, before);
    Ok(())
}

#[test]
fn arrows_change_tabs_and_enter_opens_an_accordion() -> TestResult {
    let Some((mut browser, _server)) = start(Theme::Svc)? else {
        return Ok(());
    };
    let seen = |text: &str| {
        format!(
            "[...document.querySelectorAll('.svc-panels-panel')].some((panel) => panel.checkVisibility() && panel.textContent.includes('{text}'))"
        )
    };
    tab_to(&mut browser, ".svc-panels-radio")?;
    browser.wait(&seen("The first panel"))?;
    browser.press("ArrowRight")?;
    browser.wait(&seen("The second panel"))?;
    browser.press("ArrowLeft")?;
    browser.wait(&seen("The first panel"))?;
    tab_to(&mut browser, "#content summary")?;
    browser.press("Enter")?;
    browser.wait("document.activeElement.parentElement.open")
}

#[test]
fn arrows_navigate_the_tree() -> TestResult {
    let Some((mut browser, _server)) = start(Theme::Svc)? else {
        return Ok(());
    };
    tab_to(&mut browser, "[role=treeitem]")?;
    let here = "document.activeElement.querySelector('.svc-tree-name').textContent";
    for (key, name) in [
        ("ArrowDown", "main.rs"),
        ("ArrowDown", "inner"),
        ("ArrowRight", "inner"),
        ("ArrowRight", "deep.rs"),
        ("ArrowLeft", "inner"),
        ("ArrowLeft", "inner"),
        ("ArrowDown", "readme.md"),
        ("Home", "src"),
        ("End", "readme.md"),
        ("ArrowUp", "inner"),
    ] {
        browser.press(key)?;
        assert_eq!(browser.evaluate(here)?, name, "after {key}");
    }
    // One tab stop, wherever the focus was.
    browser.press("Tab")?;
    browser.wait("!document.activeElement.matches('[role=treeitem]')")
}

#[test]
fn an_enlarged_image_closes_and_restores_the_focus() -> TestResult {
    let Some((mut browser, _server)) = start(Theme::Svc)? else {
        return Ok(());
    };
    let image = "img[data-svc-zoom]";
    for close in ["Escape", "Enter"] {
        tab_to(&mut browser, image)?;
        browser.press("Enter")?;
        browser
            .wait("document.querySelector('dialog.svc-zoom')?.contains(document.activeElement)")?;
        browser.press(close)?;
        browser.wait("!document.querySelector('dialog.svc-zoom') && document.activeElement.matches('img[data-svc-zoom]')",
        )?;
    }
    Ok(())
}

#[test]
fn arrows_navigate_search_results_and_closing_restores_the_focus() -> TestResult {
    let Some((mut browser, _server)) = start(Theme::Svc)? else {
        return Ok(());
    };
    let open = "document.getElementById('search-dialog').open";
    tab_to(&mut browser, "[data-svc-search]")?;
    browser.press("Enter")?;
    browser.wait(open)?;
    browser.wait("document.activeElement.id === 'search-input'")?;
    browser.call("Input.insertText", serde_json::json!({ "text": "text" }))?;
    browser.wait("document.querySelectorAll('#search-results [role=option]').length > 1")?;
    let chosen = "document.getElementById('search-input').getAttribute('aria-activedescendant')";
    let first = browser.evaluate(chosen)?;
    browser.press("ArrowDown")?;
    let second = browser.evaluate(chosen)?;
    assert_ne!(second, first);
    assert_eq!(
        browser
            .evaluate("document.querySelectorAll('#search-results [aria-selected=true]').length")?,
        1
    );
    browser.press("ArrowUp")?;
    assert_eq!(browser.evaluate(chosen)?, first);
    browser.press("Escape")?;
    browser.wait(&format!("!{open}"))?;
    browser.wait("document.activeElement.matches('[data-svc-search]')")
}

/// Presses Tab until an element that matches the selector has the focus.
fn tab_to(browser: &mut Browser, selector: &str) -> TestResult {
    let there = format!("document.activeElement.matches({})", Value::from(selector));
    for _ in 0..80 {
        if browser.evaluate(&there)? == true {
            return Ok(());
        }
        browser.press("Tab")?;
    }
    Err(format!("Tab never reaches {selector}").into())
}
