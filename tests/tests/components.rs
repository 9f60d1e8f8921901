//! Behavior that the scripts of components add, in headless Chromium: keys, filters and stored
//! choices.

use svc_tests::browser::Browser;
use svc_tests::server;

type TestResult = Result<(), Box<dyn std::error::Error>>;

const CONFIG: &str = r##"{"theme": "svc", "name": "Parts", "colors": {"primary": "#0f766e"},
  "favicon": "/icon.svg", "navigation": {"pages": ["tree", "view", "log", "panels", "open", "picture"]}}"##;

const PAGES: &[(&str, &str)] = &[
    ("docs.json", CONFIG),
    (
        "icon.svg",
        "<svg xmlns='http://www.w3.org/2000/svg' width='16' height='16'/>",
    ),
    (
        "tree.mdx",
        r#"<Tree>
  <Tree.Folder name="alpha" defaultOpen>
    <Tree.File name="apple" />
    <Tree.Folder name="beta">
      <Tree.File name="banana" />
    </Tree.Folder>
  </Tree.Folder>
  <Tree.Folder name="gamma">
    <Tree.File name="grape" />
  </Tree.Folder>
  <Tree.File name="melon" />
</Tree>
"#,
    ),
    (
        "view.mdx",
        r#"## Shared

<View title="Python">
## With pip
text
</View>

<View title="Go">
## With go get
text
</View>
"#,
    ),
    (
        "log.mdx",
        r#"---
rss: true
---
<Update label="3" tags={["Api", "Fix"]}>three</Update>

<Update label="2" tags={["Api"]}>two</Update>

<Update label="1" tags={["Docs"]}>one</Update>
"#,
    ),
    (
        "panels.mdx",
        r#"<Tabs>
<Tab title="npm">first</Tab>
<Tab title="pnpm">second</Tab>
</Tabs>

<CodeGroup dropdown>
```bash npm
npm i
```
```bash pnpm
pnpm add
```
</CodeGroup>

<Tabs sync={false}>
<Tab title="npm">alone</Tab>
<Tab title="pnpm" id="deep">deep</Tab>
</Tabs>
"#,
    ),
    (
        "open.mdx",
        r#"<Accordion title="Outer">
<Accordion title="Inner">text</Accordion>
</Accordion>

<Expandable title="parts">text</Expandable>

A <Tooltip tip="explained">word</Tooltip> here.
"#,
    ),
    (
        "picture.mdx",
        "![A hill](data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20width='40'%20height='20'/%3E)\n",
    ),
];

struct Fixture {
    browser: Browser,
    server: server::RunningServer,
    _dir: tempfile::TempDir,
}

impl Fixture {
    /// Starts a browser and serves the site; `None` if the machine has no browser.
    fn open() -> Option<Self> {
        let browser = Browser::or_skip().expect("the browser starts")?;
        let dir = tempfile::tempdir().expect("a directory");
        for (name, text) in PAGES {
            std::fs::write(dir.path().join(name), text).expect("it can be written");
        }
        Some(Self {
            browser,
            server: server::start(dir.path()).expect("the server starts"),
            _dir: dir,
        })
    }

    fn go(&mut self, path: &str) -> TestResult {
        // Opening the same page with another fragment would not load it again.
        self.browser.open("about:blank")?;
        let url = format!("http://{}{path}", self.server.addr);
        self.browser.open(&url)?;
        // The load event may have been that of the empty page.
        let there = "location.protocol === 'http:' && document.readyState === 'complete'";
        for _ in 0..200 {
            if self
                .browser
                .evaluate(there)
                .is_ok_and(|value| value == true)
            {
                return Ok(());
            }
            std::thread::sleep(std::time::Duration::from_millis(25));
        }
        Err(format!("{url} did not open").into())
    }

    /// Waits until a condition holds: the effect of a key or click may be delayed.
    #[track_caller]
    fn holds(&mut self, condition: &str) {
        self.browser.wait(condition).expect("it comes true");
    }

    fn does(&mut self, script: &str) -> TestResult {
        self.browser.evaluate(script)?;
        Ok(())
    }
}

