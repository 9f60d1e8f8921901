//! The frame of a page in headless Chromium: menus, drawer, banner, sidebar, table of contents.

use serde_json::{Value, json};
use svc_tests::browser::Browser;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::server;

type TestResult = Result<(), Box<dyn std::error::Error>>;

const DOCS: &str = r##"{
  "theme": "svc", "name": "Frame", "colors": {"primary": "#0f766e"}, "favicon": "/i.svg",
  "contextual": {"options": ["copy", "view", "claude", "cursor",
    {"title": "Share", "description": "d", "href": {"base": "https://example.com/new", "query": [{"key": "q", "value": "$page"}]}}]},
  "banner": {"content": "Version 2 is out", "dismissible": true},
  "navigation": {"languages": [
    {"language": "en", "tabs": [
      {"tab": "Guides", "groups": [{"group": "All", "pages": [PAGES]}, {"group": "Last", "pages": ["names", "long"]}]},
      {"tab": "Tools", "menu": [
        {"item": "Command line", "description": "In a terminal", "pages": ["cli"]},
        {"item": "Library", "pages": ["library"]}]}]},
    {"language": "he", "groups": [{"group": "א", "pages": ["he/a"]}]}]}
}"##;

const NAMES: &str = "---\ntitle: Names\n---\n[jump](#navbar)\n\n## Navbar\n\n## Sidebar\n\n## Main\n\n## Content\n\n## Banner\n\n## Table of contents\n\n## Search input\n";

