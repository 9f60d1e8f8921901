//! The dashboard in a browser: by keyboard alone, without scripts, checked by axe-core;
//! `SVC_SCREENSHOTS` names a directory for screenshots.

use std::fmt::Write as _;

use base64::Engine as _;
use serde_json::{Value, json};
use svc_admin_api::Change;
use svc_admin_api::account::AccountStore as _;
use svc_admin_api::audit::{Actor, Initiator};
use svc_admin_api::deployment::Progress;
use svc_admin_api::reader::SignInMethod;
use svc_tests::browser::Browser;
use svc_tests::dashboard::{ACCOUNT, RunningDashboard, serve};
use svc_tests::tools;

use super::TestResult;

const CHECK: &str = r##"axe.run(document, {
  runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] },
  resultTypes: ["violations"],
}).then((result) => result.violations.flatMap((rule) => rule.nodes.map((node) =>
  `${rule.id}: ${node.html} ${node.failureSummary}`)))"##;

/// Expression: whether the page is wider than the window.
const WIDE: &str = "document.documentElement.scrollWidth > document.documentElement.clientWidth";

fn start() -> Result<Option<(Browser, RunningDashboard)>, Box<dyn std::error::Error>> {
    let Some(mut browser) = Browser::or_skip()? else {
        return Ok(None);
    };
    let program = serve(0)?;
    browser.screen(1440, 900, "light")?;
    Ok(Some((browser, program)))
}

fn start_without_scripts() -> Result<Option<(Browser, RunningDashboard)>, Box<dyn std::error::Error>>
{
    let Some((mut browser, server)) = start()? else {
        return Ok(None);
    };
    let off = json!({ "value": true });
    browser.call("Emulation.setScriptExecutionDisabled", off)?;
    Ok(Some((browser, server)))
}

fn tab_to(browser: &mut Browser, selector: &str) -> TestResult {
    let there = format!("document.activeElement?.matches({})", Value::from(selector));
    for _ in 0..60 {
        // Evaluation fails while a page is being replaced.
        if browser.evaluate(&there).is_ok_and(|value| value == true) {
            return Ok(());
        }
        browser.press("Tab")?;
    }
    Err(format!("Tab never reaches {selector}").into())
}

fn write(browser: &mut Browser, selector: &str, text: &str) -> TestResult {
    tab_to(browser, selector)?;
    browser.call("Input.insertText", json!({ "text": text }))?;
    Ok(())
}

/// Focuses a control by keyboard and presses a key.
fn press(browser: &mut Browser, selector: &str, key: &str) -> TestResult {
    tab_to(browser, selector)?;
    browser.press(key)
}

fn sign_in(browser: &mut Browser, running: &RunningDashboard, path: &str) -> TestResult {
    browser.open(&running.url(path))?;
    browser.wait("location.pathname === '/sign-in'")?;
    write(browser, "#name", ACCOUNT.0)?;
    write(browser, "#password", ACCOUNT.1)?;
    browser.press("Enter")?;
    browser.wait(&format!(
        "location.pathname === '{path}' && document.readyState === 'complete'"
    ))
}

fn seen(text: &str) -> String {
    format!(
        "document.querySelector('main')?.innerText.includes({})",
        Value::from(text)
    )
}

#[test]
fn a_key_is_created_copied_and_revoked_by_keyboard() -> TestResult {
    let Some((mut browser, server)) = start()? else {
        return Ok(());
    };
    sign_in(&mut browser, &server, "/projects/docs/keys")?;
    let origin = server.world.origin.clone();
    let grant = json!({
        "origin": origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]
    });
    browser.call("Browser.grantPermissions", grant)?;
    write(&mut browser, "#name", "CI")?;
    press(&mut browser, "[name=scope]", "ArrowDown")?;
    press(
        &mut browser,
        "form[action$='/keys'] button[type=submit]",
        "Enter",
    )?;
    browser.wait(&seen("Key “CI” created"))?;
    press(&mut browser, "[data-copy^=svc_]", "Enter")?;
    browser.wait("document.querySelector('[data-announce]').textContent === 'Copied'")?;
    let secret = browser.evaluate("document.querySelector('[data-copy^=svc_]').dataset.copy")?;
    assert_eq!(secret.as_str().map(str::len), Some(42), "{secret}");
    press(&mut browser, "a.dash-button.is-primary", "Enter")?;
    browser.wait(&seen("Never used"))?;
    browser.wait(&seen("Read only"))?;
    press(&mut browser, "a[href$='/revoke']", "Enter")?;
    browser.wait(&seen("Revoke “CI”?"))?;
    press(&mut browser, "button.is-danger", "Enter")?;
    browser.wait(&seen("The key was revoked."))?;
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
    Ok(())
}

