//! Authentication of requests, and the hosts that they may reach.

use std::error::Error;
use std::thread;
use std::time::Duration;

use serde_json::json;
use svc_tests::loaded_site::LoadedSite;
use svc_tests::server;

use crate::playground::play::{CONFIG, DOCUMENT, TestResult, start};

// spec: oas.playground accepts
#[test]
fn every_security_scheme_reaches_the_api() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/secured")?;
    play.run("play.choose('Authorization', 'bearer'); play.set('Token', 't0k')")?;
    assert_eq!(play.send()?.header("authorization"), "Bearer t0k");
    play.run("play.choose('Authorization', 'basic'); play.set('Username', 'ann'); play.set('Password', 'p:w')")?;
    assert_eq!(play.send()?.header("authorization"), "Basic YW5uOnA6dw==");
    play.run("play.choose('Authorization', 'header key & query key'); play.set('X-Key', 'k1'); play.set('key', 'k 2')")?;
    let request = play.send()?;
    assert_eq!(request.header("x-key"), "k1");
    assert_eq!(request.target, "/secured?key=k%202");
    // The displayed URL does not contain the key.
    let shown = play.run("return document.querySelector('.svc-playground-address').textContent")?;
    assert!(!shown.to_string().contains("k%202"), "{shown}");
    play.run("play.choose('Authorization', 'certificate')")?;
    let text = play.run("return play.dialog().innerText")?;
    assert!(text.to_string().contains("client certificate"), "{text}");
    assert_eq!(play.send()?.header("authorization"), "");
    play.run("play.choose('Authorization', 'cookie key'); play.set('sid', 's3')")?;
    assert_eq!(play.send()?.header("cookie"), "");
    let text = play.run("return play.response()")?;
    assert!(
        text.to_string()
            .contains("do not send these headers for a page: Cookie"),
        "{text}"
    );
    play.run("play.choose('Authorization', 'no authorization')")?;
    assert_eq!(play.send()?.header("authorization"), "");
    Ok(())
}

#[test]
fn every_flow_of_oauth_gets_a_token() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/secured")?;
    play.run("play.choose('Authorization', 'oauth'); play.dialog().querySelector('.svc-playground-more').open = true")?;
    play.reach("Boolean(play.dialog().querySelector('.svc-playground-token'))")?;
    for (flow, token) in [
        ("authorizationCode", "token-of-authorization_code"),
        ("clientCredentials", "token-of-client_credentials"),
        ("implicit", "implicit-token"),
        ("password", "token-of-password"),
    ] {
        play.api.take();
        play.run(&format!(
            "play.choose('Flow', '{flow}'); play.set('Client ID', 'me'); play.set('Username', 'ann'); play.set('Password', 'pw'); play.set('Token', '')"
        ))?;
        // A script can open a window only in response to a key or click of the reader.
        let params = json!({
            "expression": "play.press('Get a token', play.dialog().querySelector('.svc-playground-token'))",
            "userGesture": true
        });
        play.browser.call("Runtime.evaluate", params)?;
        play.reach(&format!(
            "play.named('Token').querySelector('input').value === '{token}'"
        ))?;
        let requests = play.api.take();
        if flow == "authorizationCode" {
            let begun = requests
                .iter()
                .find(|item| item.target.starts_with("/oauth/authorize"));
            let begun = begun.ok_or("no code was requested")?;
            let value = |name| svc_tests::api::query(&begun.target, name);
            assert_eq!(value("code_challenge_method"), "S256");
            assert_eq!(value("scope"), "read");
            assert!(value("redirect_uri").ends_with("/_svc/oauth.html"));
            let ended = requests.iter().find(|item| item.target == "/oauth/token");
            let form = format!("?{}", ended.ok_or("no token was requested")?.text());
            let verifier = svc_tests::api::query(&form, "code_verifier");
            assert_eq!(svc_tests::api::query(&form, "code"), "the-code");
            let challenge = play.run(&format!(
                "const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode('{verifier}')));
                 return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')"
            ))?;
            assert_eq!(challenge, value("code_challenge"));
        }
        assert_eq!(
            play.send()?.header("authorization"),
            format!("Bearer {token}")
        );
    }
    play.run("play.choose('Authorization', 'connect'); play.dialog().querySelector('.svc-playground-more').open = true")?;
    play.reach("play.dialog().querySelector('.svc-playground-token')?.textContent.includes('profile') === true")?;
    Ok(())
}

#[test]
fn a_shared_link_cannot_select_the_host() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    let state = |server: u8, variables: &str| {
        format!(
            "{{\"server\":{server},\"variables\":{variables},\"parameters\":{{}},\"body\":null}}"
        )
    };
    for (state, path) in [
        (state(2, "{\"anything\":\"evil\"}"), "/free/secured"),
        (state(1, "{\"region\":\"evil\"}"), "/north/secured"),
        (state(1, "{\"region\":\"south\"}"), "/south/secured"),
    ] {
        let url = play.server.url("/api-reference/secured");
        let fragment = play.browser.evaluate(&format!("btoa('{state}')"))?;
        play.browser.open("about:blank")?;
        play.browser.open(&format!(
            "{url}#try={}",
            fragment.as_str().unwrap_or_default()
        ))?;
        play.reach(&format!("Boolean(play.dialog()) && play.dialog().querySelector('.svc-playground-address').textContent.endsWith('{path}')"))?;
    }
    Ok(())
}

