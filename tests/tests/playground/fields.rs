//! The values of the form reach the API.

use serde_json::{Value, json};

use crate::playground::play::{TestResult, start};

#[test]
fn parameters_of_every_style_are_serialized() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/styles")?;
    play.run(
        "play.set('plain', 'a/b c'); play.list('label', ['x', 'y']); play.list('matrix', ['1', '2']);
         play.list('form', ['a', 'b&c']); play.list('comma', ['a', 'b']); play.list('space', ['a', 'b']); play.list('pipe', ['a', 'b']);
         play.press('Add deep'); play.set('a', 'z'); play.set('b', 'true'); play.set('kind', 'dog'); play.set('since', '2026-01-31');
         play.press('Add content'); play.set('x', '7'); play.list('X-List', ['m', 'n'])",
    )?;
    let request = play.send()?;
    assert_eq!(
        request.target,
        "/p/a%2Fb%20c/.x,y/;matrix=1;matrix=2?form=a&form=b%26c&comma=a,b&space=a%20b&pipe=a%7Cb&deep%5Ba%5D=z&deep%5Bb%5D=true&kind=dog&since=2026-01-31&content=%7B%22x%22%3A7%7D"
    );
    assert_eq!(request.header("x-list"), "m,n");
    Ok(())
}

#[test]
fn a_body_is_entered_as_form_or_text() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/create")?;
    play.run(
        "play.set('name', 'Rex'); play.set('age', '3'); play.press('Add owner'); play.set('mail', 'a@b.test');
         play.list('tags', ['x', 'y']); play.press('Add food'); play.named('food').querySelector('select').value = '1';
         play.named('food').querySelector('select').dispatchEvent(new Event('change')); play.set('cans', '2');
         play.press('Add self'); play.press('Add next', play.named('self')); play.set('label', 'deep')",
    )?;
    let request = play.send()?;
    assert_eq!(request.header("content-type"), "application/json");
    let body: Value = serde_json::from_str(&request.text())?;
    let expected = json!({
        "name": "Rex", "age": 3, "owner": { "mail": "a@b.test" }, "tags": ["x", "y"], "food": { "cans": 2 },
        "self": { "next": { "label": "deep" } }
    });
    assert_eq!(body, expected);
    play.run("play.press('Add mixed'); play.set('common', 'c'); play.set('one', '1'); play.set('three', '3')")?;
    let mixed: Value = serde_json::from_str(&play.send()?.text())?;
    assert_eq!(
        mixed["mixed"],
        json!({ "common": "c", "one": "1", "three": "3" })
    );
    play.run("play.press('JSON'); play.press('Form')")?;
    assert_eq!(serde_json::from_str::<Value>(&play.send()?.text())?, mixed);
    play.run("play.press('Remove mixed')")?;
    // As text and back.
    play.run("play.press('JSON')")?;
    let text = play.run("return play.dialog().querySelector('textarea').value")?;
    assert_eq!(
        serde_json::from_str::<Value>(text.as_str().ok_or("no text")?)?,
        body
    );
    play.run("const area = play.dialog().querySelector('textarea'); area.value = '{\"name\": \"Ann\", \"owner\": null, \"more\": [1]}'; area.dispatchEvent(new Event('input', { bubbles: true })); play.press('Form')")?;
    let request = play.send()?;
    let body: Value = serde_json::from_str(&request.text())?;
    assert_eq!(body, json!({ "name": "Ann", "owner": null, "more": [1] }));
    Ok(())
}

