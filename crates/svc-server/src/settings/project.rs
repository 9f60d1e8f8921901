//! `[[projects]]`: one table for each site.

use std::path::Path;
use std::time::Duration;

use svc_data::Node;
use svc_site::{Audience, SiteOptions};

use super::codes::CONFLICT;
use super::decode::{Cx, Fields};
use super::environment::display_path;
use super::hosts::{self, Claims};
use super::table::{DefaultValue, TableSchema, ValueType, key};
use super::{
    CdnSettings, Host, PreviewSettings, ProjectAgentSettings, PullRequestSettings, ReaderSettings,
    SourceSettings, WebhookSettings, base_path, cdn, previews, project_agent, pull_requests,
    readers, source, webhook,
};

/// Default number of deployments that are retained.
pub(super) const DEFAULT_KEEP: usize = 5;

/// A site and its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectSettings {
    /// Unique ID in commands and in the data directory: `[a-z0-9-]{1,63}`.
    pub id: String,
    /// Hosts of the site; not empty. The first one is canonical.
    pub hosts: Vec<Host>,
    /// Whether requests for the other hosts are redirected to the first one.
    pub redirect_hosts: bool,
    /// Source of the files.
    pub source: SourceSettings,
    /// Options of the site.
    pub site: SiteOptions,
    /// Whether errors stop a deployment, as fatal problems always do.
    pub stop_on_errors: bool,
    /// Number of deployments that are retained for rollback, including the live one.
    pub keep: usize,
    /// Interval at which the source is checked for changes; `None` for never.
    pub poll: Option<Duration>,
    /// Webhook of the forge.
    pub webhook: Option<WebhookSettings>,
    /// Previews of branches and pull requests.
    pub previews: Option<PreviewSettings>,
    /// What the forge shows about previews of pull requests.
    pub pull_requests: Option<PullRequestSettings>,
    /// How readers sign in.
    pub readers: Option<ReaderSettings>,
    /// Content delivery network in front of the site; `None` if there is none.
    pub cdn: Option<CdnSettings>,
    /// Repository for agents.
    pub agent: Option<ProjectAgentSettings>,
}

impl ProjectSettings {
    /// Default settings of a project with the required keys.
    pub fn with_defaults(id: &str, host: Host, source: SourceSettings) -> Self {
        Self {
            id: id.to_owned(),
            hosts: vec![host],
            redirect_hosts: false,
            source,
            site: SiteOptions {
                integrations: true,
                ..SiteOptions::default()
            },
            stop_on_errors: false,
            keep: DEFAULT_KEEP,
            poll: None,
            webhook: None,
            previews: None,
            pull_requests: None,
            readers: None,
            cdn: None,
            agent: None,
        }
    }

    /// Whether every page of a preview is only for readers who sign in, although it is not on the
    /// live site.
    pub(crate) fn has_private_previews(&self) -> bool {
        let previews = self.previews.as_ref();
        previews.is_some_and(|previews| !previews.passwords.is_empty())
    }

