//! `[projects.previews]`: previews of branches and pull requests.

use std::time::Duration;

use super::HostPattern;
use super::decode::{Cx, Fields};
use super::hosts;
use super::readers::{self, ReaderCredential};
use super::table::{DefaultValue, TableSchema, ValueType, key};

/// Previews of branches and pull requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewSettings {
    /// Pattern of the hosts.
    pub host: HostPattern,
    /// Patterns of the branches with a preview: `*` matches any text, and a leading `!` excludes
    /// branches. Empty for no branches.
    pub branches: Vec<String>,
    /// Whether pull and merge requests have a preview.
    pub requests: bool,
    /// Whether requests from forks have a preview, without scripts and components.
    pub forks: bool,
    /// Whether pages of previews load the services of `integrations`; those of forks never do.
    pub integrations: bool,
    /// Time after the last push at which a preview is removed.
    pub expire: Duration,
    /// Maximum number of previews.
    pub max: usize,
    /// Whether the host of a preview can be guessed from the name of its branch or the number of
    /// its request.
    pub guessable: bool,
    /// Readers with a password of the previews. If there are any, every page of a preview is only
    /// for readers who sign in.
    pub passwords: Vec<ReaderCredential>,
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects.previews",
    about: "Previews of branches and of pull or merge requests. Each has its own host and is not indexed by search engines. Without this table, previews are disabled.",
    keys: &[
        key(
            "host",
            ValueType::Text(r"^[^.]*\{preview\}[^.]*\..+$"),
            "Host of each preview: `{preview}` is replaced by the name of the branch or request.",
        )
        .required()
        .example("\"{preview}.previews.example.com\""),
        key(
            "branches",
            ValueType::Texts(""),
            "Branches with a preview: `*` matches any text, and a leading `!` excludes branches.",
        )
        .default(DefaultValue::Described("none"))
        .example("[\"*\", \"!wip/*\"]"),
        key("requests", ValueType::Boolean, "Whether pull and merge requests have a preview.")
            .default(DefaultValue::Boolean(true)),
        key(
            "forks",
            ValueType::Boolean,
            "Whether requests from forks have a preview. Scripts and components of forks are never used.",
        )
        .default(DefaultValue::Boolean(false)),
        key(
            "integrations",
            ValueType::Boolean,
            "Whether pages of previews load the services of `integrations` in `docs.json`. Those of forks never do.",
        )
        .default(DefaultValue::Boolean(false)),
        key("expire", ValueType::Duration(60), "Time after the last push at which a preview is removed.")
            .default(DefaultValue::Text("14d")),
        key(
            "max",
            ValueType::Count(1, 1000),
            "Maximum number of previews. A new one replaces the oldest.",
        )
        .default(DefaultValue::Count(20)),
        key(
            "guessable",
            ValueType::Boolean,
            "Whether hosts contain nothing but the name of the branch or the number of the request. Otherwise they have ten more letters and digits, which only those know who know the host.",
        )
        .default(DefaultValue::Boolean(false)),
        key(
            "password_file",
            ValueType::Path,
            "File with a line `NAME:HASH:GROUPS` for each reader of previews, as `svc-server reader password NAME` prints it. All pages of previews are then only for readers who sign in; tokens and headers of `[projects.readers]` are accepted too.",
        )
        .example("\"/etc/svc/previews.passwords\""),
    ],
    choices: &[],
};

pub(super) fn decode(
    cx: &mut Cx<'_>,
    project: Fields<'_>,
    docs_domain: Option<&str>,
) -> Option<PreviewSettings> {
    let fields = cx.open(project.get("previews")?, &TABLE)?;
    let host = cx.text(fields, "host").and_then(|text| {
        let value = hosts::expand(cx, text, "host", docs_domain)?;
        let read = HostPattern::parse(&value);
        if read.is_err() {
            let hint =
                "write a host with `{preview}` in its first label: `{preview}.previews.example.com`";
            cx.refuse(text, "host", hint);
        }
        read.ok()
    });
    let branches = cx.texts(fields, "branches").unwrap_or_default();
    let branches = branches.iter().map(|text| text.text.trim().to_owned());
    let branches = branches.collect();
    let (requests, forks) = (cx.flag(fields, "requests"), cx.flag(fields, "forks"));
    let (guessable, passwords) = (cx.flag(fields, "guessable"), readers::passwords(cx, fields));
    let integrations = cx.flag(fields, "integrations");
    let (expire, max) = (cx.duration(fields, "expire"), cx.count(fields, "max"));
    Some(PreviewSettings {
        host: host?,
        branches,
        requests,
        forks,
        integrations,
        expire: expire?,
        max: max?,
        guessable,
        passwords,
    })
}
