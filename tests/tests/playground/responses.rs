//! Display of responses, and how requests are sent.

use crate::playground::play::{Play, TestResult, start, start_with};

#[test]
fn responses_are_displayed_by_type_and_never_executed() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    let sent = |play: &mut Play, page: &str| -> TestResult {
        play.open(&format!("api-reference/{page}"))?;
        play.run("play.press('Send')")?;
        Ok(())
    };
    sent(&mut play, "events")?;
    // Displayed while the stream is still open.
    play.reach("play.dialog().querySelectorAll('.svc-playground-events > li').length === 2 && !play.idle()")?;
    play.reach(
        "play.idle() && play.dialog().querySelectorAll('.svc-playground-events > li').length === 3",
    )?;
    let text = play.run("return play.response()")?;
    assert!(text.to_string().contains("tick"), "{text}");
    sent(&mut play, "lines")?;
    play.reach("play.dialog().querySelectorAll('.svc-playground-events > li').length === 2 && !play.idle()")?;
    // The reader cancels the request.
    play.run("play.press('Cancel')")?;
    play.reach("play.idle() && play.status().includes('Cancelled')")?;
    sent(&mut play, "slow")?;
    play.run("play.press('Cancel')")?;
    play.reach("play.idle() && play.status().includes('Cancelled')")?;
    sent(&mut play, "picture")?;
    play.reach(
        "(play.dialog().querySelector('.svc-playground-picture')?.naturalWidth ?? 0) === 8",
    )?;
    sent(&mut play, "page")?;
    play.reach("play.idle() && play.response().includes('<script>')")?;
    assert_eq!(play.run("return window.pwned ?? 'safe'")?, "safe");
    sent(&mut play, "large")?;
    play.reach("play.idle() && play.response().includes('Only the first')")?;
    let shown = play.run("return play.response().length")?;
    assert!(shown.as_u64().unwrap_or(0) < 530_000, "{shown}");
    sent(&mut play, "number")?;
    play.reach("play.idle()")?;
    let shown = play.run("return play.dialog().querySelector('.svc-playground-answer .svc-playground-code').textContent")?;
    assert_eq!(
        shown,
        "{\n  \"id\": 9007199254740993,\n  \"none\": [],\n  \"word\": \"é\",\n  \"half\": 1.50\n}"
    );
    sent(&mut play, "bytes")?;
    play.reach(
        "play.idle() && play.response().includes('4 B') && play.response().includes('Download')",
    )?;
    sent(&mut play, "nothing")?;
    play.reach(
        "play.idle() && play.response().includes('no body') && play.status().includes('204')",
    )?;
    let bad: Vec<_> = play
        .browser
        .complaints
        .iter()
        .filter(|complaint| !complaint.contains("favicon"))
        .collect();
    assert!(bad.is_empty(), "{bad:#?}");
    Ok(())
}

#[test]
fn a_cors_failure_is_explained() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/closed-put")?;
    play.run("play.set('X-Own', '1'); play.press('Send')")?;
    play.reach("play.idle() && play.response().includes('Access-Control-Allow-Origin')")?;
    let text = play.run("return play.response()")?.to_string();
    for expected in [
        "Access-Control-Allow-Headers: x-own",
        "Access-Control-Allow-Methods: PUT",
        "does not let pages of http://127.0.0.1",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    Ok(())
}

#[test]
fn requests_that_a_browser_cannot_send_use_the_relay() -> TestResult {
    let Some(mut play) = start_with(true)? else {
        return Ok(());
    };
    // Blocked by CORS at first, then remembered for the tab.
    play.open("api-reference/closed-put")?;
    play.run("play.set('X-Own', '1')")?;
    for _ in 0..2 {
        let request = play.send()?;
        assert_eq!((&*request.method, request.header("x-own")), ("PUT", "1"));
        assert_eq!(request.header("cookie"), "");
        play.reach("play.status().includes('sent through this site') && play.response().includes('/closed/thing')")?;
    }
    // A cookie, which scripts may not set.
    play.open("api-reference/secured")?;
    play.run("play.choose('Authorization', 'cookie key'); play.set('sid', 's3')")?;
    assert_eq!(play.send()?.header("cookie"), "sid=s3");
    // An API that allows CORS is called directly.
    play.run("sessionStorage.removeItem('svc-playground:relayed'); play.choose('Authorization', 'bearer'); play.set('Token', 't')")?;
    play.send()?;
    play.reach("play.status().includes('sent directly')")?;
    // A request that may change something is not sent twice if it needs no preflight.
    play.open("api-reference/upload")?;
    play.run(
        "play.set('note', 'hello'); const own = new DataTransfer(); own.items.add(new File(['PIXELS'], 'cat.png', { type: 'image/png' }));
         play.dialog().querySelector('.svc-playground-file').dispatchEvent(new DragEvent('drop', { dataTransfer: own, bubbles: true, cancelable: true }))",
    )?;
    let request = play.send()?;
    play.reach("play.status().includes('sent through this site')")?;
    assert!(
        request.header("content-type").contains("boundary="),
        "{request:?}"
    );
    assert!(request.text().contains("filename=\"cat.png\"") && request.text().contains("PIXELS"));
    // Streams arrive incrementally through the relay too.
    play.open("api-reference/events")?;
    play.run("sessionStorage.setItem('svc-playground:relayed', JSON.stringify([new URL(document.querySelector('.svc-playground-address').textContent).origin])); play.press('Send')")?;
    play.reach("play.dialog().querySelectorAll('.svc-playground-events > li').length === 2 && !play.idle()")?;
    play.reach(
        "play.idle() && play.dialog().querySelectorAll('.svc-playground-events > li').length === 3",
    )
}