#[test]
fn a_file_is_uploaded() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/upload")?;
    // Nothing was filled in, so the optional body is not sent.
    assert_eq!(play.send()?.header("content-type"), "");
    play.run(
        "play.set('note', 'hello'); play.set('by', 'Ann'); const own = new DataTransfer(); own.items.add(new File(['PIXELS'], 'cat.png', { type: 'image/png' }));
         const zone = play.dialog().querySelector('.svc-playground-file');
         zone.dispatchEvent(new DragEvent('drop', { dataTransfer: own, bubbles: true, cancelable: true }))",
    )?;
    let request = play.send()?;
    let kind = request.header("content-type").to_owned();
    assert!(kind.starts_with("multipart/form-data; boundary="), "{kind}");
    let body = request.text();
    assert!(
        body.contains("name=\"note\"") && body.contains("hello"),
        "{body}"
    );
    assert!(
        body.contains("name=\"photo\"; filename=\"cat.png\"") && body.contains("PIXELS"),
        "{body}"
    );
    // A JSON part has no file name.
    let about = "name=\"about\"\r\nContent-Type: application/json\r\n\r\n";
    assert!(body.contains(about), "{body}");
    Ok(())
}

// spec: oas.x-default.playground accepts
#[test]
fn fields_start_with_known_values() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/known")?;
    let request = play.send()?;
    assert_eq!(request.target, "/known?q=from%20the%20document");
    assert_eq!(request.header("authorization"), "Bearer public-token");
    play.run("play.set('q', 'mine'); play.set('other', 'too')")?;
    assert_eq!(play.send()?.target, "/known?q=mine&other=too");
    // The next visit restores it, and the history contains both.
    play.open("api-reference/known")?;
    assert_eq!(play.send()?.target, "/known?q=mine&other=too");
    play.run("play.dialog().querySelector('.svc-playground-history').open = true")?;
    let items = "[...play.dialog().querySelectorAll('.svc-playground-history .svc-popup-item')]";
    play.reach(&format!("{items}.length === 4"))?;
    play.run(&format!("{items}[2].click()"))?;
    assert_eq!(play.send()?.target, "/known?q=from%20the%20document");
    play.run("play.press('Reset')")?;
    assert_eq!(play.send()?.target, "/known?q=from%20the%20document");
    // A value that is typed right before leaving the page is stored too. The request must be
    // answered before the page is gone.
    play.run("play.set('q', 'last'); setTimeout(() => location.replace(location.pathname))")?;
    play.reach("!location.search && document.readyState === 'complete'")?;
    play.open("api-reference/known")?;
    assert_eq!(play.send()?.target, "/known?q=last");
    Ok(())
}

#[test]
fn scripts_of_the_site_set_server_variables() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/secured")?;
    play.run("play.choose('Server', '1'); window.mintlify.api.playground.setServerVariables({ region: 'south' })")?;
    let ends = |end: &str| {
        format!(
            "play.dialog().querySelector('.svc-playground-address').textContent.endsWith('{end}')"
        )
    };
    play.reach(&ends("/south/secured"))?;
    play.run("window.svc.api.playground.clearServerVariables(); play.set('region', 'north')")?;
    play.reach(&ends("/north/secured"))
}

#[test]
fn a_missing_value_is_reported_at_its_field() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/styles")?;
    play.run("play.press('Send')")?;
    play.reach(
        "play.named('plain').querySelector('input').getAttribute('aria-invalid') === 'true'",
    )?;
    let focused = "document.activeElement === play.named('plain').querySelector('input')";
    assert_eq!(play.browser.evaluate(focused)?, true);
    let hint = play.run("const input = play.named('plain').querySelector('input'); return input.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).textContent).join(' ')")?;
    assert!(hint.to_string().contains("A value is needed"), "{hint}");
    assert!(play.api.take().is_empty());
    play.open("api-reference/create")?;
    play.run("play.set('name', 'x'); play.set('age', '-1'); play.press('Send')")?;
    play.reach("play.dialog().innerText.includes('Characters: at least 2') && play.dialog().innerText.includes('At least 0')")?;
    // The document may be wrong, so the reader may send the request anyway.
    play.run("play.press('Send anyway')")?;
    play.reach("play.idle() && play.status().includes('ms')")
}