    /// How readers of the previews sign in: with a password of the previews, if there is one.
    pub(crate) fn preview_readers(&self) -> Option<ReaderSettings> {
        if !self.has_private_previews() {
            return self.readers.clone();
        }
        Some(ReaderSettings {
            private: true,
            passwords: self.previews.as_ref()?.passwords.clone(),
            ..self.readers.clone().unwrap_or_default()
        })
    }
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects",
    about: "One table for each site. The header has two brackets: `[[projects]]`.",
    keys: &[
        key(
            "id",
            ValueType::Text("^[a-z0-9-]{1,63}$"),
            "ID of the project in commands and in the data folder. A project with a changed ID is a new project.",
        )
        .required()
        .example("\"handbook\""),
        key(
            "hosts",
            ValueType::Texts(""),
            "Hosts of the site. The first one is canonical. `{docs_domain}` is replaced by that setting.",
        )
        .required()
        .example("[\"handbook.{docs_domain}\"]"),
        key(
            "redirect_hosts",
            ValueType::Boolean,
            "Whether to redirect the other hosts to the first one.",
        )
        .default(DefaultValue::Boolean(false)),
        key(
            "base_path",
            ValueType::Text(base_path::PATTERN),
            "Path prefix of all URLs of the site.",
        )
        .default(DefaultValue::Described("none, the site starts at `/`"))
        .example("\"/docs\""),
        key(
            "origin",
            ValueType::Text(base_path::ORIGIN),
            "Public origin of the site for canonical URLs, the sitemap and images of shared links. A canonical URL in `docs.json` takes precedence.",
        )
        .default(DefaultValue::Described("the host of the request"))
        .example("\"https://docs.example.com\""),
        key(
            "stop_on_errors",
            ValueType::Boolean,
            "Whether errors stop a deployment. Fatal problems always stop it.",
        )
        .default(DefaultValue::Boolean(false)),
        key(
            "scripts",
            ValueType::Boolean,
            "Whether to use the scripts, style sheets and components of the repository, and the services of `integrations`.",
        )
        .default(DefaultValue::Boolean(true)),
        key(
            "web_fonts",
            ValueType::Boolean,
            "Whether browsers load fonts from the public catalog of web fonts.",
        )
        .default(DefaultValue::Boolean(true)),
        key(
            "serve_protected",
            ValueType::Boolean,
            "Whether to serve protected pages (`public: false`, `groups`, `auth`, `userAuth`) to every reader. Without this and without `[projects.readers]`, they are not served.",
        )
        .default(DefaultValue::Boolean(false)),
        key(
            "keep",
            ValueType::Count(1, 1000),
            "Number of deployments that are kept for rollback, including the live one.",
        )
        .default(DefaultValue::Described("the `keep` of the server")),
        key(
            "poll",
            ValueType::Duration(5),
            "Interval at which the source is checked for changes.",
        )
        .default(DefaultValue::Described("never"))
        .example("\"5m\""),
        key(
            "source",
            ValueType::Table(&source::TABLE),
            "Source of the files.",
        )
        .required(),
        key(
            "webhook",
            ValueType::Table(&webhook::TABLE),
            "Webhook of the forge.",
        ),
        key(
            "previews",
            ValueType::Table(&previews::TABLE),
            "Previews of branches and pull requests.",
        ),
        key(
            "pull_requests",
            ValueType::Table(&pull_requests::TABLE),
            "What the forge shows about the previews of pull requests.",
        ),
        key(
            "readers",
            ValueType::Table(&readers::TABLE),
            "How readers sign in.",
        ),
        key(
            "cdn",
            ValueType::Table(&cdn::TABLE),
            "A content delivery network in front of the site.",
        ),
        key(
            "agent",
            ValueType::Table(&project_agent::TABLE),
            "Repository for agents.",
        ),
        key("authentication", ValueType::Reserved, "Reserved for a later version."),
    ],
    choices: &[],
};

/// Top-level settings that apply to all projects.
pub(super) struct ServerDefaults<'a> {
    pub(super) docs_domain: Option<&'a str>,
    pub(super) keep: usize,
    pub(super) data: Option<&'a Path>,
    /// Host of the administration, which no site can have.
    pub(super) admin: Option<hosts::SpannedHost>,
    pub(super) has_admin: bool,
    pub(super) has_agent: bool,
    /// Whether there are `trusted_proxies`.
    pub(super) has_proxies: bool,
}

