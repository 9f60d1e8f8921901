//! Headless Chromium over the DevTools protocol: opens pages, presses keys and evaluates scripts.

use std::io::{self, BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use crate::tools;

type BoxError = Box<dyn std::error::Error>;

/// A running browser with one page.
#[derive(Debug)]
pub struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    next: u64,
    /// Console errors, uncaught exceptions and failed loads.
    pub complaints: Vec<String>,
    /// Resources that were loaded for the current page.
    pub transfers: Vec<Transfer>,
    /// URLs with TLS that the current page requested while [`Browser::fulfill_requests`] answered.
    pub foreign: Vec<String>,
    fulfilled_with: Option<fn(&str) -> String>,
    loaded: bool,
    _profile: tempfile::TempDir,
}

/// A response that the page received.
#[derive(Debug, Clone)]
pub struct Transfer {
    request: String,
    /// URL of the resource.
    pub url: String,
    /// `Document`, `Stylesheet`, `Script`, `Image`, `Font` and so on.
    pub kind: String,
    /// Bytes on the wire, head and body.
    pub bytes: u64,
}

/// Returns the path of the browser; `None` if it is not installed.
pub fn program() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names.into_iter().find_map(tools::program)
}

impl Browser {
    /// Starts a browser like [`Browser::start`]; `None`, with a note on standard error, if none is
    /// installed.
    ///
    /// # Errors
    /// Fails if the browser does not respond, or if none is installed in continuous integration.
    pub fn or_skip() -> Result<Option<Self>, BoxError> {
        if program().is_some() {
            return Ok(Some(Self::start()?));
        }
        if std::env::var_os("CI").is_some() {
            return Err("continuous integration must have Chromium".into());
        }
        svc_test_support::skip(
            "there is no Chromium on this machine; `cargo xtask test` installs it",
        );
        Ok(None)
    }

    /// Starts a browser with an empty profile.
    ///
    /// # Errors
    /// Fails if there is no browser or it does not respond.
    pub fn start() -> Result<Self, BoxError> {
        let program = program().ok_or("no Chromium on this machine")?;
        let profile = tempfile::tempdir()?;
        let mut child = Command::new(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
            ])
            .args([
                "--no-first-run",
                "--disable-background-networking",
                "--disable-sync",
            ])
            .args([
                "--disable-component-update",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
            ])
            .args(["--remote-debugging-port=0", "--remote-allow-origins=*"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let stderr = child.stderr.take().ok_or("no standard error")?;
        let mut lines = BufReader::new(stderr);
        let endpoint = loop {
            let mut line = String::new();
            if lines.read_line(&mut line)? == 0 {
                return Err("the browser ended before it listened".into());
            }
            if let Some((_, endpoint)) = line.split_once("DevTools listening on ws://") {
                break endpoint.trim().to_owned();
            }
        };
        // The browser blocks when its output is not read.
        std::thread::spawn(move || io::copy(&mut lines, &mut io::sink()));
        let host = endpoint.split('/').next().unwrap_or_default().to_owned();
        let page = page_endpoint(&host)?;
        let stream = TcpStream::connect(&host)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let (socket, _) = tungstenite::client(page, stream)?;
        let mut browser = Self {
            child,
            socket,
            next: 0,
            complaints: Vec::new(),
            transfers: Vec::new(),
            foreign: Vec::new(),
            fulfilled_with: None,
            loaded: false,
            _profile: profile,
        };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(browser)
    }

    /// Calls a method of the protocol and returns its result.
    ///
    /// # Errors
    /// Fails if the browser reports an error or does not respond within 30 seconds.
    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, BoxError> {
        self.next += 1;
        let id = self.next;
        let text = json!({ "id": id, "method": method, "params": params }).to_string();
        self.socket.send(Message::text(text))?;
        loop {
            let message = self.receive()?;
            if message["id"] == json!(id) {
                if let Some(error) = message.get("error") {
                    return Err(format!("{method}: {error}").into());
                }
                return Ok(message["result"].clone());
            }
        }
    }

    fn receive(&mut self) -> Result<Value, BoxError> {
        loop {
            if let Message::Text(text) = self.socket.read()? {
                let message: Value = serde_json::from_str(&text)?;
                self.note(&message);
                if message["method"] == "Fetch.requestPaused" {
                    self.fulfill(&message["params"])?;
                }
                return Ok(message);
            }
        }
    }

    fn note(&mut self, message: &Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Page.loadEventFired") => self.loaded = true,
            Some("Network.responseReceived") => {
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                self.transfers.push(Transfer {
                    request: text(&params["requestId"]),
                    url: text(&params["response"]["url"]),
                    kind: text(&params["type"]),
                    bytes: 0,
                });
            }
            Some("Network.loadingFinished") => {
                let bytes = params["encodedDataLength"].as_f64().unwrap_or_default();
                let same = |transfer: &&mut Transfer| params["requestId"] == *transfer.request;
                if let Some(transfer) = self.transfers.iter_mut().find(same) {
                    // Numbers of the protocol are floats.
                    transfer.bytes = format!("{bytes:.0}").parse().unwrap_or_default();
                }
            }
            Some("Runtime.exceptionThrown") => {
                let exception = params["exceptionDetails"].to_string();
                // Chromium itself gives up the animation between two pages on a machine under load.
                if !exception.contains("InvalidStateError: Transition was aborted") {
                    self.complaints.push(exception);
                }
            }
            Some("Runtime.consoleAPICalled") if params["type"] == "error" => {
                self.complaints.push(params["args"].to_string());
            }
            Some("Log.entryAdded") if params["entry"]["level"] == "error" => {
                self.complaints.push(params["entry"].to_string());
            }
            _ => {}
        }
    }