#[test]
fn a_job_is_created_followed_and_archived_by_keyboard() -> TestResult {
    let Some((mut browser, server)) = start()? else {
        return Ok(());
    };
    sign_in(&mut browser, &server, "/projects/docs/jobs")?;
    write(&mut browser, "#prompt", "Fix the typos")?;
    press(&mut browser, "main button[type=submit]", "Enter")?;
    browser.wait(&seen("Waiting"))?;
    // The page updates itself and keeps the state of the reader.
    browser.evaluate("window.same = true")?;
    let world = server.world.clone();
    server.wait(async move {
        world
            .work("reading\n", None)
            .await
            .map_err(|e| e.to_string())
    })??;
    browser.wait(&seen("Working"))?;
    browser.wait("document.querySelector('[data-log]').textContent === 'reading\\n'")?;
    server.world.pass(std::time::Duration::from_secs(601));
    let world = server.world.clone();
    let link = "https://git.example.com/team/docs/pulls/7";
    server.wait(async move {
        let result = world.work("done\n", Some(Ok(link))).await;
        result.map_err(|e| e.to_string())
    })??;
    browser.wait(&seen("Open pull request"))?;
    assert_eq!(browser.evaluate("window.same")?, true, "without a reload");
    browser.wait("document.querySelector('[data-announce]').textContent === 'Completed'")?;
    // The page contains the form for the next message.
    let here = browser.evaluate("location.pathname")?;
    browser.open(&server.url(here.as_str().unwrap_or_default()))?;
    write(&mut browser, "#prompt", "And the notes")?;
    press(&mut browser, "form[action$='/message'] button", "Enter")?;
    browser.wait(&seen("The message was sent."))?;
    let world = server.world.clone();
    server.wait(async move {
        let result = world.work("", Some(Err("stopped"))).await;
        result.map_err(|e| e.to_string())
    })??;
    browser.wait(&seen("The job failed."))?;
    press(&mut browser, "a[href$='/archive']", "Enter")?;
    browser.wait(&seen("Archive this job?"))?;
    press(&mut browser, "main form button", "Enter")?;
    browser.wait(&seen("The job was archived."))?;
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
    Ok(())
}

#[test]
fn a_deployment_is_triggered_followed_and_rolled_back_by_keyboard() -> TestResult {
    let Some((mut browser, server)) = start()? else {
        return Ok(());
    };
    sign_in(&mut browser, &server, "/projects/docs/deployments")?;
    press(&mut browser, ".dash-head button", "Enter")?;
    browser.wait(&seen("The deployment is queued."))?;
    server.world.sites.newest("docs", |listed| {
        listed.record.status.status = Progress::Success;
        listed.record.status.logs.push("drawn".to_owned());
        "85 pages".clone_into(&mut listed.record.status.summary);
    });
    browser.wait(&seen("85 pages"))?;
    browser.wait("document.querySelector('[data-log]').textContent.includes('drawn')")?;
    press(&mut browser, ".dash-back a", "Enter")?;
    press(&mut browser, "a[href$='/dep_7Qm2Xk91']", "Enter")?;
    press(&mut browser, "a[href$='/roll-back']", "Enter")?;
    browser.wait(&seen("Roll back to this deployment?"))?;
    press(&mut browser, "button.is-danger", "Enter")?;
    browser.wait(&seen("is being restored"))?;
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
    Ok(())
}

#[test]
fn the_own_password_is_changed_by_keyboard_without_a_script() -> TestResult {
    let Some((mut browser, running)) = start_without_scripts()? else {
        return Ok(());
    };
    sign_in(&mut browser, &running, "/")?;
    press(&mut browser, ".dash-menu summary", "Enter")?;
    press(&mut browser, ".dash-menu a[href='/password']", "Enter")?;
    browser.wait(&seen("Old password"))?;
    write(&mut browser, "#old", "not this one at all")?;
    let new = "an even better password";
    write(&mut browser, "#new", new)?;
    write(&mut browser, "#again", new)?;
    browser.press("Enter")?;
    browser.wait(&seen("The old password is incorrect."))?;
    write(&mut browser, "#old", ACCOUNT.1)?;
    write(&mut browser, "#new", new)?;
    write(&mut browser, "#again", new)?;
    press(&mut browser, "main button[type=submit]", "Enter")?;
    browser.wait(&seen("Your password was changed."))?;
    // A refused form is a complaint of the browser, as every status of a refusal.
    let refused = |name: &String| name.contains("status of 422");
    let complaints = &browser.complaints;
    assert!(complaints.iter().all(refused), "{complaints:#?}");
    Ok(())
}