// spec: view.api.mdx accepts
#[test]
fn a_handwritten_page_has_a_playground() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("hand")?;
    play.run("play.set('id', '7'); play.set('name', 'Rex'); play.set('Token', 'abc')")?;
    let request = play.send()?;
    assert_eq!(request.target, "/hand/7");
    assert_eq!(request.header("authorization"), "Bearer abc");
    let body: Value = serde_json::from_str(&request.text())?;
    assert_eq!(body, json!({ "name": "Rex" }));
    Ok(())
}

#[test]
fn large_numbers_are_sent_exactly() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/known")?;
    play.run("play.set('count', '9223372036854775807')")?;
    let request = play.send()?;
    assert!(
        request.target.ends_with("&count=9223372036854775807"),
        "{request:?}"
    );
    // One more exceeds the limit, which a float cannot represent.
    play.run("play.set('count', '9223372036854775808'); play.press('Send')")?;
    play.reach("play.dialog().innerText.includes('At most 9223372036854775807')")?;
    play.open("api-reference/create")?;
    play.run("play.set('name', 'Rex'); play.set('serial', '9007199254740993')")?;
    let expected = "\"serial\": 9007199254740993";
    for step in ["", "play.press('JSON')", "play.press('Form')"] {
        play.run(step)?;
        let request = play.send()?.text();
        assert!(request.contains(expected), "{step}: {request}");
    }
    // The next visit and the code sample contain it too.
    play.open("api-reference/create")?;
    let request = play.send()?.text();
    assert!(request.contains(expected), "{request}");
    let code = play
        .run("return play.dialog().querySelector('.svc-playground-side').textContent")?
        .to_string();
    assert!(code.contains("9007199254740993"), "{code}");
    Ok(())
}

#[test]
fn empty_values_are_sent_if_allowed() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/known")?;
    play.run("play.set('q', 'x'); play.press('Send flag without a value')")?;
    assert_eq!(play.send()?.target, "/known?q=x&flag=");
    let others = play
        .run("return play.dialog().querySelectorAll('[aria-label$=\"without a value\"]').length")?;
    assert_eq!(others, 1);
    // It is stored for the next visit and can be removed.
    play.open("api-reference/known")?;
    assert_eq!(play.send()?.target, "/known?q=x&flag=");
    play.run("play.press('Send flag without a value'); play.set('flag', 'yes')")?;
    assert_eq!(play.send()?.target, "/known?q=x&flag=yes");
    Ok(())
}

#[test]
fn strings_of_a_body_retain_their_line_breaks() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/create")?;
    play.run("play.set('name', 'first\\nsecond'); play.press('JSON'); play.press('Form')")?;
    let body: Value = serde_json::from_str(&play.send()?.text())?;
    assert_eq!(body["name"], "first\nsecond");
    Ok(())
}

#[test]
fn path_traversal_is_not_sent() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/styles")?;
    play.run("play.set('plain', '..'); play.list('label', ['x']); play.list('matrix', ['1']); play.press('Send')")?;
    play.reach(
        "play.named('plain').querySelector('input').getAttribute('aria-invalid') === 'true'",
    )?;
    play.run("play.press('Send')")?;
    assert!(play.api.take().is_empty());
    Ok(())
}

#[test]
fn the_selected_server_and_its_variables_apply_to_all_pages() -> TestResult {
    let Some(mut play) = start()? else {
        return Ok(());
    };
    play.open("api-reference/styles")?;
    play.run("play.choose('Server', '1'); play.set('region', 'south'); play.set('plain', 'acme')")?;
    let shown = "play.dialog().querySelector('.svc-playground-address').textContent";
    play.reach(&format!("{shown}.includes('/south/p/acme')"))?;
    // The URL is displayed after the values are restored.
    play.open("api-reference/known")?;
    play.reach(&format!("{shown}.includes('/south/known')"))?;
    play.open("api-reference/create")?;
    play.reach(&format!("{shown}.includes('/south/pets')"))
}
