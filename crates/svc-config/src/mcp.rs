//! `mcp`: the tools of an MCP server.

use std::collections::BTreeSet;

use svc_diagnostics::Location;

use crate::{
    Children, Element, PageEntry, SiteConfig,
    decode::{Cx, NodeRef},
    keys::{
        ValueKind, key,
        kinds::NonEmpty,
        object,
        shape::{Definition, Shape},
    },
};

/// Maximum depth of elements that are visited; deeper ones have no pages either.
const MAX_DEPTH: usize = 48;

/// `mcp`: a file with the response of an MCP server to `tools/list`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpRef {
    /// Path relative to the root of the repository, without leading slash.
    pub source: String,
    /// `directory`: the output folder of the pages of tools.
    pub directory: Option<String>,
    /// Location of the path.
    pub location: Location,
}

object! {
    struct McpKeys {
        /// Path of the file.
        source: Option<String> = key::<NonEmpty>("source").expected(),
        /// Folder of the generated pages.
        directory: Option<String> = key::<NonEmpty>("directory").default("\"mcp-tools\""),
    }
}

impl ValueKind for McpRef {
    type Value = Self;

    const DEFINITION: Option<Definition> = Some(Definition::new(
        "mcp",
        "Tools of an MCP server",
        "The path of a JSON file with the response of the server to `tools/list`, or an object that also sets the folder of generated pages.",
    ));

    fn shape() -> Shape {
        Shape::Any(vec![Shape::NonEmpty, McpKeys::shape()])
    }

    fn decode(cx: &mut Cx, at: &NodeRef<'_>) -> Option<Self> {
        if at.is_string() {
            let source = cx.non_empty_string(at)?;
            return Some(Self::new(cx, at, &source, None));
        }
        if !at.is_object() {
            cx.type_mismatch(at, "a string or an object with `source`");
            return None;
        }
        let fields = cx.object(at, McpKeys::NAMES)?;
        let keys = McpKeys::read(cx, &fields)?;
        let at = fields.get("source")?;
        Some(Self::new(cx, &at, &keys.source?, keys.directory))
    }
}

impl McpRef {
    fn new(cx: &Cx, at: &NodeRef<'_>, source: &str, directory: Option<String>) -> Self {
        let path = source.trim().trim_start_matches("./");
        Self {
            source: path.trim_start_matches('/').to_owned(),
            directory,
            location: cx.location_of(at),
        }
    }
}

impl SiteConfig {
    /// The files with tools of MCP servers that the navigation names.
    ///
    /// ```
    /// use svc_config::{SourceFile, parse};
    /// let text = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#070"},
    ///     "navigation": {"groups": [{"group": "Tools", "mcp": "/tools.json"}]}}"##;
    /// let site = parse(&SourceFile::new("docs.json", text), &|_| None).value.expect("a site");
    /// assert_eq!(site.tool_lists().into_iter().collect::<Vec<_>>(), ["tools.json"]);
    /// ```
    pub fn tool_lists(&self) -> BTreeSet<&str> {
        let mut paths = BTreeSet::new();
        for_each_element(&self.navigation.children, MAX_DEPTH, &mut |element| {
            paths.extend(element.mcp.as_ref().map(|mcp| mcp.source.as_str()));
        });
        paths
    }

    /// The OpenAPI documents that the configuration names, as they are written: paths of the
    /// repository and URLs.
    ///
    /// ```
    /// use svc_config::{SourceFile, parse};
    /// let text = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#070"},
    ///     "navigation": {"groups": [{"group": "API", "openapi": "/api.yaml"}]}}"##;
    /// let site = parse(&SourceFile::new("docs.json", text), &|_| None).value.expect("a site");
    /// assert_eq!(site.openapi_documents().into_iter().collect::<Vec<_>>(), ["/api.yaml"]);
    /// ```
    pub fn openapi_documents(&self) -> BTreeSet<&str> {
        let own = self.api.openapi.iter().flat_map(|openapi| &openapi.sources);
        let mut paths: BTreeSet<&str> = own.map(String::as_str).collect();
        for_each_element(&self.navigation.children, MAX_DEPTH, &mut |element| {
            let sources = element.openapi.iter().flat_map(|openapi| &openapi.sources);
            paths.extend(sources.map(String::as_str));
        });
        paths
    }
}

fn for_each_element<'a>(children: &'a Children, depth: usize, visit: &mut dyn FnMut(&'a Element)) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    let mut element = |element: &'a Element| {
        visit(element);
        for_each_element(&element.children, depth, visit);
    };
    match children {
        Children::None => {}
        Children::Pages(entries) => entries.iter().for_each(|entry| match entry {
            PageEntry::Page(_) => {}
            PageEntry::Group(group) => element(group),
        }),
        Children::Elements(_, elements) => elements.iter().for_each(element),
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{errors_in_navigation, in_navigation};

    #[test]
    fn tools_are_named_by_a_path_and_have_a_folder() {
        let text = r#"{"tabs":[{"tab":"A","mcp":"./a.json","directory":"tools"},
            {"tab":"B","mcp":{"source":"/b.json","directory":"more"},"groups":[{"group":"C","mcp":"b.json","directory":"card"}]}]}"#;
        let checked = in_navigation(text);
        assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
        let site = checked.value.unwrap();
        let crate::Children::Elements(_, tabs) = &site.navigation.children else {
            panic!("there are tabs");
        };
        let mcp = |tab: usize| tabs[tab].mcp.as_ref().unwrap();
        assert_eq!(mcp(0).directory.as_deref(), Some("tools"));
        assert_eq!(mcp(1).directory.as_deref(), Some("more"));
        assert!(site.tool_lists().into_iter().eq(["a.json", "b.json"]));
    }

    #[test]
    fn other_types_are_errors() {
        for (value, expected) in [
            ("[\"a.json\"]", "/navigation/groups/0/mcp config-type"),
            ("{}", "/navigation/groups/0/mcp/source config-missing"),
        ] {
            let text = format!("{{\"groups\":[{{\"group\":\"A\",\"mcp\":{value}}}]}}");
            assert_eq!(errors_in_navigation(&text), [expected]);
        }
    }
}