#[test]
fn every_tab_stop_is_visible_and_the_menu_closes() -> TestResult {
    const RING: &str = r#"(() => {
      const element = document.activeElement;
      const visible = (...style) => parseFloat(style[0].outlineWidth) >= 1 && style[0].outlineStyle !== "none";
      const ring = visible(getComputedStyle(element)) || visible(getComputedStyle(element, "::after"));
      return [element === document.body, ring, element.outerHTML.slice(0, 120)];
    })()"#;
    let Some((mut browser, server)) = start()? else {
        return Ok(());
    };
    sign_in(&mut browser, &server, "/projects/docs")?;
    for path in [
        "/",
        "/projects/docs",
        "/projects/docs/keys",
        "/projects/docs/jobs",
        "/password",
        "/audit",
    ] {
        browser.open(&server.url(path))?;
        for step in 0..40 {
            browser.press("Tab")?;
            let at = browser.evaluate(RING)?;
            if at[0] == true {
                assert!(step > 4, "{path}: only {step} stops");
                break;
            }
            assert_eq!(at[1], true, "{path}: {}", at[2]);
        }
    }
    press(&mut browser, ".dash-menu summary", "Enter")?;
    browser.wait("document.querySelector('.dash-menu').open")?;
    browser.press("Tab")?;
    browser.press("Escape")?;
    browser.wait("!document.querySelector('.dash-menu').open && document.activeElement.matches('.dash-menu summary')")?;
    Ok(())
}

#[test]
fn pages_work_without_a_script() -> TestResult {
    let Some((mut browser, running)) = start_without_scripts()? else {
        return Ok(());
    };
    sign_in(&mut browser, &running, "/projects/docs/jobs")?;
    write(&mut browser, "#prompt", "Fix the typos")?;
    press(&mut browser, "main button[type=submit]", "Enter")?;
    browser.wait(&seen("Waiting"))?;
    assert_eq!(
        browser.evaluate("document.querySelectorAll('[data-copy]:not([hidden])').length")?,
        0
    );
    let world = running.world.clone();
    running.wait(async move {
        world
            .work("reading\n", None)
            .await
            .map_err(|e| e.to_string())
    })??;
    press(&mut browser, ".dash-reload", "Enter")?;
    browser.wait(&seen("Working"))
}