fn start() -> Result<Option<(Browser, server::RunningServer)>, Box<dyn std::error::Error>> {
    let Some(browser) = Browser::or_skip()? else {
        return Ok(None);
    };
    let pages: Vec<String> = (0..60).map(|page| format!("\"p{page}\"")).collect();
    let mut files = vec![
        (
            "docs.json".to_owned(),
            DOCS.replace("PAGES", &pages.join(",")),
        ),
        (
            "i.svg".to_owned(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"/>".to_owned(),
        ),
        ("names.mdx".to_owned(), NAMES.to_owned()),
        // Entries for an MCP server are offered if there is one.
        (
            "mcp.mdx".to_owned(),
            "---\ntitle: MCP\n---\nWords.\n".to_owned(),
        ),
        (
            "he/a.mdx".to_owned(),
            "---\ntitle: שלום\n---\nטקסט\n\n```js\nlet a = 1;\n```\n".to_owned(),
        ),
    ];
    let parts: String = (0..8)
        .map(|part| format!("\n\n## Part {part}\n{}", "\ntext\n".repeat(12)))
        .collect();
    files.push(("long.mdx".to_owned(), parts));
    let plain = (0..60).map(|page| format!("p{page}"));
    for name in plain.chain(["cli".to_owned(), "library".to_owned()]) {
        let text = format!("---\ntitle: Page {name}\n---\nWords of {name}.\n");
        files.push((format!("{name}.mdx"), text));
    }
    let server = server::serve(LoadedSite::of_files(files)?.site)?;
    Ok(Some((browser, server)))
}

#[test]
fn the_menu_of_a_page_works_by_keyboard_and_without_script() -> TestResult {
    let Some((mut browser, server)) = start()? else {
        return Ok(());
    };
    browser.screen(1440, 900, "light")?;
    browser.open(&server.url("/p1"))?;
    browser.evaluate("document.querySelector('.svc-page-menu summary').focus()")?;
    browser.press("Enter")?;
    browser.wait("document.querySelector('.svc-page-menu-more').open")?;
    browser.press("ArrowDown")?;
    is(
        &mut browser,
        "document.activeElement.dataset.act",
        "copy-page",
    )?;
    browser.press("ArrowDown")?;
    is(
        &mut browser,
        "document.activeElement.getAttribute('href')",
        "/p1.md",
    )?;
    // The entries use the full URL of the Markdown twin, or its text.
    let twin = format!("http://{}/p1.md", server.addr);
    let claude = "new URL(document.querySelector('a[href*=\"claude.ai\"]').href).searchParams.get('q').split(' ')[1]";
    is(&mut browser, claude, twin)?;
    browser.wait("new URL(document.querySelector('a[href*=\"example.com\"]').href).searchParams.get('q').includes('Words of p1')",
    )?;
    let config = "JSON.parse(atob(new URL(document.querySelector('a[href^=\"cursor:\"]').href).searchParams.get('config'))).url";
    is(&mut browser, config, format!("http://{}/mcp", server.addr))?;
    browser.press("Escape")?;
    is(
        &mut browser,
        "document.querySelector('.svc-page-menu-more').open",
        false,
    )?;
    is(
        &mut browser,
        "document.activeElement.matches('.svc-page-menu summary')",
        true,
    )?;
    // Copying shows a confirmation.
    let allowed = json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    browser.call("Browser.grantPermissions", allowed)?;
    browser.evaluate("document.querySelector('.svc-page-menu [data-act]').click()")?;
    browser
        .wait("document.querySelector('.svc-page-menu [role=status]').textContent === 'Copied'")?;
    assert_eq!(browser.complaints, Vec::<String>::new());

    browser.call(
        "Emulation.setScriptExecutionDisabled",
        json!({ "value": true }),
    )?;
    browser.open(&server.url("/p2"))?;
    browser.evaluate("document.querySelector('.svc-page-menu-more').open = true")?;
    let seen = "[...document.querySelectorAll('.svc-page-menu .svc-popup-item')].filter(item => item.offsetParent).map(item => item.getAttribute('href')).join()";
    is(&mut browser, seen, "/p2.md")?;
    Ok(())
}

#[test]
fn the_drawer_traps_the_focus() -> TestResult {
    let Some((mut browser, server)) = start()? else {
        return Ok(());
    };
    browser.screen(390, 844, "dark")?;
    browser.open(&server.url("/p1"))?;
    // What is closed is not laid out.
    let laid_out = "document.querySelector('.svc-sidebar nav').checkVisibility()";
    is(&mut browser, laid_out, false)?;
    browser.evaluate("document.querySelector('[data-svc-menu]').click()")?;
    is(&mut browser, laid_out, true)?;
    is(
        &mut browser,
        "document.activeElement.matches('[data-svc-close]')",
        true,
    )?;
    is(
        &mut browser,
        "[...document.querySelectorAll('header.svc-navbar, .svc-main')].every(part => part.inert)",
        true,
    )?;
    is(
        &mut browser,
        "document.querySelector('.svc-sidebar').getAttribute('aria-modal')",
        "true",
    )?;
    // From the last one the focus moves to the first.
    browser.evaluate("[...document.querySelectorAll('.svc-sidebar a[href], .svc-sidebar button, .svc-sidebar summary')].filter(part => part.offsetParent).at(-1).focus()")?;
    browser.press("Tab")?;
    is(
        &mut browser,
        "document.activeElement.matches('[data-svc-close]')",
        true,
    )?;
    browser.press("Escape")?;
    is(
        &mut browser,
        "document.activeElement.matches('[data-svc-menu]')",
        true,
    )?;
    is(
        &mut browser,
        "document.querySelector('[inert]')",
        Value::Null,
    )?;
    browser.wait("!document.querySelector('.svc-sidebar nav').checkVisibility()")?;
    // A window that becomes wider has no drawer.
    browser.evaluate("document.querySelector('[data-svc-menu]').click()")?;
    browser.screen(1440, 900, "dark")?;
    browser.wait("!document.documentElement.classList.contains('nav-open') && !document.querySelector('[inert]')",
    )?;
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn sidebar_banner_and_toc_follow_the_reader() -> TestResult {
    let Some((mut browser, server)) = start()? else {
        return Ok(());
    };
    browser.screen(1440, 700, "light")?;
    // A page far down in the list is scrolled into view at once.
    browser.open(&server.url("/p55"))?;
    let seen = "(() => { const own = document.querySelector('.svc-sidebar [aria-current=page]').getBoundingClientRect(); return own.top > 0 && own.bottom < innerHeight })()";
    is(&mut browser, seen, true)?;
    // The list keeps its scroll position.
    let scroll = browser.evaluate("document.querySelector('.svc-sidebar').scrollTop")?;
    assert!(
        scroll.as_f64().is_some_and(|scroll| scroll > 100.0),
        "{scroll}"
    );
    browser.evaluate("document.querySelector('.svc-sidebar a[href=\"/p53\"]').click()")?;
    browser.wait("location.pathname === '/p53' && document.readyState === 'complete'")?;
    is(
        &mut browser,
        "document.querySelector('.svc-sidebar').scrollTop",
        scroll,
    )?;

    // A banner that was closed is closed on the next page before the first paint.
    browser.evaluate("document.querySelector('.svc-banner button').click()")?;
    browser.open(&server.url("/p1"))?;
    is(
        &mut browser,
        "getComputedStyle(document.querySelector('.svc-banner')).display",
        "none",
    )?;

    // The table of contents marks the section that is read.
    browser.open(&server.url("/long"))?;
    is(
        &mut browser,
        "document.querySelector('.toc-item a[aria-current]').textContent",
        "Part 0",
    )?;
    browser.evaluate("document.documentElement.style.scrollBehavior = 'auto'; document.getElementById('part-4').scrollIntoView()")?;
    browser.wait("document.querySelector('.toc-item a[aria-current]').textContent === 'Part 4'")?;

    // The page of a hovered link is prefetched.
    let hover = "document.querySelector('.svc-sidebar a[href=\"/p7\"]').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))";
    browser.evaluate(hover)?;
    browser.wait("document.querySelector('link[rel=prefetch]')?.getAttribute('href') === '/p7'")?;
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

#[test]
fn headings_share_no_id_with_the_frame_and_tabs_open_menus() -> TestResult {
    let Some((mut browser, server)) = start()? else {
        return Ok(());
    };
    browser.screen(1440, 900, "light")?;
    browser.open(&format!("{}#navbar", server.url("/names")))?;
    browser.wait("document.querySelector(':target')?.tagName === 'H2'")?;
    let twice = "(() => { const all = [...document.querySelectorAll('[id]')].map(part => part.id); return all.filter((id, at) => all.indexOf(id) !== at).join() })()";
    is(&mut browser, twice, "")?;
    is(
        &mut browser,
        "document.querySelector(document.querySelector('.svc-skip-link').getAttribute('href')).tagName",
        "MAIN",
    )?;
    // If no heading has the same id, parts have the ids that styles of sites use.
    browser.open(&server.url("/p1"))?;
    is(
        &mut browser,
        "['navbar', 'sidebar', 'content-area', 'banner', 'page-title'].every(id => document.getElementById(id))",
        true,
    )?;

    browser.evaluate("document.querySelector('.svc-tab-menu').focus()")?;
    browser.press("ArrowDown")?;
    browser.wait("document.activeElement.matches('.svc-tab-list a[href=\"/cli\"]')")?;
    let below = "(() => { const list = document.querySelector('.svc-tab-list').getBoundingClientRect(), tab = document.querySelector('.svc-tab-menu').getBoundingClientRect(); return list.top >= tab.bottom - 4 && Math.abs(list.left - tab.left) < 4 })()";
    is(&mut browser, below, true)?;
    browser.press("ArrowDown")?;
    is(
        &mut browser,
        "document.activeElement.getAttribute('href')",
        "/library",
    )?;
    browser.press("Escape")?;
    browser.wait("document.activeElement.matches('.svc-tab-menu')")?;

    // Right-to-left text has its list at the right, and code stays left-to-right.
    browser.open(&server.url("/he/a"))?;
    is(
        &mut browser,
        "document.querySelector('.svc-sidebar').getBoundingClientRect().left > innerWidth / 2",
        true,
    )?;
    is(
        &mut browser,
        "getComputedStyle(document.querySelector('.mdx-content pre')).direction",
        "ltr",
    )?;

    // Print shows the content only.
    browser.call("Emulation.setEmulatedMedia", json!({ "media": "print" }))?;
    is(
        &mut browser,
        "['.svc-navbar', '.svc-sidebar', '.svc-page-menu'].every(part => !document.querySelector(part).getClientRects().length)",
        true,
    )?;
    assert_eq!(browser.complaints, Vec::<String>::new());
    Ok(())
}

/// Returns a site with every kind of page.
fn kinds(navbar: &str) -> Result<server::RunningServer, Box<dyn std::error::Error>> {
    let config = format!(
        r##"{{"theme": "svc", "name": "Kinds", "colors": {{"primary": "#0f766e", "dark": "#7c2d12"}}, "favicon": "/i.svg", "navbar": {navbar},
  "navigation": {{"groups": [
    {{"group": "All", "pages": ["long", "short",
      {{"group": "Inner", "pages": ["a", "b"]}}, {{"group": "Other", "pages": ["c", "d"]}}]}},
    {{"group": "API", "openapi": "api.json"}}]}}}}"##
    );
    let api = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://example.com"}],
  "paths": {"/ships": {"get": {"summary": "Ships", "responses": {"200": {"description": "All"}}}}}}"#;
    let parts: String = (0..40)
        .map(|part| format!("\n\n## Part {part}\n{}", "\ntext\n".repeat(12)))
        .collect();
    let plain = "---\ntitle: Plain\n---\nWords.\n";
    let files = [
        ("docs.json", config.as_str()),
        (
            "i.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"/>",
        ),
        ("api.json", api),
        ("long.mdx", &parts),
        (
            "short.mdx",
            "---\ntitle: Short\nversion: 4.2-beta\n---\nWords.\n",
        ),
        ("a.mdx", plain),
        ("b.mdx", plain),
        ("c.mdx", plain),
        ("d.mdx", plain),
    ];
    Ok(server::serve(LoadedSite::of_files(files)?.site)?)
}

