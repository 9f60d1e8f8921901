//! `contextual`: the menu beside the title of a page.

use std::collections::BTreeSet;

use svc_data::Node;
use svc_diagnostics::{Checked, Diagnostic, Severity, SourceFile};

use crate::{
    Icon, ResolveContext,
    codes::{DUPLICATE, UNSUPPORTED},
    decode::{Cx, NodeRef},
    icons::AnyIcon,
    json_ref,
    keys::{
        ValueKind, key,
        kinds::{ListOf, NonEmpty, StringOr, Text},
        object,
        shape::{List, Shape},
        value_kind,
    },
    link::Link,
    string_enum::string_enum,
};

string_enum! {
    /// Built-in menu entries.
    ContextualAction {
        Copy = "copy",
        Assistant = "assistant",
        View = "view",
        DownloadPdf = "download-pdf",
        DownloadSpec = "download-spec",
        ChatGpt = "chatgpt",
        Claude = "claude",
        Perplexity = "perplexity",
        Grok = "grok",
        AiStudio = "aistudio",
        Devin = "devin",
        Windsurf = "windsurf",
        DevinDesktop = "devin-desktop",
        Mcp = "mcp",
        AddMcp = "add-mcp",
        Cursor = "cursor",
        VsCode = "vscode",
        DevinMcp = "devin-mcp",
    }
}

string_enum! {
    /// `contextual.display`: the position of the menu.
    ContextualDisplay {
        Header = "header",
        Toc = "toc",
    }
}

/// An entry of `contextual.options` with its own text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomOption {
    /// Title of the entry.
    pub title: String,
    /// Line below the title.
    pub description: String,
    /// Icon of the entry.
    pub icon: Option<Icon>,
    /// Link target; may contain the placeholders `$page`, `$path` and `$mcp`.
    pub href: String,
    /// Query parameters, unencoded, that are appended to the target.
    pub query: Vec<(String, String)>,
}

/// An entry of `contextual.options`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContextualOption {
    /// A built-in entry.
    Action(ContextualAction),
    /// An entry that the site defines.
    Custom(CustomOption),
}

object! {
    /// `contextual`: the menu beside the title of a page.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Contextual {
        /// Entries; the first one is the button itself.
        options: Vec<ContextualOption> = key::<ContextualOptions>("options").required()
            .rule("Entries must be unique; an empty list removes the menu."),
        /// Position of the menu.
        display: ContextualDisplay = key::<ContextualDisplay>("display")
            .or(|| ContextualDisplay::Header),
    }
}

object! {
    struct CustomOptionKeys {
        /// Title of a custom entry.
        title: String = key::<NonEmpty>("title").required(),
        /// One line below the title.
        description: String = key::<Text>("description").required(),
        /// Icon.
        icon: Option<Icon> = key::<AnyIcon>("icon"),
        /// Target; `$page`, `$path` and `$mcp` are replaced by the Markdown of the page, its path
        /// and the URL of the MCP server.
        target: Target = key::<StringOr<LinkTarget, Target>>("href").required(),
    }
}

object! {
    struct Target {
        /// Target without the parameters.
        base: String = key::<Link>("base").required(),
        /// Query parameters that are encoded and appended.
        query: Vec<Parameter> = key::<ListOf<Parameter>>("query").or_default(),
    }
}

object! {
    struct Parameter {
        /// Name of the parameter.
        name: String = key::<NonEmpty>("key").required(),
        /// Value of the parameter.
        text: String = key::<Text>("value").required(),
    }
}

value_kind!(LinkTarget -> Target = Link::shape(), |cx, at| {
    Some(Target { base: cx.link(at)?, query: Vec::new() })
});
value_kind!(
    /// Entries; the actions are unique.
    ContextualOptions -> Vec<ContextualOption> = Shape::List(Box::new(List {
        item: StringOr::<ActionOption, CustomOptionObject>::shape(),
        min: 0,
        max: None,
        unique: true,
    })), |cx, at| {
        let mut seen = BTreeSet::new();
        cx.list(at, |cx, at| {
            let option = StringOr::<ActionOption, CustomOptionObject>::decode(cx, at)?;
            if let ContextualOption::Action(action) = &option
                && !seen.insert(*action)
            {
                let message = format!("option `{}` is not unique", action.name());
                cx.report(&DUPLICATE, at, message, "remove one of them");
                cx.fix_by_removing(at);
                return None;
            }
            Some(option)
        })
    }
);
value_kind!(ActionOption -> ContextualOption = ContextualAction::shape(), |cx, at| {
    cx.string_enum(at).map(ContextualOption::Action)
});
value_kind!(CustomOptionObject -> ContextualOption = CustomOptionKeys::shape(), |cx, at| {
    let CustomOptionKeys { title, description, icon, target } = CustomOptionKeys::decode(cx, at)?;
    let query = target.query.into_iter().map(|one| (one.name, one.text)).collect();
    Some(ContextualOption::Custom(CustomOption {
        title,
        description,
        icon,
        href: target.base,
        query,
    }))
});