/// Returns the pages of a dashboard with some history.
fn pages(running: &RunningDashboard) -> Result<Vec<(String, String)>, Box<dyn std::error::Error>> {
    let world = running.world.clone();
    let response = running.wait(async move {
        for name in [ACCOUNT.0, "somebody@example.com"] {
            let fields = [("name", name), ("password", "a guess")];
            let result = world.stranger().post("/sign-in", &fields).await;
            result.map_err(|error| error.to_string())?;
        }
        let mut anna = world.anna().await.map_err(|error| error.to_string())?;
        let mut paths = Vec::new();
        // Prompt, log, and the end of the job, if any.
        type End = (&'static str, &'static str, Option<Result<&'static str, &'static str>>);
        let ends: [End; 5] = [
            ("Document the flag `--dry-run` of the command line and add it to the changelog", "reading docs/cli.mdx\nwriting docs/cli.mdx\n", Some(Ok("https://git.example.com/team/docs/pulls/41"))),
            ("Check all links of the guides", "checking 312 links\n2 are broken\n", Some(Err("the agent ended with status 3"))),
            ("Translate the quickstart into German", "nothing to do\n", Some(Ok("https://git.example.com/team/docs/pulls/42"))),
            ("Explain how previews find their host, with an example for each forge that is supported, and link to it from the guide to webhooks and from the overview", "$ git switch --create previews\nreading docs/guides/previews.mdx\nreading docs/guides/webhooks.mdx\n", None),
            ("Shorten the introduction", "", None),
        ];
        for (number, (prompt, log, end)) in ends.into_iter().enumerate() {
            let result = anna.post("/projects/docs/jobs", &[("prompt", prompt)]).await;
            let result = result.map_err(|error| error.to_string())?;
            paths.push(result.header("location").replace("?done=job", ""));
            if number < 4 {
                let worked = world.work(log, end).await;
                worked.map_err(|error| error.to_string())?;
            }
            world.pass(std::time::Duration::from_secs(1_500));
        }
        for (name, scope, days, networks) in [
            ("CI of the website", "write", "90", "192.0.2.0/24"),
            ("Status board", "read", "0", ""),
            ("Old laptop", "write", "0", ""),
        ] {
            let fields = [("name", name), ("scope", scope), ("days", days), ("networks", networks)];
            let result = anna.post("/projects/docs/keys", &fields).await;
            result.map_err(|error| error.to_string())?;
        }
        for (name, method) in [
            ("Ada Lovelace", SignInMethod::Oidc),
            ("sam", SignInMethod::Password),
            ("A reader with quite a long name, as some directories have them", SignInMethod::Handover),
        ] {
            let recorded = world.reader(name, method).await;
            recorded.map_err(|error| error.to_string())?;
        }
        for (name, groups, days) in [("Link checker in CI", "staff, partners", "30"), ("curl", "", "0")] {
            let fields = [("name", name), ("groups", groups), ("days", days)];
            let result = anna.post("/projects/docs/readers", &fields).await;
            result.map_err(|error| error.to_string())?;
        }
        let list = anna.get("/projects/docs/keys").await.map_err(|error| error.to_string())?.body;
        let keys: Vec<String> = list
            .split("/projects/docs/keys/")
            .skip(1)
            .filter_map(|rest| Some(rest.split_once("/revoke")?.0.to_owned()))
            .collect();
        if let Some(key) = keys.first() {
            let result = anna.post(&format!("/projects/docs/keys/{key}/revoke"), &[]).await;
            result.map_err(|error| error.to_string())?;
        }
        paths.push(format!("/projects/docs/keys/{}/revoke", keys.last().cloned().unwrap_or_default()));
        anna.post("/projects/docs/deployments", &[]).await.map_err(|error| error.to_string())?;
        world.pass(std::time::Duration::from_secs(40));
        Ok::<_, String>(paths)
    })??;
    running.world.sites.newest("docs", |listed| {
        listed.record.status.status = Progress::InProgress;
        "drawing 41 of 84 pages".clone_into(&mut listed.record.status.summary);
        for line in [
            "fetching https://git.example.com/team/docs.git",
            "checking 84 pages",
            "drawing",
        ] {
            listed.record.status.logs.push(line.to_owned());
        }
    });
    let mut pages: Vec<(String, String)> = [
        ("projects", "/"),
        ("overview", "/projects/docs"),
        ("overview-empty", "/projects/blog"),
        ("keys", "/projects/docs/keys"),
        ("keys-empty", "/projects/blog/keys"),
        ("readers", "/projects/docs/readers"),
        ("readers-empty", "/projects/blog/readers"),
        ("readers-sign-out", "/projects/docs/readers/sessions/end"),
        ("jobs", "/projects/docs/jobs"),
        ("jobs-none", "/projects/docs/jobs?status=archived"),
        ("jobs-no-agent", "/projects/blog/jobs"),
        ("deployments", "/projects/docs/deployments"),
        ("deployments-empty", "/projects/blog/deployments"),
        (
            "deployment-failed",
            "/projects/docs/deployments/dep_7Qm2Xk90",
        ),
        (
            "deployment-before",
            "/projects/docs/deployments/dep_7Qm2Xk91",
        ),
        (
            "deployment-going-on",
            "/projects/docs/deployments/deployment-3",
        ),
        (
            "roll-back",
            "/projects/docs/deployments/dep_7Qm2Xk91/roll-back",
        ),
        ("audit", "/audit"),
        ("sign-out", "/sign-out"),
        ("password", "/password"),
        ("not-found", "/nothing"),
    ]
    .map(|(name, path)| (name.to_owned(), path.to_owned()))
    .to_vec();
    let names = [
        "job-completed",
        "job-failed",
        "job-completed-2",
        "job-working",
        "job-waiting",
        "revoke",
    ];
    pages.extend(names.map(str::to_owned).into_iter().zip(response));
    Ok(pages)
}