#[test]
fn stored_and_shared_state_contains_no_secret() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/create")?;
    play.run("play.set('name', 'Rex'); play.set('password', 'S3CRET')")?;
    play.send()?;
    play.open("api-reference/secured")?;
    play.run("play.choose('Authorization', 'header key & query key'); play.set('X-Key', 'S3CRET'); play.set('key', 'S3CRET')")?;
    play.send()?;
    thread::sleep(Duration::from_millis(200));
    let stored = play
        .run("return JSON.stringify({ ...localStorage })")?
        .to_string();
    assert!(
        stored.contains("Rex") && stored.contains("history"),
        "{stored}"
    );
    assert!(!stored.contains("S3CRET"), "{stored}");
    // They are stored in the tab until the reader removes them.
    let tab = "JSON.stringify({ ...sessionStorage }).includes('S3CRET')";
    assert_eq!(play.browser.evaluate(tab)?, true);
    play.run("play.dialog().querySelector('.svc-playground-keep input').click()")?;
    assert_eq!(play.browser.evaluate(tab)?, false);
    assert_eq!(
        play.browser.evaluate(&tab.replace("session", "local"))?,
        true
    );
    play.run("play.press('Forget')")?;
    assert_eq!(
        play.browser.evaluate(&tab.replace("session", "local"))?,
        false
    );
    // A link restores the form without the secret.
    play.open("api-reference/create")?;
    play.run("play.set('name', 'Linked'); play.set('password', 'S3CRET')")?;
    let link = play.run("const { link, withoutSecrets } = await import([...performance.getEntriesByType('resource')].find((one) => /store\\.[0-9a-f]+\\.js/.test(one.name)).name); document.execCommand = () => { window.copied = document.activeElement.value; return true; }; Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } }); play.press('Copy link to this request'); return window.copied")?;
    let link = link.as_str().ok_or("no link")?.to_owned();
    assert!(link.contains("#try="), "{link}");
    play.browser.evaluate("localStorage.clear()")?;
    play.browser.open("about:blank")?;
    play.browser.open(&link)?;
    play.reach(
        "Boolean(play.dialog()) && play.named('name').querySelector('input, textarea').value === 'Linked'",
    )?;
    assert_eq!(
        play.run("return play.named('password').querySelector('input').value")?,
        ""
    );
    Ok(())
}

#[test]
fn policies_allow_only_the_servers_of_the_page() -> TestResult {
    let made = LoadedSite::of_files([
        (
            "docs.json",
            CONFIG.replace("\"SECTIONS\"", "\"GET /closed/thing\""),
        ),
        ("index.mdx", "---\ntitle: Start\n---\n\nText.\n".to_owned()),
        ("api.yaml", DOCUMENT.replace("API", "http://api.test:81")),
    ])?;
    let server = server::serve(made.site)?;
    let mut client = svc_tests::http::Client::connect(server.addr)?;
    let mut policy = |path: &str| -> Result<String, Box<dyn Error>> {
        let response = client.get(path, &[("accept", "text/html")])?;
        assert_eq!(response.status, 200, "{path}");
        Ok(response
            .header("content-security-policy")
            .unwrap_or_default()
            .to_owned())
    };
    let page = policy("/api-reference/closed")?;
    assert!(
        page.contains("connect-src 'self' https: http://api.test:81;"),
        "{page}"
    );
    assert!(page.contains("script-src 'self';"), "{page}");
    let plain = policy("/")?;
    assert!(plain.contains("connect-src 'self' https:;"), "{plain}");
    let callback = policy("/_svc/oauth.html")?;
    assert_eq!(
        callback,
        "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    Ok(())
}

#[test]
fn an_expired_token_is_renewed() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/secured")?;
    play.run("play.choose('Authorization', 'oauth'); play.dialog().querySelector('.svc-playground-more').open = true")?;
    play.reach("Boolean(play.dialog().querySelector('.svc-playground-token'))")?;
    for (flow, first, next) in [
        ("password", "token-of-password", "refresh_token"),
        (
            "clientCredentials",
            "token-of-client_credentials",
            "client_credentials",
        ),
    ] {
        play.run(&format!(
            "play.choose('Flow', '{flow}'); play.set('Client ID', 'short'); play.set('Username', 'ann'); play.set('Password', 'pw'); play.set('Token', ''); play.press('Get a token', play.dialog().querySelector('.svc-playground-token'))"
        ))?;
        play.reach(&format!(
            "play.named('Token').querySelector('input').value === '{first}'"
        ))?;
        play.api.take();
        play.run("play.press('Send')")?;
        play.reach("play.idle() && play.status().includes('ms')")?;
        let requests = play.api.take();
        let [token, call] = requests.as_slice() else {
            return Err(format!("{flow}: {requests:?}").into());
        };
        let form = format!("?{}", token.text());
        let value = |name| svc_tests::api::query(&form, name);
        assert_eq!(
            (&*token.target, &*value("grant_type")),
            ("/oauth/token", next)
        );
        assert_eq!(value("client_id"), "short");
        if next == "refresh_token" {
            assert_eq!(value("refresh_token"), "again");
        }
        let expected = format!("Bearer token-of-{next}");
        assert_eq!(call.header("authorization"), expected);
    }
    // A token that the reader entered is not renewed.
    play.run("play.set('Token', 'mine')")?;
    assert_eq!(play.send()?.header("authorization"), "Bearer mine");
    assert!(play.api.take().is_empty());
    Ok(())
}
