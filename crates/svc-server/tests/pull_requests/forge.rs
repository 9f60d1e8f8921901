//! Stand-ins for forges, which check each request against the API description of the forge.

use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use svc_test_support::request::{RecordedRequest, respond};

pub(super) const TOKEN: &str = "forge-token-of-the-test";

/// A forge: its name in the settings, and the header of the token.
#[derive(Debug, Clone, Copy)]
pub(super) struct ForgeDialect {
    pub(super) name: &'static str,
    description: &'static str,
    token: (&'static str, &'static str),
    /// Field with the name of a status.
    pub(super) context: &'static str,
    /// Names of the states pending, success and failure.
    pub(super) states: [&'static str; 3],
    /// Ref of pull request 12.
    pub(super) reference: &'static str,
}

pub(super) const GITHUB: ForgeDialect = ForgeDialect {
    name: "github",
    description: include_str!("github.json"),
    token: ("authorization", "Bearer "),
    context: "context",
    states: ["pending", "success", "failure"],
    reference: "refs/pull/12/head",
};
pub(super) const GITLAB: ForgeDialect = ForgeDialect {
    name: "gitlab",
    description: include_str!("gitlab.json"),
    token: ("private-token", ""),
    context: "name",
    states: ["running", "success", "failed"],
    reference: "refs/merge-requests/12/head",
};
pub(super) const GITEA: ForgeDialect = ForgeDialect {
    name: "gitea",
    description: include_str!("gitea.json"),
    token: ("authorization", "token "),
    ..GITHUB
};
pub(super) const FORGEJO: ForgeDialect = ForgeDialect {
    name: "forgejo",
    ..GITEA
};

/// How a forge responds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    /// As documented.
    Well,
    /// It is down.
    Down,
    /// The token has no permission.
    Forbidding,
    /// It does not respond.
    Silent,
}

#[derive(Debug)]
struct ForgeState {
    mood: Mood,
    /// Bodies of statuses with the commit in `sha`.
    statuses: Vec<Value>,
    comments: Vec<(u64, String)>,
    /// Requests with a response of an error.
    rejected: usize,
    /// Looks at requests that wait for a response.
    silent: usize,
    /// Violations of the API description.
    violations: Vec<String>,
}

/// A running forge.
pub(super) struct Forge {
    pub(super) dialect: ForgeDialect,
    port: u16,
    state: Arc<Mutex<ForgeState>>,
}

impl Forge {
    pub(super) fn start(dialect: ForgeDialect) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(Mutex::new(ForgeState {
            mood: Mood::Well,
            statuses: Vec::new(),
            comments: vec![(1, "A comment of a person.".to_owned())],
            rejected: 0,
            silent: 0,
            violations: Vec::new(),
        }));
        let shared = Arc::clone(&state);
        let description: Value = serde_json::from_str(dialect.description).unwrap();
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (shared, description) = (Arc::clone(&shared), description.clone());
                thread::spawn(move || {
                    let Some(request) = RecordedRequest::read(&stream) else {
                        return;
                    };
                    let mut state = shared.lock().unwrap();
                    while state.mood == Mood::Silent {
                        state.silent += 1;
                        drop(state);
                        thread::sleep(Duration::from_millis(50));
                        state = shared.lock().unwrap();
                    }
                    let (status, body) = state.respond(&dialect, &description, &request);
                    drop(state);
                    let lines = "Content-Type: application/json\r\n".to_owned();
                    let body = body.to_string().into_bytes();
                    let length = body.len();
                    respond(&mut stream, &(format!("{status} X"), lines, body), length);
                });
            }
        });
        Self {
            dialect,
            port,
            state,
        }
    }

    pub(super) fn repository(&self) -> String {
        format!("http://127.0.0.1:{}/team/docs", self.port)
    }

    /// Whether a request has waited for a response.
    pub(super) fn is_waited_for(&self) -> bool {
        self.state.lock().unwrap().silent > 0
    }

    pub(super) fn set_mood(&self, mood: Mood) {
        self.state.lock().unwrap().mood = mood;
    }

    /// The last status of a commit: its state, its description and its URL.
    pub(super) fn status(&self, commit: &str) -> Option<(String, String, String)> {
        let state = self.state.lock().unwrap();
        let mut statuses = state.statuses.iter().rev();
        let status = statuses.find(|status| status["sha"] == commit)?;
        let text = |key: &str| status[key].as_str().unwrap_or_default().to_owned();
        assert_eq!(text(self.dialect.context), "svc/docs");
        Some((text("state"), text("description"), text("target_url")))
    }

    /// The states of a commit in order, without repetitions.
    pub(super) fn states(&self, commit: &str) -> Vec<String> {
        let state = self.state.lock().unwrap();
        let statuses = state.statuses.iter();
        let statuses = statuses.filter(|status| status["sha"] == commit);
        let mut states: Vec<String> = statuses
            .map(|status| status["state"].as_str().unwrap_or_default().to_owned())
            .collect();
        states.dedup();
        states
    }

    /// The comments of the server, with their IDs.
    pub(super) fn comments(&self) -> Vec<(u64, String)> {
        let state = self.state.lock().unwrap();
        let comments = state.comments.iter();
        let ours = comments.filter(|(_, text)| text.starts_with("<!-- svc:"));
        ours.cloned().collect()
    }

    pub(super) fn delete_comments(&self) {
        self.state.lock().unwrap().comments.clear();
    }

    pub(super) fn rejected(&self) -> usize {
        self.state.lock().unwrap().rejected
    }
}

