//! The dialog of the playground: keyboard, accessibility, the files that it loads.

use serde_json::json;
use svc_site::{ExportOptions, LoadOptions, RELATIVE_BASE, SiteOptions};
use svc_tests::loaded_site::LoadedSite;
use svc_tests::tools;

use crate::playground::play::{CONFIG, DOCUMENT, Play, TestResult, start};

#[test]
fn an_export_contains_the_files_of_the_playground() -> TestResult {
    let made = LoadedSite::of_files([
        (
            "docs.json",
            CONFIG.replace("\"SECTIONS\"", "\"GET /closed/thing\""),
        ),
        ("index.mdx", "---\ntitle: Start\n---\n\nText.\n".to_owned()),
        ("api.yaml", DOCUMENT.replace("API", "http://api.test:81")),
    ])?;
    let dir = tempfile::tempdir()?;
    made.export(dir.path())?;
    let page = dir.path().join("api-reference/closed/index.html");
    let html = std::fs::read_to_string(&page)?;
    let tags = svc_tests::markup::tags(&html);
    let root = tags
        .iter()
        .find(|tag| tag.get("data-svc-playground").is_some());
    let root = root.ok_or("no playground")?;
    assert_eq!(root.get("data-relay"), None);
    for name in ["data-form", "data-style", "data-texts", "data-call"] {
        let path = root.get(name).unwrap_or_default();
        let file = dir.path().join(path.trim_start_matches('/'));
        assert!(file.is_file(), "{name}: {path}");
    }
    assert!(dir.path().join("_svc/oauth.html").is_file());
    let mut message_files = 0;
    for entry in std::fs::read_dir(dir.path().join("_svc/assets"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        message_files += usize::from(name.starts_with("words."));
        if name.ends_with(".woff2") {
            continue;
        }
        let text = std::fs::read_to_string(entry.path())?;
        for (at, _) in text.match_indices("\"./") {
            let other = text[at + 3..].split('"').next().unwrap_or_default();
            let file = dir.path().join("_svc/assets").join(other);
            assert!(file.is_file(), "{name} imports {other}");
        }
    }
    assert_eq!(message_files, 1, "only the language of the site");
    // A site without operations contains no playground.
    let plain = LoadedSite::of_files([
        (
            "docs.json",
            CONFIG
                .replace("\"openapi\": \"api.yaml\", ", "")
                .replace(", \"SECTIONS\"", ""),
        ),
        ("index.mdx", "---\ntitle: Start\n---\n\nText.\n".to_owned()),
    ])?;
    let dir = tempfile::tempdir()?;
    plain.export(dir.path())?;
    for entry in std::fs::read_dir(dir.path().join("_svc/assets"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        assert!(
            !name.starts_with("form.") && !name.starts_with("words."),
            "{name}"
        );
    }
    assert!(!dir.path().join("_svc/oauth.html").exists());
    Ok(())
}

#[test]
fn the_playground_works_by_keyboard_alone() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    let url = play.server.url("/api-reference/secured");
    play.browser.open(&url)?;
    for _ in 0..80 {
        play.browser.press("Tab")?;
        if play
            .browser
            .evaluate("document.activeElement.matches('[data-svc-try]')")?
            == true
        {
            break;
        }
    }
    play.browser.press("Enter")?;
    play.reach("Boolean(play.dialog()) && play.dialog().contains(document.activeElement)")?;
    let mut stops = Vec::new();
    for _ in 0..40 {
        let at = play.run("const a = document.activeElement; return { of: a.outerHTML.slice(0, 120), inside: play.dialog().contains(a) || a === document.body, send: a.matches('.svc-playground-send') }")?;
        assert_eq!(at["inside"], true, "the focus left the dialog: {at}");
        stops.push(at["of"].to_string());
        if at["send"] == true {
            break;
        }
        play.browser.press("Tab")?;
    }
    assert!(
        stops
            .last()
            .is_some_and(|stop| stop.contains("svc-playground-send")),
        "{stops:#?}"
    );
    play.browser.press("Enter")?;
    play.reach("play.idle() && play.status().includes('200')")?;
    play.browser.press("Escape")?;
    play.reach("!play.dialog() && document.activeElement.matches('[data-svc-try]')")
}

#[test]
fn other_endpoints_can_be_searched_in_the_dialog() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/secured")?;
    play.run("play.dialog().querySelector('.svc-playground-endpoints > summary').click()")?;
    play.reach("document.activeElement.matches('.svc-playground-endpoints input')")?;
    let shown = "[...play.dialog().querySelectorAll('.svc-playground-endpoints li:not([hidden]) a')].map((one) => one.lastChild.textContent)";
    let all = play.run(&format!("return {shown}"))?;
    let all = all.as_array().ok_or("a list")?;
    assert!(all.contains(&json!("Styles")) && all.contains(&json!("Upload")));
    assert!(!all.contains(&json!("Secured")), "the page itself");
    let write = |text: &str| {
        format!(
            "const search = document.activeElement; search.value = '{text}'; search.dispatchEvent(new Event('input', {{ bubbles: true }})); return {shown}"
        )
    };
    assert_eq!(play.run(&write("nowhere at all"))?, json!([]));
    let message = play.run(
        "return play.dialog().querySelector('.svc-playground-endpoints [role=status]').textContent",
    )?;
    assert!(
        message
            .as_str()
            .is_some_and(|text| text.contains("nowhere"))
    );
    assert_eq!(play.run(&write("put CLOSED"))?, json!(["Closed put"]));
    assert_eq!(
        play.run(&write("closed"))?.as_array().map(Vec::len),
        Some(2)
    );
    assert_eq!(play.run(&write("styl"))?, json!(["Styles"]));
    play.browser.press("Enter")?;
    play.reach("location.pathname.endsWith('/styles') && Boolean(play.dialog()) && play.dialog().getAttribute('aria-label').includes('/p/{plain}')")
}