    /// Answers all requests with TLS in place of other hosts: with the script that `script` returns
    /// for the URL.
    ///
    /// # Errors
    /// As [`Browser::call`].
    pub fn fulfill_requests(&mut self, script: fn(&str) -> String) -> Result<(), BoxError> {
        self.fulfilled_with = Some(script);
        let patterns = json!({ "patterns": [{ "urlPattern": "https://*" }] });
        self.call("Fetch.enable", patterns)?;
        Ok(())
    }

    fn fulfill(&mut self, params: &Value) -> Result<(), BoxError> {
        let url = params["request"]["url"].as_str().unwrap_or_default();
        self.foreign.push(url.to_owned());
        let script = self
            .fulfilled_with
            .map_or_else(String::new, |script| script(url));
        self.next += 1;
        let text = json!({ "id": self.next, "method": "Fetch.fulfillRequest", "params": {
            "requestId": params["requestId"],
            "responseCode": 200,
            "responseHeaders": [
                { "name": "Content-Type", "value": "text/javascript" },
                { "name": "Access-Control-Allow-Origin", "value": "*" },
            ],
            "body": STANDARD.encode(script),
        } });
        self.socket.send(Message::text(text.to_string()))?;
        Ok(())
    }

    /// Sets the size of the window and the preferred color scheme (`light` or `dark`).
    ///
    /// # Errors
    /// As [`Browser::call`].
    pub fn screen(&mut self, width: u32, height: u32, scheme: &str) -> Result<(), BoxError> {
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600
        });
        self.call("Emulation.setDeviceMetricsOverride", metrics)?;
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        )?;
        Ok(())
    }

    /// Opens a URL and waits for the load event.
    ///
    /// # Errors
    /// As [`Browser::call`], and if the page does not load within 30 seconds.
    pub fn open(&mut self, url: &str) -> Result<(), BoxError> {
        self.loaded = false;
        self.transfers.clear();
        self.foreign.clear();
        self.call("Page.navigate", json!({ "url": url }))?;
        let start = Instant::now();
        while !self.loaded {
            if start.elapsed() > Duration::from_secs(30) {
                return Err(format!("{url} did not load").into());
            }
            self.receive()?;
        }
        Ok(())
    }

    /// Evaluates an expression in the page; a promise is awaited.
    ///
    /// # Errors
    /// As [`Browser::call`], and if the expression throws.
    pub fn evaluate(&mut self, expression: &str) -> Result<Value, BoxError> {
        let params = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true
        });
        let result = self.call("Runtime.evaluate", params)?;
        if let Some(thrown) = result.get("exceptionDetails") {
            return Err(format!("{expression}: {thrown}").into());
        }
        Ok(result["result"]["value"].clone())
    }

    /// Waits until an expression is true.
    ///
    /// # Errors
    /// Fails if the expression does not become true in time.
    pub fn wait(&mut self, condition: &str) -> Result<(), BoxError> {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(10) {
            // Evaluation fails while a page is being replaced.
            let result = self.evaluate(&format!("Boolean({condition})"));
            if result.is_ok_and(|value| value == true) {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(25));
        }
        let at = self.evaluate("document.activeElement.outerHTML.slice(0, 200)")?;
        Err(format!("never came true: {condition}; the focus is on {at}").into())
    }

    /// Presses and releases a key by its DOM name: `Enter`, `Tab`, `Escape`, `/`.
    ///
    /// # Errors
    /// As [`Browser::call`].
    pub fn press(&mut self, key: &str) -> Result<(), BoxError> {
        self.press_with(key, 0)
    }

    /// Presses and releases a key while the modifier keys are down that the protocol numbers so:
    /// 1 Alt, 2 Control, 4 Meta, 8 Shift, or their sum.
    ///
    /// # Errors
    /// As [`Browser::call`].
    pub fn press_with(&mut self, key: &str, modifiers: u8) -> Result<(), BoxError> {
        let (code, number) = match key {
            "Enter" => ("Enter", 13),
            "Tab" => ("Tab", 9),
            "Escape" => ("Escape", 27),
            " " => ("Space", 32),
            "End" => ("End", 35),
            "Home" => ("Home", 36),
            "ArrowLeft" => ("ArrowLeft", 37),
            "ArrowUp" => ("ArrowUp", 38),
            "ArrowRight" => ("ArrowRight", 39),
            "ArrowDown" => ("ArrowDown", 40),
            "/" => ("Slash", 191),
            _ => ("", 0),
        };
        let text = match key {
            "Enter" => "\r",
            key if key.chars().count() == 1 => key,
            _ => "",
        };
        let down = if text.is_empty() {
            "rawKeyDown"
        } else {
            "keyDown"
        };
        for kind in [down, "keyUp"] {
            let text = if kind == "keyUp" { "" } else { text };
            let params = json!({
                "type": kind, "key": key, "code": code, "text": text,
                "windowsVirtualKeyCode": number, "modifiers": modifiers
            });
            self.call("Input.dispatchKeyEvent", params)?;
        }
        Ok(())
    }

    /// Returns a PNG of the window in Base64.
    ///
    /// # Errors
    /// As [`Browser::call`].
    pub fn screenshot(&mut self) -> Result<String, BoxError> {
        let result = self.call("Page.captureScreenshot", json!({ "format": "png" }))?;
        Ok(result["data"].as_str().unwrap_or_default().to_owned())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the WebSocket URL of the first page.
fn page_endpoint(host: &str) -> Result<String, BoxError> {
    let addr = host.parse()?;
    for _ in 0..50 {
        let list = crate::http::Client::connect(addr)?.get("/json/list", &[])?;
        let pages: Value = serde_json::from_slice(&list.body)?;
        let page = pages
            .as_array()
            .into_iter()
            .flatten()
            .find(|page| page["type"] == "page");
        if let Some(url) = page.and_then(|page| page["webSocketDebuggerUrl"].as_str()) {
            return Ok(url.to_owned());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Err("the browser has no page".into())
}
