//! Mutated requests: no panic, no server error, no answer above its limit.

use serde_json::Value;
use svc_mcp::{DEFAULT_MAX_TOKENS, MAX_MAX_TOKENS, McpHeaders};
use svc_site::estimated_tokens;

use crate::rig::{json_of, message, send, site};

/// A pseudorandom number generator: SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap()
    }

    fn choose<'a, T>(&mut self, values: &'a [T]) -> &'a T {
        &values[self.below(values.len())]
    }
}

/// Valid requests from which mutations begin.
fn seeds() -> Vec<Value> {
    let calls = [
        (
            "search",
            serde_json::json!({"query": "burst limit", "limit": 3, "max_tokens": 200, "group": "Guides"}),
        ),
        (
            "read",
            serde_json::json!({"path": "/guides/limits#bursts", "offset": 10, "max_tokens": 300}),
        ),
        (
            "read",
            serde_json::json!({"path": ["/", "/guides/limits"], "max_tokens": 2000}),
        ),
        (
            "list",
            serde_json::json!({"path": "Guides", "depth": 2, "offset": 1}),
        ),
        (
            "grep",
            serde_json::json!({"pattern": "b.*t (\\w+)|限", "glob": "/guides/**", "context": 2, "ignore_case": true}),
        ),
        (
            "api",
            serde_json::json!({"method": "get", "path": "/pets/7", "document": "api.json"}),
        ),
        ("api", serde_json::json!({"name": "getPet"})),
    ];
    let calls = calls.into_iter().map(|(name, arguments)| {
        message(
            "tools/call",
            serde_json::json!({"name": name, "arguments": arguments}),
        )
    });
    let others = [
        message("server/discover", serde_json::json!({})),
        message("tools/list", serde_json::json!({})),
        message("resources/list", serde_json::json!({"cursor": "0"})),
        message(
            "resources/read",
            serde_json::json!({"uri": "docs:///guides/limits"}),
        ),
        serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}),
        serde_json::json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}]),
    ];
    calls.chain(others).collect()
}

fn hostile(random: &mut Random) -> Value {
    let texts = [
        "",
        " ",
        "\0",
        "/",
        "//",
        "/../../etc/passwd",
        "#",
        "/guides/limits#限制",
        "*",
        "**/",
        "(((",
        "(a*)*b",
        "\\p{L}{1000}",
        "[^x]{0,999}",
        "%00%ff",
        "docs://",
        "skill://",
        "🦀",
        "\u{202e}",
        "null",
        "-1",
        "1e9",
        "{{{",
        "/guides/limits.md?x#y#z",
        "a\nb\r\nc",
        "\"\"\"",
        "<script>",
        "=?base64?=",
        "›››",
        "Guides › x",
    ];
    match random.below(10) {
        0 => Value::Null,
        1 => Value::Bool(true),
        2 => serde_json::json!(random.next()),
        3 => serde_json::json!(-1),
        4 => serde_json::json!(0.5),
        5 => serde_json::json!([]),
        6 => serde_json::json!({"a": {"b": []}}),
        7 => Value::String(random.choose(&texts).repeat(1 + random.below(500))),
        _ => Value::String((*random.choose(&texts)).to_owned()),
    }
}