impl Drop for Forge {
    fn drop(&mut self) {
        if !thread::panicking() {
            assert_eq!(self.state.lock().unwrap().violations, [""; 0]);
        }
    }
}

impl ForgeState {
    fn respond(
        &mut self,
        dialect: &ForgeDialect,
        description: &Value,
        request: &RecordedRequest,
    ) -> (u16, Value) {
        let (token, prefix) = dialect.token;
        if request.header(token) != format!("{prefix}{TOKEN}") {
            self.violations.push("no token".to_owned());
        }
        let body = match &*request.body {
            [] => Value::Null,
            bytes => serde_json::from_slice(bytes).unwrap_or_default(),
        };
        let operation = match operation(description, request, &body) {
            Ok(operation) => operation,
            Err(violation) => {
                self.violations
                    .push(format!("{}: {violation}", request.line()));
                return (422, json!({"message": violation}));
            }
        };
        match self.mood {
            Mood::Well | Mood::Silent => {}
            Mood::Down => {
                self.rejected += 1;
                return (503, json!({"message": "down"}));
            }
            Mood::Forbidding => {
                self.rejected += 1;
                // Forges may repeat what they received.
                return (403, json!({"message": format!("{TOKEN} is not allowed")}));
            }
        }
        self.perform(dialect, &operation, body)
    }

    fn perform(
        &mut self,
        dialect: &ForgeDialect,
        (method, path, values): &(String, String, Vec<String>),
        mut body: Value,
    ) -> (u16, Value) {
        let last = values.last().cloned().unwrap_or_default();
        if path.contains("/statuses/") {
            body["sha"] = last.clone().into();
            let known = self
                .statuses
                .iter()
                .rev()
                .find(|known| known["sha"] == *last);
            if dialect.name == "gitlab"
                && known.is_some_and(|known| known["state"] == body["state"])
            {
                let message = "Cannot transition status via :run from :running";
                return (400, json!({"message": {"status": [message]}}));
            }
            self.statuses.push(body);
            return (201, json!({}));
        }
        let text = body["body"].as_str().unwrap_or_default().to_owned();
        let entry = |(id, text): &(u64, String)| json!({"id": id, "body": text});
        match &**method {
            "get" => (200, self.comments.iter().map(entry).collect()),
            "post" => {
                let id = 100 + self.comments.len() as u64;
                self.comments.push((id, text));
                (201, json!({"id": id}))
            }
            _ => {
                let id: u64 = last.parse().unwrap();
                match self.comments.iter_mut().find(|(known, _)| *known == id) {
                    None => (404, json!({"message": "Not Found"})),
                    Some(comment) => {
                        comment.1 = text;
                        (200, json!({"id": id}))
                    }
                }
            }
        }
    }
}

/// The method, the path template and the values in it of a request, if it has an operation in the
/// description and its parameters and body are valid.
fn operation(
    description: &Value,
    request: &RecordedRequest,
    body: &Value,
) -> Result<(String, String, Vec<String>), String> {
    let (path, query) = request
        .target
        .split_once('?')
        .unwrap_or((&request.target, ""));
    let base = description["base"].as_str().unwrap();
    let path = path.strip_prefix(base).ok_or("not a path of the API")?;
    let method = request.method.to_ascii_lowercase();
    let paths = description["paths"].as_object().unwrap();
    let mut matching = paths.iter().filter_map(|(template, item)| {
        let operation = item.get(&method)?;
        let (names, parts) = (template.split('/'), path.split('/'));
        if names.clone().count() != parts.clone().count() {
            return None;
        }
        let mut values = Vec::new();
        for (name, part) in names.zip(parts) {
            match name.strip_prefix('{') {
                Some(name) => values.push((name.trim_end_matches('}'), part)),
                None if name == part => {}
                None => return None,
            }
        }
        Some((template, operation, values))
    });
    let (template, operation, values) = matching.next().ok_or("no such operation")?;
    let queries = query.split('&').filter(|pair| !pair.is_empty());
    let queries = queries.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let in_path = values.iter().map(|(name, value)| ("path", *name, *value));
    let in_query = queries.map(|(name, value)| ("query", name, value));
    for (place, name, value) in in_path.chain(in_query) {
        let mut parameters = operation["parameters"].as_array().unwrap().iter();
        let known = parameters.find(|known| known["name"] == name && known["in"] == place);
        let known = known.ok_or_else(|| format!("no parameter {name}"))?;
        let value = match value.parse::<i64>() {
            Ok(number) if known["schema"]["type"] == "integer" => json!(number),
            _ => json!(value),
        };
        check(&known["schema"], &value)?;
    }
    if let Some(schema) = operation.get("body") {
        check(schema, body)?;
        let names = schema["properties"].as_object().unwrap();
        let mut given = body.as_object().ok_or("no object")?.keys();
        if let Some(name) = given.find(|name| !names.contains_key(*name)) {
            return Err(format!("unknown member {name}"));
        }
        if body
            .get("body")
            .and_then(Value::as_str)
            .is_some_and(|text| text.len() > 65_536)
        {
            return Err("the comment is too long".to_owned());
        }
        if request.header("content-type") != "application/json" {
            return Err("not JSON".to_owned());
        }
    }
    let values = values
        .iter()
        .map(|(_, value)| (*value).to_owned())
        .collect();
    Ok((method, template.clone(), values))
}

fn check(schema: &Value, value: &Value) -> Result<(), String> {
    jsonschema::validate(schema, value).map_err(|error| error.to_string())
}
