//! `[[projects]]`: one site each.

use std::path::Path;
use std::time::Duration;

use svc_data::Node;

use super::codes::CONFLICT;
use super::decode::{Cx, Fields};
use super::hosts::{self, Claims};
use super::read::display_path;
use super::server::DEFAULT_KEEP;
use super::table::{DefaultValue, TableSchema, ValueType, key};
use super::{
    Host, PreviewSettings, ProjectAgentSettings, SourceSettings, WebhookSettings, base_path,
    previews, project_agent, source, webhook,
};

/// A site and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectSettings {
    /// Its name in addresses of programs and in the data folder: `[a-z0-9-]{1,63}`, unique.
    pub id: String,
    /// Hosts that readers find it by; at least one, the first one is its own.
    pub hosts: Vec<Host>,
    /// Whether the other hosts send readers to the first one.
    pub redirect_hosts: bool,
    /// Where its files come from.
    pub source: SourceSettings,
    /// Empty, or the path before all addresses: `/docs`.
    pub base_path: String,
    /// Empty, or where readers find it: `https://docs.example.com`.
    pub origin: String,
    /// Whether errors stop a deployment like fatal problems do.
    pub stop_on_errors: bool,
    /// Whether the repository's own scripts, style sheets and components are used.
    pub scripts: bool,
    /// Whether fonts of the public catalogue are loaded.
    pub web_fonts: bool,
    /// Whether pages that ask for protection are shown to everybody.
    pub serve_protected: bool,
    /// Deployments that are kept for roll-back, with the live one.
    pub keep: usize,
    /// How often the source is looked at for changes.
    pub poll: Option<Duration>,
    /// What the forge calls after a push.
    pub webhook: Option<WebhookSettings>,
    /// Previews of branches and requests.
    pub previews: Option<PreviewSettings>,
    /// What agents work on.
    pub agent: Option<ProjectAgentSettings>,
}

impl ProjectSettings {
    /// What there is with nothing more than what every project needs.
    pub fn with_defaults(id: &str, host: Host, source: SourceSettings) -> Self {
        Self {
            id: id.to_owned(),
            hosts: vec![host],
            redirect_hosts: false,
            source,
            base_path: String::new(),
            origin: String::new(),
            stop_on_errors: false,
            scripts: true,
            web_fonts: true,
            serve_protected: false,
            keep: DEFAULT_KEEP,
            poll: None,
            webhook: None,
            previews: None,
            agent: None,
        }
    }
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects",
    about: "One site each. The header has two brackets: `[[projects]]`.",
    keys: &[
        key(
            "id",
            ValueType::Text("^[a-z0-9-]{1,63}$"),
            "Name of the project in commands and in the data folder. Another id is another project.",
        )
        .required()
        .example("\"handbook\""),
        key(
            "hosts",
            ValueType::Texts(""),
            "Hosts by which readers find the site. The first one is its own. `{docs_domain}` stands for that setting.",
        )
        .required()
        .example("[\"handbook.{docs_domain}\"]"),
        key(
            "redirect_hosts",
            ValueType::Boolean,
            "Whether the other hosts send readers to the first one.",
        )
        .default(DefaultValue::Boolean(false)),
        key(
            "base_path",
            ValueType::Text(base_path::PATTERN),
            "Path before all addresses.",
        )
        .default(DefaultValue::Described("none: the site begins at `/`"))
        .example("\"/docs\""),
        key(
            "origin",
            ValueType::Text(base_path::ORIGIN),
            "Where readers find the site, for canonical addresses, the sitemap and pictures of shared links. A canonical address in `docs.json` wins.",
        )
        .default(DefaultValue::Described("the host that a request names"))
        .example("\"https://docs.example.com\""),
        key(
            "stop_on_errors",
            ValueType::Boolean,
            "Whether errors stop a deployment. Fatal problems always do.",
        )
        .default(DefaultValue::Boolean(false)),
        key(
            "scripts",
            ValueType::Boolean,
            "Whether the repository's own scripts, style sheets and components are used.",
        )
        .default(DefaultValue::Boolean(true)),
        key(
            "web_fonts",
            ValueType::Boolean,
            "Whether readers load fonts of the public catalogue of web fonts.",
        )
        .default(DefaultValue::Boolean(true)),
        key(
            "serve_protected",
            ValueType::Boolean,
            "Whether pages that ask for protection (`public: false`, `groups`, `auth`, `userAuth`) are shown to everybody. There is no sign-in of readers yet; without this they are not served at all.",
        )
        .default(DefaultValue::Boolean(false)),
        key(
            "keep",
            ValueType::Count(1, 1000),
            "Deployments that are kept for roll-back, the live one among them.",
        )
        .default(DefaultValue::Described("the `keep` of the server")),
        key(
            "poll",
            ValueType::Duration(5),
            "How often the source is looked at for changes.",
        )
        .default(DefaultValue::Described("never"))
        .example("\"5m\""),
        key(
            "source",
            ValueType::Table(&source::TABLE),
            "Where the files come from.",
        )
        .required(),
        key(
            "webhook",
            ValueType::Table(&webhook::TABLE),
            "What the forge calls after a push.",
        ),
        key(
            "previews",
            ValueType::Table(&previews::TABLE),
            "Previews of branches and requests.",
        ),
        key(
            "agent",
            ValueType::Table(&project_agent::TABLE),
            "The repository that agents work on.",
        ),
        key("authentication", ValueType::Reserved, "Reserved for a later version."),
    ],
    choices: &[],
};