#[test]
fn endpoints_are_found_by_the_search_of_the_site() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/secured")?;
    find_endpoints(&mut play)?;
    // Also in an export that is opened from a directory.
    let (root, out) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let config = CONFIG.replace(
        "\"SECTIONS\"",
        "{ \"group\": \"All\", \"openapi\": \"api.yaml\" }",
    );
    let config = config.replace("\"openapi\": \"api.yaml\", \"pages\"", "\"pages\"");
    std::fs::write(root.path().join("docs.json"), config)?;
    std::fs::write(root.path().join("index.mdx"), "---\ntitle: Start\n---\n")?;
    let document = DOCUMENT.replace("API", "http://api.test");
    let document = document.replace("\"#/components/schemas/Node\"", "\"#/paths\"");
    std::fs::write(root.path().join("api.yaml"), document)?;
    let load = LoadOptions::from(SiteOptions {
        base_path: RELATIVE_BASE.to_owned(),
        export: true,
        ..SiteOptions::default()
    });
    svc_site::worker::trust_components();
    let site = svc_site::load(root.path(), &load)?.value;
    svc_site::export(&site, out.path(), &ExportOptions::default())?;
    let page = out.path().join("api-reference/secured/index.html");
    let url = format!("file://{}?playground=open", page.display());
    play.browser.open(&url)?;
    play.reach("Boolean(play.dialog())")?;
    find_endpoints(&mut play)
}

/// Types queries that no name contains into the list of endpoints.
fn find_endpoints(play: &mut Play) -> TestResult {
    play.run("play.dialog().querySelector('.svc-playground-endpoints > summary').click()")?;
    play.reach("document.activeElement.matches('.svc-playground-endpoints input')")?;
    let first = "play.dialog().querySelector('.svc-playground-endpoints li:not([hidden]) span:last-child')?.textContent";
    for (text, name) in [
        ("uplaod", "Upload"),
        ("thing put", "Closed put"),
        ("X-List", "Styles"),
        // Only a part of a name, which the search does not find.
        ("pload", "Upload"),
    ] {
        play.run(&format!(
            "const search = document.activeElement; search.value = '{text}'; search.dispatchEvent(new Event('input', {{ bubbles: true }}))"
        ))?;
        play.reach(&format!("{first} === '{name}'"))?;
    }
    Ok(())
}

#[test]
fn the_dialog_has_no_axe_violations() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    let Some(axe) = tools::npm("axe-core/axe.min.js") else {
        return Ok(());
    };
    let source = std::fs::read_to_string(axe)?;
    play.browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": source }),
    )?;
    for (width, mode) in [
        (1440, "light"),
        (1440, "dark"),
        (500, "light"),
        (500, "dark"),
    ] {
        play.browser.screen(width, 900, mode)?;
        for page in ["secured", "styles", "create", "upload"] {
            play.open(&format!("api-reference/{page}"))?;
            if page == "create" {
                play.run("play.dialog().querySelector('.svc-playground-endpoints').open = true")?;
            }
            if page == "secured" {
                play.run("play.choose('Authorization', 'oauth'); play.dialog().querySelector('.svc-playground-more').open = true; play.press('Send')")?;
                play.reach("play.idle() && play.status().includes('ms')")?;
            } else if page == "styles" {
                play.run(
                    "play.list('label', ['a', 'b']); play.press('Add deep'); play.press('Send')",
                )?;
            } else if page == "create" {
                play.run("play.press('Add owner'); play.press('Add food'); play.press('Add tags'); play.press('Add self')")?;
            }
            let violations = play.browser.evaluate(r#"axe.run(play.dialog(), { runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }, resultTypes: ["violations"] }).then((result) => result.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html} ${node.failureSummary}`)))"#)?;
            assert_eq!(
                violations,
                json!([]),
                "{page} at {width} in {mode}: {violations:#}"
            );
        }
    }
    Ok(())
}