#[test]
fn text_is_aligned_on_all_pages_and_search_is_centered() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let links = r#"{"links": [{"label": "A link", "href": "https://example.com"}, {"label": "Another", "href": "https://example.com"}], "primary": {"type": "button", "label": "Sign up", "href": "https://example.com"}}"#;
    for navbar in ["{}", links] {
        let server = kinds(navbar)?;
        for width in [1100, 1200, 1440] {
            browser.screen(width, 900, "light")?;
            let mut begins = Vec::new();
            for path in ["/long", "/short", "/no/such/page", "/api/ships"] {
                let path = if path == "/api/ships" {
                    server.paths.last().ok_or("it has an endpoint")?.clone()
                } else {
                    path.to_owned()
                };
                browser.open(&server.url(&path))?;
                begins.push(
                    browser
                        .evaluate("document.querySelector('h1').getBoundingClientRect().left")?,
                );
                is(
                    &mut browser,
                    "(() => { const own = document.querySelector('.svc-navbar .svc-search-entry').getBoundingClientRect(); return Math.abs(own.left + own.width / 2 - innerWidth / 2) < 2 })()",
                    true,
                )?;
            }
            assert!(
                begins.iter().all(|begin| *begin == begins[0]),
                "{width}: {begins:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn the_toc_is_a_row_in_narrow_windows() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let server = kinds("{}")?;
    browser.screen(1200, 900, "light")?;
    browser.open(&server.url("/long"))?;
    let shown = "['.svc-toc', '.svc-toc-small'].map(part => document.querySelector(part).checkVisibility()).join()";
    is(&mut browser, shown, "true,false")?;
    // A URL with a fragment opens there, and the list marks the entry.
    browser.open(&server.url("/short"))?;
    browser.open(&format!("{}#part-37", server.url("/long")))?;
    browser.wait("document.querySelector('.svc-toc [aria-current]').textContent === 'Part 37'")?;
    browser.wait("(() => { const own = document.querySelector('.svc-toc [aria-current]').getBoundingClientRect(); return own.top > 0 && own.bottom < innerHeight })()")?;
    // A distant section is jumped to, a near one is scrolled to smoothly.
    let jump = "(async () => { document.querySelector('.svc-toc a[href=\"#part-2\"]').click(); const glides = document.documentElement.classList.contains('svc-glide'); for (let i = 0; i < 2; i += 1) await new Promise(requestAnimationFrame); return [glides, document.getElementById('part-2').getBoundingClientRect().top < 200].join() })()";
    is(&mut browser, jump, "false,true")?;
    is(
        &mut browser,
        "document.querySelector('.svc-toc a[href=\"#part-3\"]').click(); document.documentElement.classList.contains('svc-glide')",
        true,
    )?;

    for width in [390, 820, 1100] {
        browser.screen(width, 844, "light")?;
        browser.open(&server.url("/long"))?;
        is(&mut browser, shown, "false,true")?;
        browser.evaluate("document.querySelector('.svc-toc-small summary').click()")?;
        browser
            .evaluate("document.querySelector('.svc-toc-small a[href=\"#part-20\"]').click()")?;
        browser.wait("!document.querySelector('.svc-toc-small').open && document.querySelector('.svc-toc-small-current').textContent === 'Part 20'")?;
        // The heading is below the row, which is below the header.
        browser.wait("(() => { const [heading, row, header] = ['#part-20', '.svc-toc-small', '.svc-navbar'].map(part => document.querySelector(part).getBoundingClientRect()); return heading.top >= row.bottom && heading.top < row.bottom + 60 && Math.abs(row.top - header.bottom) < 2 })()")?;
        is(
            &mut browser,
            "document.documentElement.scrollWidth - document.documentElement.clientWidth",
            0,
        )?;
    }
    Ok(())
}

#[test]
fn groups_retain_their_open_state() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let server = kinds("{}")?;
    browser.screen(1440, 900, "light")?;
    browser.open(&server.url("/a"))?;
    let open = "[...document.querySelectorAll('#sidebar details')].map(group => group.open).join()";
    is(&mut browser, open, "true,false,false")?;
    browser.evaluate("document.querySelectorAll('#sidebar details')[1].open = true; document.querySelectorAll('#sidebar details')[0].open = false")?;
    browser.evaluate("document.querySelector('#sidebar a[href=\"/short\"]').click()")?;
    browser.wait("location.pathname === '/short' && document.readyState === 'complete'")?;
    is(&mut browser, open, "false,true,false")?;
    // The version of the page is next to its title.
    is(
        &mut browser,
        "document.querySelector('h1 .svc-pill-version').lastChild.textContent",
        "4.2-beta",
    )?;
    // The group of the current page is open even if it was closed before.
    browser.open(&server.url("/b"))?;
    is(&mut browser, open, "true,true,false")
}

#[test]
fn an_unknown_path_is_shown_and_can_be_searched() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let server = kinds("{}")?;
    browser.screen(1440, 900, "light")?;
    browser.open(&server.url("/no/shorter-<words>"))?;
    browser.wait(
        "document.querySelector('[data-svc-missing]')?.textContent === '/no/shorter-<words>'",
    )?;
    is(
        &mut browser,
        "document.querySelector('.svc-missing .svc-cta').getAttribute('href')",
        "/long",
    )?;
    // The footer is at the bottom of the window.
    is(
        &mut browser,
        "innerHeight - document.querySelector('.svc-footer').getBoundingClientRect().bottom < 60",
        true,
    )?;
    browser.evaluate("document.querySelector('[data-svc-missing-search]').click()")?;
    browser.wait("document.querySelector('dialog.svc-search').open && document.querySelector('dialog.svc-search input').value === 'shorter words'")?;
    Ok(())
}