/// What the server says for all projects.
pub(super) struct ServerDefaults<'a> {
    pub(super) docs_domain: Option<&'a str>,
    pub(super) keep: usize,
    pub(super) data: Option<&'a Path>,
    /// The host of the administration, which no site may have.
    pub(super) admin: Option<hosts::SpannedHost>,
    pub(super) has_admin: bool,
    pub(super) has_agent: bool,
}

/// All projects that can be read.
pub(super) fn decode_all(
    cx: &mut Cx<'_>,
    server: Fields<'_>,
    common: &ServerDefaults<'_>,
) -> Vec<ProjectSettings> {
    let (mut projects, mut claims) = (Vec::new(), Vec::new());
    claims.extend(common.admin.clone().map(|host| Claims {
        id: None,
        hosts: vec![host],
        previews: None,
    }));
    for node in cx.tables(server, "projects") {
        let (project, claimed) = decode(cx, node, common);
        projects.extend(project);
        claims.extend(claimed);
    }
    hosts::check(cx, &claims);
    projects
}

fn decode(
    cx: &mut Cx<'_>,
    node: &Node,
    common: &ServerDefaults<'_>,
) -> (Option<ProjectSettings>, Option<Claims>) {
    let Some(fields) = cx.open(node, &TABLE) else {
        return (None, None);
    };
    let id = id(cx, fields);
    let hosts = hosts::decode(cx, fields, common.docs_domain);
    let source = source::decode(cx, fields);
    let previews = previews::decode(cx, fields, common.docs_domain);
    let inside = fields.get("previews").and_then(|node| node.get("host"));
    let claims = Claims {
        id: id
            .clone()
            .map(|id| (id, fields.get("id").map_or(fields.span, |node| node.span))),
        hosts: hosts.clone(),
        previews: previews.as_ref().map(|previews| {
            let place = inside.map_or(fields.span, |node| node.span);
            (previews.host.clone(), place)
        }),
    };
    check_combination(cx, fields, source.as_ref(), common);
    let agent = project_agent::decode(cx, fields, source.as_ref());
    let project = ProjectSettings {
        redirect_hosts: cx.flag(fields, "redirect_hosts"),
        base_path: base_path::decode(cx, fields),
        origin: base_path::origin(cx, fields),
        stop_on_errors: cx.flag(fields, "stop_on_errors"),
        scripts: cx.flag(fields, "scripts"),
        web_fonts: cx.flag(fields, "web_fonts"),
        serve_protected: cx.flag(fields, "serve_protected"),
        keep: cx.count(fields, "keep").unwrap_or(common.keep),
        poll: cx.duration(fields, "poll"),
        webhook: webhook::decode(cx, fields),
        previews,
        agent,
        id: id.unwrap_or_default(),
        hosts: hosts.into_iter().map(|(host, _)| host).collect(),
        source: match source {
            Some(source) => source,
            None => return (None, Some(claims)),
        },
    };
    (Some(project), Some(claims))
}

fn id(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<String> {
    let text = cx.text(fields, "id")?;
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if text.text.len() > 63 || !text.text.bytes().all(plain) {
        let hint = "write 1 to 63 lower case letters, digits and `-`: it names a folder";
        cx.refuse(text, "id", hint);
        return None;
    }
    Some(text.text.to_owned())
}

/// Whether the parts of a project go together.
fn check_combination(
    cx: &mut Cx<'_>,
    fields: Fields<'_>,
    source: Option<&SourceSettings>,
    common: &ServerDefaults<'_>,
) {
    let needed = [("[admin]", common.has_admin), ("[agent]", common.has_agent)];
    let missing = needed.iter().find(|(_, there)| !there);
    if let Some((table, _)) = missing.filter(|_| fields.has("agent")) {
        let message = format!("`[projects.agent]` has no effect without `{table}`");
        let hint = format!("add a table `{table}`, or remove this one");
        cx.report(&CONFLICT, fields.key_span("agent"), message, hint);
    }
    let Some(SourceSettings::Dir { path, .. }) = source else {
        return;
    };
    for key in ["webhook", "previews"] {
        if fields.has(key) {
            let message = format!("`{key}` needs a Git repository, and this source is a folder");
            let hint =
                format!("remove `[projects.{key}]`, or write `git = \"…\"` in place of `folder`");
            cx.report(&CONFLICT, fields.key_span(key), message, hint);
        }
    }
    if let Some(data) = common.data.filter(|data| data.starts_with(path)) {
        let place = fields.get("source").and_then(|node| node.get("folder"));
        let place = place.map_or(fields.span, |node| node.span);
        let message = format!(
            "the data folder `{}` lies inside this folder",
            display_path(data)
        );
        let hint = "put the data folder elsewhere: every deployment would copy the ones before";
        cx.report(&CONFLICT, place, message, hint);
    }
}
