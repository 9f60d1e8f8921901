//! `[projects.previews]`: previews of branches and requests.

use std::time::Duration;

use super::HostPattern;
use super::decode::{Cx, Fields};
use super::hosts;
use super::table::{DefaultValue, TableSchema, ValueType, key};

/// Previews of branches and requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewSettings {
    /// The host of each.
    pub host: HostPattern,
    /// Patterns of the branches that get one: `*` stands for any text, `!` in front takes branches
    /// out again. Empty for none.
    pub branches: Vec<String>,
    /// Whether pull and merge requests get one.
    pub requests: bool,
    /// Whether requests from other repositories get one, without scripts and components.
    pub foreign: bool,
    /// How long one stands after the last push.
    pub expire: Duration,
    /// How many stand at once.
    pub max: usize,
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "projects.previews",
    about: "Previews of branches and of pull or merge requests, each at a host of its own that \
            search engines leave alone. Without this table there are none.",
    keys: &[
        key(
            "host",
            ValueType::Text(r"^[^.]*\{preview\}[^.]*\..+$"),
            "The host of each: `{preview}` is the name of the branch or request.",
        )
        .required()
        .example("\"{preview}.previews.example.com\""),
        key(
            "branches",
            ValueType::Texts(""),
            "Branches that get one: `*` stands for any text, `!` in front takes branches out again.",
        )
        .default(DefaultValue::Described("none"))
        .example("[\"*\", \"!wip/*\"]"),
        key("requests", ValueType::Boolean, "Whether pull and merge requests get one.")
            .default(DefaultValue::Boolean(true)),
        key(
            "foreign",
            ValueType::Boolean,
            "Whether requests from other repositories get one. They never run scripts and components.",
        )
        .default(DefaultValue::Boolean(false)),
        key("expire", ValueType::Duration(60), "How long one stands after the last push.")
            .default(DefaultValue::Text("14d")),
        key(
            "most",
            ValueType::Count(1, 1000),
            "How many stand at once; the oldest makes room for a new one.",
        )
        .default(DefaultValue::Count(20)),
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
        let whole = hosts::expand(cx, text, "host", docs_domain)?;
        let read = HostPattern::parse(&whole);
        if read.is_err() {
            let hint =
                "write a host with `{preview}` in its first part: `{preview}.previews.example.com`";
            cx.refuse(text, "host", hint);
        }
        read.ok()
    });
    let branches = cx.texts(fields, "branches").unwrap_or_default();
    let branches = branches.iter().map(|text| text.text.trim().to_owned());
    let branches = branches.collect();
    let (requests, foreign) = (cx.flag(fields, "requests"), cx.flag(fields, "foreign"));
    let (expire, most) = (cx.duration(fields, "expire"), cx.count(fields, "most"));
    Some(PreviewSettings {
        host: host?,
        branches,
        requests,
        foreign,
        expire: expire?,
        max: most?,
    })
}