#[test]
fn a_right_to_left_page_does_not_overflow_a_phone() -> TestResult {
    let Some((mut browser, server)) = start()? else {
        return Ok(());
    };
    browser.screen(390, 844, "light")?;
    browser.open(&server.url("/he/a"))?;
    let wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    is(&mut browser, wide, 0)?;
    browser.evaluate("document.querySelector('.svc-page-menu-more').open = true")?;
    is(&mut browser, wide, 0)?;
    is(
        &mut browser,
        "(() => { const own = document.querySelector('.svc-page-menu-more .svc-popup-list').getBoundingClientRect(); return own.left >= 0 && own.right <= innerWidth })()",
        true,
    )
}

#[test]
fn the_mode_has_three_options_and_can_return_to_the_system_default() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let server = kinds("{}")?;
    browser.screen(1440, 900, "light")?;
    browser.open(&server.url("/short"))?;
    let state = "[document.documentElement.dataset.choice, document.documentElement.classList.contains('dark')].join()";
    is(&mut browser, state, "system,false")?;
    for expected in ["dark,true", "light,false", "system,false"] {
        browser.evaluate("document.querySelector('[data-svc-theme]').click()")?;
        is(&mut browser, state, expected)?;
    }
    is(
        &mut browser,
        "document.querySelector('[data-svc-theme]').getAttribute('aria-label')",
        "Switch between light and dark: System",
    )?;
    // The system preference changes, and the page follows.
    browser.screen(1440, 900, "dark")?;
    browser.wait("document.documentElement.classList.contains('dark')")?;
    browser.evaluate("document.querySelector('[data-svc-theme]').click()")?;
    browser.open(&server.url("/a"))?;
    is(&mut browser, state, "light,false")
}