/// Changes a value at a random place.
fn mutate(value: &mut Value, random: &mut Random) {
    if random.below(6) == 0 {
        *value = hostile(random);
        return;
    }
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let key = fields
                .keys()
                .nth(random.below(fields.len()))
                .unwrap()
                .clone();
            match random.below(8) {
                0 => {
                    fields.remove(&key);
                }
                1 => {
                    let value = hostile(random);
                    let names = [
                        "x",
                        "max_tokens",
                        "limit",
                        "offset",
                        "depth",
                        "cursor",
                        "section",
                        "version",
                    ];
                    fields.insert((*random.choose(&names)).to_owned(), value);
                }
                _ => mutate(&mut fields[&key], random),
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let index = random.below(items.len());
            match random.below(4) {
                0 => items.push(hostile(random)),
                _ => mutate(&mut items[index], random),
            }
        }
        Value::String(text) => {
            let mut chars: Vec<char> = text.chars().collect();
            for _ in 0..=random.below(3) {
                let at = random.below(chars.len() + 1);
                match random.below(3) {
                    0 if at < chars.len() => {
                        chars.remove(at);
                    }
                    1 if at < chars.len() => {
                        chars[at] = *random.choose(&['/', '#', '*', 'a', '限', '\\', '(']);
                    }
                    _ => chars.insert(at, *random.choose(&['/', '.', '?', '{', ' ', 'é', '"'])),
                }
            }
            *text = chars.into_iter().collect();
        }
        Value::Number(_) => {
            *value = serde_json::json!(*random.choose(&[0, 1, 19, 20, 21, 200, 20_000, 20_001]));
        }
        other => *other = hostile(random),
    }
}

/// Limit of the answer to a call.
fn limit_of(message: &Value) -> usize {
    let limit = &message["params"]["arguments"]["max_tokens"];
    let number = limit
        .as_u64()
        .or_else(|| limit.as_str()?.trim().parse().ok());
    let number = number.and_then(|number| usize::try_from(number).ok());
    // An invalid limit is refused in a message that is shorter than the default.
    number
        .filter(|number| (200..=MAX_MAX_TOKENS).contains(number))
        .unwrap_or(DEFAULT_MAX_TOKENS)
}

#[expect(
    clippy::print_stderr,
    reason = "the length of the test is not a constant"
)]
fn report(text: &str) {
    eprintln!("{text}");
}

#[test]
fn mutated_requests_get_bounded_responses() {
    let count = match std::env::var_os("SVC_THOROUGH") {
        Some(_) => 20_000,
        None => 2_000,
    };
    report(&format!(
        "{count} mutated requests; 20000 with SVC_THOROUGH=1"
    ));
    let (site, seeds) = (site(), seeds());
    let mut random = Random(22);
    let mut answers = 0;
    for number in 0..count {
        let mut body = random.choose(&seeds).clone();
        for _ in 0..=random.below(3) {
            // Most mutations of a call are of its arguments, or few would reach a tool.
            let arguments = body.pointer_mut("/params/arguments");
            match arguments.filter(|_| random.below(4) > 0) {
                Some(arguments) => mutate(arguments, &mut random),
                None => mutate(&mut body, &mut random),
            }
        }
        let mut bytes = body.to_string().into_bytes();
        if random.below(20) == 0 && !bytes.is_empty() {
            let at = random.below(bytes.len());
            bytes[at] = u8::try_from(random.below(256)).unwrap();
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let params = &body["params"];
        let (method, name) = (
            text(&body["method"]),
            text(&params["name"]) + &text(&params["uri"]),
        );
        let version = text(&params["_meta"]["io.modelcontextprotocol/protocolVersion"]);
        let headers = match random.below(10) {
            0 => McpHeaders {
                protocol_version: Some(b"\xff\xfe"),
                mcp_name: Some(b"=?base64?////?="),
                ..McpHeaders::default()
            },
            _ => McpHeaders {
                protocol_version: (!version.is_empty()).then_some(version.as_bytes()),
                mcp_method: Some(method.as_bytes()),
                mcp_name: Some(name.as_bytes()),
                ..McpHeaders::default()
            },
        };
        let response = send(&site, headers, &bytes);
        let shown = String::from_utf8_lossy(&bytes);
        assert!(
            response.status < 500,
            "{number}: {} {shown}",
            response.status
        );
        let answer = json_of(&response);
        if let Some(answer) = answer["result"]["content"][0]["text"].as_str() {
            answers += 1;
            let tokens = estimated_tokens(answer);
            let sent = serde_json::from_slice(&bytes).unwrap_or_default();
            assert!(
                tokens <= limit_of(&sent),
                "{number}: {tokens} tokens for {shown}"
            );
        }
    }
    assert!(answers > count / 5, "{answers} answers of {count}");
}