/// Decodes all projects; one with an error is left out.
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
            let span = inside.map_or(fields.span, |node| node.span);
            (previews.host.clone(), span)
        }),
    };
    check_combination(cx, fields, source.as_ref(), common);
    let pull_requests = pull_requests::decode(cx, fields, source.as_ref());
    let agent = project_agent::decode(cx, fields, source.as_ref());
    let readers = readers::decode(cx, fields, (common.has_proxies, common.has_admin));
    let project = ProjectSettings {
        redirect_hosts: cx.flag(fields, "redirect_hosts"),
        site: site_options(cx, fields, readers.as_ref()),
        stop_on_errors: cx.flag(fields, "stop_on_errors"),
        keep: cx.count(fields, "keep").unwrap_or(common.keep),
        poll: cx.duration(fields, "poll"),
        webhook: webhook::decode(cx, fields),
        previews,
        pull_requests,
        readers,
        cdn: cdn::decode(cx, fields),
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

/// Decodes the options of a site. The relay and image variants are settings of the whole server.
fn site_options(
    cx: &mut Cx<'_>,
    fields: Fields<'_>,
    readers: Option<&ReaderSettings>,
) -> SiteOptions {
    let is_private = readers.is_some_and(|readers| readers.private);
    SiteOptions {
        base_path: base_path::decode(cx, fields),
        origin: base_path::origin(cx, fields),
        without_scripts: !cx.flag(fields, "scripts"),
        integrations: true,
        without_web_fonts: !cx.flag(fields, "web_fonts"),
        audience: match cx.flag(fields, "serve_protected") {
            true => Audience::Trusted,
            false if is_private => Audience::Outsiders,
            false => Audience::Everyone,
        },
        sign_in: readers.is_some(),
        ..SiteOptions::default()
    }
}

fn id(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<String> {
    let text = cx.text(fields, "id")?;
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if text.text.len() > 63 || !text.text.bytes().all(plain) {
        let hint =
            "write 1 to 63 lower case letters, digits and `-`; the ID is the name of a folder";
        cx.refuse(text, "id", hint);
        return None;
    }
    Some(text.text.to_owned())
}

/// Checks settings of a project that depend on each other.
fn check_combination(
    cx: &mut Cx<'_>,
    fields: Fields<'_>,
    source: Option<&SourceSettings>,
    common: &ServerDefaults<'_>,
) {
    let tables = [("[admin]", common.has_admin), ("[agent]", common.has_agent)];
    let missing = tables.iter().find(|(_, exists)| !exists);
    if let Some((table, _)) = missing.filter(|_| fields.has("agent")) {
        let message = format!("`[projects.agent]` has no effect without `{table}`");
        let hint = format!("add a table `{table}`, or remove this one");
        cx.report(&CONFLICT, fields.key_span("agent"), message, hint);
    }
    let tables = [
        ("[admin]", common.has_admin),
        ("[projects.previews]", fields.has("previews")),
    ];
    let missing = tables.iter().find(|(_, exists)| !exists);
    if let Some((table, _)) = missing.filter(|_| fields.has("pull_requests")) {
        let message = format!("`[projects.pull_requests]` has no effect without `{table}`");
        let hint = format!("add a table `{table}`, or remove this one");
        cx.report(&CONFLICT, fields.key_span("pull_requests"), message, hint);
    }
    if fields.has("readers")
        && fields
            .get("serve_protected")
            .is_some_and(|node| node.as_bool() == Some(true))
    {
        let message = "`serve_protected` serves all pages to readers who have not signed in";
        let hint = "remove it, or remove `[projects.readers]`";
        cx.report(&CONFLICT, fields.key_span("serve_protected"), message, hint);
    }
    let Some(SourceSettings::Dir { path, .. }) = source else {
        return;
    };
    for key in ["webhook", "previews", "pull_requests"] {
        if fields.has(key) {
            let message = format!("`{key}` requires a Git repository, but the source is a folder");
            let hint = format!("remove `[projects.{key}]`, or replace `folder` with `git = \"…\"`");
            cx.report(&CONFLICT, fields.key_span(key), message, hint);
        }
    }
    if let Some(data) = common.data.filter(|data| data.starts_with(path)) {
        let span = fields.get("source").and_then(|node| node.get("folder"));
        let span = span.map_or(fields.span, |node| node.span);
        let message = format!(
            "the data folder `{}` is inside of this folder",
            display_path(data)
        );
        let hint = "move the data folder: every deployment would copy the previous ones";
        cx.report(&CONFLICT, span, message, hint);
    }
}