#[test]
fn the_current_tab_is_visible_and_clipped_edges_fade() -> TestResult {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(());
    };
    let tabs: Vec<Value> = (0..9)
        .map(|tab| json!({ "tab": format!("A longer tab {tab}"), "pages": [format!("p{tab}")] }))
        .collect();
    let config = json!({
        "theme": "svc", "name": "Tabs", "colors": { "primary": "#0f766e" },
        "banner": { "content": "A [link](/p1)", "dismissible": true },
        "navigation": { "tabs": tabs },
    });
    let mut files = vec![("docs.json".to_owned(), config.to_string())];
    let text = "---\ntitle: Page\n---\nWords.\n\n```js\nlet a = 1;\n```\n";
    files.extend((0..9).map(|page| (format!("p{page}.mdx"), text.to_owned())));
    let server = server::serve(LoadedSite::of_files(files)?.site)?;
    browser.screen(390, 844, "light")?;
    browser.open(&server.url("/p5"))?;
    browser.wait("(() => { const own = document.querySelector('.nav-tabs-item[data-active]').getBoundingClientRect(); return own.left >= 0 && own.right <= innerWidth })()")?;
    let mask = "getComputedStyle(document.querySelector('.svc-tabs-row')).maskImage";
    browser.wait(&format!("{mask}.split('24px').length === 3"))?;
    browser.screen(1920, 844, "light")?;
    browser.wait(&format!("{mask} === 'none'"))?;
    // The focus ring of a link in the banner differs from the background.
    browser.press("Tab")?;
    browser.press("Tab")?;
    browser.wait("document.activeElement.matches('.svc-banner a')")?;
    browser.wait("(() => { const [link, banner] = ['.svc-banner a', '.svc-banner'].map(part => getComputedStyle(document.querySelector(part))); return link.outlineStyle === 'solid' && link.outlineColor !== banner.backgroundColor })()")?;
    // With forced colors the icon of the copy button is still visible.
    let features = json!([{ "name": "forced-colors", "value": "active" }]);
    browser.call(
        "Emulation.setEmulatedMedia",
        json!({ "features": features }),
    )?;
    is(
        &mut browser,
        "(() => { const button = document.querySelector('.svc-code-copy'); return getComputedStyle(button, '::before').backgroundColor === getComputedStyle(button).color })()",
        true,
    )
}

/// Asserts the value of an expression in the page.
fn is(browser: &mut Browser, expression: &str, expected: impl Into<Value>) -> TestResult {
    assert_eq!(
        browser.evaluate(expression)?,
        expected.into(),
        "{expression}"
    );
    Ok(())
}