/// Replaces the password hash of the account, or removes it; returns the previous one.
fn replace_hash(
    running: &RunningDashboard,
    hash: Option<String>,
) -> Result<Option<String>, Box<dyn std::error::Error>> {
    let world = running.world.clone();
    let replaced = running.wait(async move {
        let known = world.store.account(ACCOUNT.0).await;
        let mut account = known.map_err(|error| error.to_string())?.ok_or("none")?;
        let before = std::mem::replace(&mut account.password, hash);
        let by = Initiator {
            actor: Actor::Cli,
            from: None,
        };
        let change = Change::new(&by, world.now(), None, "putAccount", Some(ACCOUNT.0));
        let put = world.store.put_account(&account, &change).await;
        put.map_err(|error| error.to_string())?;
        Ok::<_, String>(before)
    })?;
    Ok(replaced?)
}

#[test]
fn pages_have_no_axe_violations_and_no_overflow() -> TestResult {
    let Some(axe) = tools::npm("axe-core/axe.min.js") else {
        return Ok(());
    };
    let source = std::fs::read_to_string(axe)?;
    let Some((mut browser, server)) = start()? else {
        return Ok(());
    };
    let source = json!({ "source": source });
    browser.call("Page.addScriptToEvaluateOnNewDocument", source)?;
    let dir = std::env::var_os("SVC_SCREENSHOTS").map(std::path::PathBuf::from);
    let pages = pages(&server)?;
    let mut problems = String::new();
    for (width, mode) in [
        (1440, "light"),
        (1440, "dark"),
        (390, "light"),
        (390, "dark"),
    ] {
        browser.call("Network.clearBrowserCookies", json!({}))?;
        browser.screen(width, 900, mode)?;
        browser.open(&server.url("/sign-in"))?;
        let mut look = |browser: &mut Browser, name: &str| -> TestResult {
            browser.wait("document.readyState === 'complete'")?;
            if let Some(dir) = &dir {
                let image = browser.screenshot()?;
                let bytes = base64::engine::general_purpose::STANDARD.decode(image)?;
                std::fs::write(dir.join(format!("{name}-{width}-{mode}.png")), bytes)?;
            }
            let wide = browser.evaluate(WIDE)?;
            for problem in browser.evaluate(CHECK)?.as_array().ok_or("a list")? {
                writeln!(problems, "{name} {width} {mode}: {problem}")?;
            }
            if wide == true {
                writeln!(problems, "{name} {width} {mode}: wider than the window")?;
            }
            Ok(())
        };
        look(&mut browser, "sign-in")?;
        sign_in(&mut browser, &server, "/")?;
        for (name, path) in &pages {
            browser.open(&server.url(path))?;
            look(&mut browser, name)?;
        }
        browser.open(&server.url("/"))?;
        browser.evaluate("document.querySelector('.dash-menu').open = true")?;
        look(&mut browser, "menu")?;
        // Pages that are only shown in response to a form.
        browser.open(&server.url("/projects/blog/keys"))?;
        browser.evaluate("document.querySelector('details.dash-fold').open = true")?;
        write(&mut browser, "#name", &format!("Key {width} {mode}"))?;
        press(
            &mut browser,
            "form[action$='/keys'] button[type=submit]",
            "Enter",
        )?;
        browser.wait(&seen("Copy it now"))?;
        look(&mut browser, "key-made")?;
        browser.open(&server.url("/projects/blog/keys"))?;
        browser.evaluate("document.querySelector('details.dash-fold').open = true")?;
        write(&mut browser, "#name", "a")?;
        write(&mut browser, "#networks", "everywhere")?;
        press(
            &mut browser,
            "form[action$='/keys'] button[type=submit]",
            "Enter",
        )?;
        browser.wait(&seen("is not a network"))?;
        look(&mut browser, "key-wrong")?;
        browser.open(&server.url("/password"))?;
        for field in ["#old", "#new", "#again"] {
            write(&mut browser, field, "not the password")?;
        }
        browser.press("Enter")?;
        browser.wait(&seen("The old password is incorrect."))?;
        look(&mut browser, "password-wrong")?;
        let previous = replace_hash(&server, None)?;
        browser.open(&server.url("/password"))?;
        look(&mut browser, "password-elsewhere")?;
        replace_hash(&server, previous)?;
    }
    assert!(problems.is_empty(), "{problems}");
    Ok(())
}