impl Contextual {
    /// Decodes the field `contextual` of the front matter `fields` of a page in `file`. None if the
    /// field is missing or invalid.
    ///
    /// ```
    /// use svc_config::{Contextual, SourceFile};
    /// use svc_data::{Limits, parse_yaml};
    /// let file = SourceFile::new("page.mdx", "contextual:\n  options: [copy, view]\n");
    /// let fields = parse_yaml(&file, &Limits::default()).value;
    /// let menu = Contextual::from_front_matter(&file, &fields).value;
    /// assert_eq!(menu.map(|menu| menu.options.len()), Some(2));
    /// ```
    pub fn from_front_matter(file: &SourceFile, fields: &Node) -> Checked<Option<Self>> {
        if fields.get("contextual").is_none() {
            return Checked {
                value: None,
                diagnostics: Vec::new(),
            };
        }
        let context = ResolveContext::default();
        let resolved = json_ref::resolve(fields.clone(), file, context.text);
        let mut cx = Cx {
            files: resolved.files,
            failed: resolved.failed,
            diagnostics: resolved.diagnostics,
            deferred: context.deferred_checks(),
        };
        let value = NodeRef::root(&resolved.tree)
            .fields()
            .and_then(|fields| cx.optional(&fields, "contextual", Self::decode));
        // The menu of the site is better than a part of the one that the page requests.
        let wrong = |diagnostic: &Diagnostic| diagnostic.severity >= Severity::Error;
        let value = value.filter(|_| !cx.diagnostics.iter().any(wrong));
        Checked {
            value,
            diagnostics: cx.diagnostics,
        }
    }
}

impl ContextualAction {
    /// Whether the entry needs an MCP server of the site.
    ///
    /// ```
    /// use svc_config::ContextualAction;
    /// assert!(ContextualAction::Cursor.needs_mcp() && !ContextualAction::Copy.needs_mcp());
    /// ```
    pub fn needs_mcp(self) -> bool {
        matches!(
            self,
            Self::Mcp | Self::AddMcp | Self::Cursor | Self::VsCode | Self::DevinMcp
        )
    }
}

impl Contextual {
    /// Reports entries that are not shown.
    pub(crate) fn report_unoffered(&self, cx: &mut Cx, at: &NodeRef<'_>) {
        let is_assistant = |option: &ContextualOption| {
            matches!(
                option,
                ContextualOption::Action(ContextualAction::Assistant)
            )
        };
        if self.options.iter().any(is_assistant) {
            let message = "the menu does not show `assistant`: the site has no chat assistant";
            cx.report(&UNSUPPORTED, at, message, "remove it");
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Contextual, ContextualAction, ContextualOption,
        tests::{errors_of, site_of},
    };

    #[test]
    fn built_in_and_custom_options_have_the_order_of_the_file() {
        let json = r#""contextual":{"display":"toc","options":["view","windsurf",{"title":"a","description":"b","href":{"base":"https://x.com","query":[{"key":"q","value":"$page"}]}}]}"#;
        let contextual = site_of(json).value.unwrap().contextual.unwrap();
        assert_eq!(
            contextual.options[0],
            ContextualOption::Action(ContextualAction::View)
        );
        let ContextualOption::Custom(custom) = &contextual.options[2] else {
            panic!("not custom")
        };
        assert_eq!(custom.query, [("q".to_owned(), "$page".to_owned())]);
    }

    #[test]
    fn the_front_matter_of_a_page_overrides_the_menu() {
        let of = |json: &str| {
            let file = svc_diagnostics::SourceFile::new("a.mdx", json);
            let node = svc_data::parse_json(&file, &svc_data::Limits::default()).value;
            let checked = Contextual::from_front_matter(&file, &node);
            let codes: Vec<String> = checked
                .diagnostics
                .iter()
                .map(|diagnostic| {
                    format!("{} {}", diagnostic.code.id, diagnostic.location_string())
                })
                .collect();
            (checked.value.map(|menu| menu.options.len()), codes)
        };
        assert_eq!(of(r#"{"title": "a"}"#), (None, vec![]));
        assert_eq!(
            of(r#"{"contextual": {"options": ["copy", "view"]}}"#),
            (Some(2), vec![])
        );
        assert_eq!(of(r#"{"contextual": {"options": []}}"#), (Some(0), vec![]));
        assert_eq!(
            of(r#"{"contextual": {"option": []}}"#).1,
            ["config-unknown-key a.mdx:1:17", "config-missing a.mdx:1:16"]
        );
    }

    #[test]
    fn problems_of_the_menu() {
        for (json, expected) in [
            ("{}", "/contextual/options config-missing"),
            (
                r#"{"options":["copy","copy"]}"#,
                "/contextual/options/1 config-duplicate",
            ),
            (
                r#"{"options":["cope"]}"#,
                "/contextual/options/0 config-invalid-value",
            ),
            (r#"{"options":[5]}"#, "/contextual/options/0 config-type"),
            (
                r#"{"options":[{"title":"a","href":"/x"}]}"#,
                "/contextual/options/0/description config-missing",
            ),
            (
                r#"{"options":[{"title":"a","description":"b","href":{}}]}"#,
                "/contextual/options/0/href/base config-missing",
            ),
            (
                r#"{"options":[],"display":"left"}"#,
                "/contextual/display config-invalid-value",
            ),
        ] {
            assert_eq!(errors_of(&format!("\"contextual\":{json}")), [expected]);
        }
    }
}