#[test]
fn a_tree_is_navigable_by_keyboard() -> TestResult {
    let Some(mut stage) = Fixture::open() else {
        return Ok(());
    };
    stage.go("/tree")?;
    stage.holds("document.querySelectorAll('[role=tree] [role=treeitem]').length === 7");
    stage.holds("document.querySelectorAll('[role=treeitem][tabindex=\"0\"]').length === 1");
    stage.does("document.querySelector('[role=treeitem][tabindex=\"0\"]').focus()")?;
    for (key, name) in [
        ("ArrowDown", "apple"),
        ("ArrowDown", "beta"),
        ("ArrowDown", "gamma"),
        ("ArrowUp", "beta"),
        ("ArrowRight", "beta"),
        ("ArrowRight", "banana"),
        ("ArrowLeft", "beta"),
        ("ArrowLeft", "beta"),
        ("ArrowLeft", "alpha"),
        ("End", "melon"),
        ("Home", "alpha"),
        ("m", "melon"),
        ("g", "gamma"),
        ("Enter", "gamma"),
        ("ArrowDown", "grape"),
    ] {
        // Letters that are typed in quick succession form one search text.
        std::thread::sleep(std::time::Duration::from_millis(if key.len() == 1 {
            750
        } else {
            0
        }));
        stage.browser.press(key)?;
        let focused = stage
            .browser
            .evaluate("document.activeElement.querySelector('.svc-tree-name').textContent")?;
        assert_eq!(focused, name, "after {key}");
    }
    stage.holds(
        "document.activeElement.closest('ul').parentElement.querySelector('summary').ariaExpanded === 'true'",
    );
    stage.browser.press("Home")?;
    stage.browser.press("ArrowLeft")?;
    stage.browser.press("*")?;
    stage.holds(
        "[...document.querySelectorAll('[role=tree] > li > details')].every((one) => one.open)",
    );
    stage.holds("document.querySelectorAll('[role=treeitem][tabindex=\"0\"]').length === 1");
    assert_eq!(stage.browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn a_view_can_be_selected_is_stored_and_opens_by_its_anchor() -> TestResult {
    let Some(mut stage) = Fixture::open() else {
        return Ok(());
    };
    stage.browser.screen(1440, 900, "light")?;
    stage.go("/view")?;
    let seen = |title: &str, visible: bool| {
        format!(
            "(document.querySelector('[data-svc-view={title}]').offsetHeight > 0) === {visible}"
        )
    };
    let listed = |id: &str, visible: bool| {
        format!(
            "(document.querySelector('.svc-toc .toc-item a[href=\"#{id}\"]').offsetHeight > 0) === {visible}"
        )
    };
    stage.holds(&seen("Python", true));
    stage.holds(&seen("Go", false));
    stage.holds(&listed("with-go-get", false));
    stage.does("document.querySelector('#multi-view-dropdown input[value=Go]').click()")?;
    stage.holds(&seen("Go", true));
    stage.holds(&seen("Python", false));
    stage.holds(&listed("with-go-get", true));
    stage.holds(&listed("with-pip", false));
    stage.holds(&listed("shared", true));
    stage.go("/view")?;
    stage.holds(&seen("Go", true));
    stage.go("/view#with-pip")?;
    stage.holds(&seen("Python", true));
    Ok(())
}

#[test]
fn changelog_entries_are_filtered_by_all_selected_tags() -> TestResult {
    let Some(mut stage) = Fixture::open() else {
        return Ok(());
    };
    stage.go("/log")?;
    let shown = |labels: &str| {
        format!(
            "[...document.querySelectorAll('.svc-update')].filter((one) => one.offsetHeight > 0).map((one) => one.id).join() === '{labels}'"
        )
    };
    stage.holds(&shown("3,2,1"));
    stage.does("document.querySelector('[data-tag=Api]').click()")?;
    stage.holds(&shown("3,2"));
    stage.holds("location.search === '?tags=Api'");
    stage.holds("document.querySelector('[data-tag=Docs]').disabled");
    stage.does("document.querySelector('[data-tag=Fix]').click()")?;
    stage.holds(&shown("3"));
    stage.go("/log?tags=Api,Fix")?;
    stage.holds(&shown("3"));
    stage.does("document.querySelector('[data-svc-clear]').click()")?;
    stage.holds(&shown("3,2,1"));
    stage.holds("location.search === ''");
    // The feed is at the URL in the button and in the head.
    stage.holds("fetch(document.querySelector('.svc-feed-button').href).then((one) => one.ok && one.headers.get('content-type').startsWith('application/rss+xml'))");
    stage.holds("document.querySelector('link[type=\"application/rss+xml\"]').href === document.querySelector('.svc-feed-button').href");
    assert_eq!(stage.browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn panels_with_equal_titles_are_synchronized_unless_disabled() -> TestResult {
    let Some(mut stage) = Fixture::open() else {
        return Ok(());
    };
    stage.go("/panels")?;
    let chosen = "[...document.querySelectorAll('.svc-panels-radio:checked')].map((one) => one.value).join()";
    stage.holds(&format!("{chosen} === 'npm,npm,npm'"));
    stage.holds("document.querySelectorAll('.svc-panels-select').length === 1");
    stage.does("const list = document.querySelector('.svc-panels-select'); list.selectedIndex = 1; list.dispatchEvent(new Event('change', { bubbles: true }))")?;
    stage.holds(&format!("{chosen} === 'pnpm,pnpm,npm'"));
    stage.does("document.querySelector('.svc-tabs .svc-panels-radio').click()")?;
    stage.holds(&format!("{chosen} === 'npm,npm,npm'"));
    stage.holds("document.querySelector('.svc-panels-select').selectedIndex === 0");
    stage.go("/panels#deep")?;
    stage.holds(&format!("{chosen} === 'npm,npm,pnpm'"));
    Ok(())
}

#[test]
fn accordions_open_by_their_anchor_and_stay_open() -> TestResult {
    let Some(mut stage) = Fixture::open() else {
        return Ok(());
    };
    let open = "[...document.querySelectorAll('.svc-accordion')].map((one) => one.open).join()";
    for anchor in ["inner", "outer:inner"] {
        stage.go(&format!("/open#{anchor}"))?;
        stage.holds(&format!("{open} === 'true,true'"));
    }
    stage.go("/open#%zz")?;
    stage.holds(&format!("{open} === 'false,false'"));
    stage.does("document.querySelector('.svc-accordion-summary').click()")?;
    stage.holds("location.hash === '#outer'");
    stage.does("document.querySelector('.svc-accordion-summary').click()")?;
    stage.holds("location.hash === ''");
    stage.does("document.querySelector('.svc-expandable-summary').click()")?;
    stage.go("/open")?;
    stage.holds("document.querySelector('.svc-expandable').open");
    // A tooltip opens on focus and closes with Escape.
    let seen =
        "getComputedStyle(document.querySelector('.svc-tooltip-tip')).visibility === 'visible'";
    stage.holds(&format!("!({seen})"));
    stage.does("document.querySelector('.svc-tooltip-word').focus()")?;
    std::thread::sleep(std::time::Duration::from_millis(300));
    stage.holds(seen);
    stage.browser.press("Escape")?;
    std::thread::sleep(std::time::Duration::from_millis(300));
    stage.holds(&format!("!({seen})"));
    assert_eq!(stage.browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn all_content_is_readable_without_scripts() -> TestResult {
    let Some(mut stage) = Fixture::open() else {
        return Ok(());
    };
    let off = serde_json::json!({ "value": true });
    stage
        .browser
        .call("Emulation.setScriptExecutionDisabled", off)?;
    let seen = "(selector) => [...document.querySelectorAll(selector)].every((one) => one.offsetHeight > 0)";
    for (path, selector) in [
        ("/view", "[data-svc-view], .svc-view-title"),
        ("/log", ".svc-update, .svc-feed-button"),
        ("/panels", ".svc-panels-tab"),
        ("/tree", "[data-svc-tree] > ul > li > details > summary"),
        (
            "/open",
            ".svc-accordion-group > summary, .svc-expandable > summary, .svc-tooltip-word",
        ),
        ("/picture", "#content img"),
    ] {
        stage.go(path)?;
        stage.holds(&format!("({seen})({selector:?})"));
    }
    // Buttons without effect are not rendered.
    for (path, selector) in [
        ("/view", "#multi-view-dropdown"),
        ("/log", "#changelog-filters"),
    ] {
        stage.go(path)?;
        stage.holds(&format!(
            "document.querySelector({selector:?}).offsetHeight === 0"
        ));
    }
    Ok(())
}

#[test]
fn an_image_is_enlarged_by_keyboard_and_restores_the_focus() -> TestResult {
    let Some(mut stage) = Fixture::open() else {
        return Ok(());
    };
    stage.go("/picture")?;
    stage.does("document.querySelector('#content img').focus()")?;
    stage.browser.press("Enter")?;
    stage.holds("document.querySelector('dialog.svc-zoom[open] img').alt === 'A hill'");
    stage.browser.press("Escape")?;
    stage.holds("!document.querySelector('dialog.svc-zoom')");
    stage.holds("document.activeElement.matches('#content img')");
    assert_eq!(stage.browser.complaints, Vec::<String>::new());
    Ok(())
}
