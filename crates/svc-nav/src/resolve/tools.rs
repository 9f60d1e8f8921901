//! Generated pages of the tools of MCP servers.

use svc_config::{McpRef, remote_url};
use svc_diagnostics::{Diagnostic, did_you_mean};
use svc_openapi::{ApiDocument, Tool, page_path, slugify};
use svc_source::{FrontMatter, canonical_path};

use super::context::{Context, Origin};
use super::{Builder, MAX_NODES, PageKey};
use crate::codes::{MISSING_TOOL, MISSING_TOOL_LIST};
use crate::{NavNode, OperationRef, Route, RouteBody};

/// Default directory of the pages of tools.
const DEFAULT_DIR: &str = "mcp-tools";

/// Maximum number of tools that a hint is chosen from.
const MAX_SUGGESTIONS: usize = 200;

impl<'a> Builder<'a> {
    /// Reports a list of tools that does not exist, and a directory that pages cannot have.
    pub(super) fn check_tools(&mut self, mcp: &McpRef, cx: &Context<'_>) {
        self.check_directory(mcp.directory.as_deref(), &mcp.location);
        let unread = self.catalog.unread.contains(&mcp.source);
        // Why a file cannot be read is reported when it is read.
        if unread || self.catalog.tool_list(&mcp.source).is_some() {
            return;
        }
        let lists = self.catalog.documents.iter();
        let lists = lists.filter(|document| document.is_tool_list());
        let near = did_you_mean(&mcp.source, lists.map(|document| &*document.path));
        let hint = match near {
            _ if remote_url(&mcp.source).is_some() => {
                "save the response of the server to `tools/list` in the repository".to_owned()
            }
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                "write the path of a JSON file relative to the root of the repository".to_owned()
            }
        };
        let message = format!("no file `{}` with MCP tools", mcp.source);
        let problem = Diagnostic::new(&MISSING_TOOL_LIST, message)
            .at(mcp.location.clone())
            .pointer(format!("{}/mcp", cx.pointer))
            .hint(hint);
        self.report(problem);
    }

    /// The inherited list of tools and its index. `None` if there is none.
    fn tool_list(&self, cx: &Context<'a>) -> Option<(usize, &'a ApiDocument)> {
        let at = self.catalog.tool_list(&cx.mcp?.source)?;
        Some((at, self.catalog.documents.get(at)?))
    }

    /// Returns the pages of all inherited tools, in the order of the list.
    pub(super) fn whole_tool_list(&mut self, cx: &Context<'a>) -> Vec<NavNode> {
        let Some((at, document)) = self.tool_list(cx) else {
            return Vec::new();
        };
        if self.next_id + document.tools.len() > MAX_NODES
            && let Some(mcp) = cx.mcp
        {
            self.next_id = MAX_NODES;
            self.is_full(&mcp.location, || format!("{}/mcp", cx.pointer));
            return Vec::new();
        }
        let tools = document.tools.iter();
        tools
            .map(|tool| self.tool(at, tool, cx, Origin::Tool(tool)))
            .collect()
    }

    /// Finds the inherited tool that an entry of `pages` names.
    pub(super) fn find_tool(&self, name: &str, cx: &Context<'a>) -> Option<(usize, &'a Tool)> {
        let (at, document) = self.tool_list(cx)?;
        Some((at, document.tool(cx.relative(name))?))
    }

    /// Returns the diagnostic for an entry that is neither a page nor one of the inherited tools,
    /// without its location. `None` if no tools are inherited.
    pub(super) fn missing_tool(&mut self, name: &str, cx: &Context<'a>) -> Option<Diagnostic> {
        let (_, document) = self.tool_list(cx)?;
        let name = cx.relative(name);
        let near = if self.suggestions > 0 {
            self.suggestions -= 1;
            let tools = document.tools.iter().take(MAX_SUGGESTIONS);
            did_you_mean(name, tools.map(|tool| &*tool.name))
        } else {
            None
        };
        let hint = near.map_or_else(
            || format!("write the name of a tool as in `{}`", document.path),
            |near| format!("did you mean `{near}`?"),
        );
        let message = format!("no tool or page `{name}`");
        Some(Diagnostic::new(&MISSING_TOOL, message).hint(hint))
    }

    /// Creates the node of the page of a tool.
    pub(super) fn tool(
        &mut self,
        document: usize,
        tool: &'a Tool,
        cx: &Context<'a>,
        origin: Origin<'_>,
    ) -> NavNode {
        let slug = self.tool_slug(document, tool, cx);
        let path = canonical_path(&slug);
        let mut route = Route::blank(path, &slug, RouteBody::Generated, tool.title.clone());
        route.operation = Some(OperationRef::Tool {
            document,
            name: tool.name.clone(),
        });
        route.description.clone_from(&tool.description);
        self.apply_context(&mut route, &FrontMatter::default(), Some(cx));
        self.prefer_file(
            &mut route,
            cx,
            Origin::Tool(tool),
            "rename it, or change `directory`",
        );
        self.list(route, None, origin, cx)
    }

    /// Returns the path of the page of a tool without leading slash. It is the same for all entries
    /// of a tool.
    fn tool_slug(&mut self, document: usize, tool: &'a Tool, cx: &Context<'a>) -> String {
        let dir = cx.mcp.and_then(|mcp| mcp.directory.as_deref());
        let dir = dir.unwrap_or(DEFAULT_DIR);
        let key: PageKey<'a> = (cx.root, dir, document, "", tool.name.as_str());
        if let Some(slug) = self.generated.get(&key) {
            return slug.clone();
        }
        let name = match slugify(&tool.name) {
            name if name.is_empty() => "tool".to_owned(),
            name => name,
        };
        let slug = page_path(&format!("{dir}/{name}").to_lowercase());
        let slug = self.unique_slug(cx.below_root(slug));
        self.generated.insert(key, slug.clone());
        slug
    }
}

#[cfg(test)]
mod tests {
    use svc_config::parse;
    use svc_diagnostics::SourceFile;
    use svc_openapi::{ApiCatalog, parse_tools};

    use crate::{OperationRef, SiteMap};

    const TOOLS: &str = r#"{"tools": [
        {"name": "search_docs", "title": "Search", "description": "Finds **pages**.", "inputSchema": {"type": "object"}},
        {"name": "read.page", "inputSchema": {"type": "object"}},
        {"name": "READ.page", "inputSchema": {"type": "object"}}]}"#;

    fn resolve(navigation: &str) -> (SiteMap, Vec<String>) {
        let docs = format!(
            r##"{{"theme": "svc", "name": "Acme", "colors": {{"primary": "#000000"}}, "navigation": {navigation}}}"##
        );
        let config = parse(&SourceFile::new("docs.json", docs.as_str()), &|_| None);
        assert!(config.diagnostics.is_empty(), "{:?}", config.diagnostics);
        let files = [
            ("home.mdx", ""),
            ("read.mdx", ""),
            ("mcp-tools/readpage.mdx", ""),
        ];
        let pages = svc_source::pages(&svc_source::SourceTree::from_files(files)).value;
        let tools = parse_tools(&SourceFile::new("mcp/tools.json", TOOLS)).value;
        let catalog = ApiCatalog::new(tools.into_iter().collect());
        let checked = crate::resolve(&config.value.unwrap(), &pages, &catalog);
        let problem = |problem: &svc_diagnostics::Diagnostic| {
            let pointer = problem.pointer.as_deref().unwrap_or_default();
            format!("{} {pointer}: {}", problem.code.id, problem.message)
        };
        let problems = checked.diagnostics.iter().map(problem).collect();
        (checked.value, problems)
    }

    fn in_navigation(map: &SiteMap) -> Vec<&str> {
        let routes = map.routes.values().filter(|route| route.in_navigation);
        routes.map(|route| route.path.as_str()).collect()
    }

    #[test]
    fn every_tool_of_a_list_has_a_page() {
        let (map, problems) = resolve(
            r#"{"tabs": [{"tab": "A", "pages": ["home"]}, {"tab": "B", "mcp": "mcp/tools.json", "groups": [{"group": "G", "mcp": "mcp/tools.json", "directory": "tools"}]}]}"#,
        );
        assert_eq!(problems, [""; 0]);
        assert_eq!(
            in_navigation(&map),
            [
                "/home",
                "/tools/search_docs",
                "/tools/readpage",
                "/tools/readpage-1"
            ]
        );
        let search = map.route("/tools/search_docs").unwrap();
        assert_eq!(search.title, "Search");
        assert_eq!(search.description.as_deref(), Some("Finds **pages**."));
        assert!(search.visibility.llms && search.visibility.search && search.visibility.sitemap);
        assert_eq!(search.next, map.routes.get_index_of("/tools/readpage"));
        let name = "search_docs".to_owned();
        assert_eq!(
            search.operation,
            Some(OperationRef::Tool { document: 0, name })
        );
    }

    #[test]
    fn pages_select_and_order_tools() {
        let (map, problems) = resolve(
            r#"{"tabs": [{"tab": "A", "mcp": "/mcp/tools.json", "groups": [{"group": "G", "pages": ["read", "READ.page", "search_docs", "serch_docs"]}]}]}"#,
        );
        assert_eq!(
            in_navigation(&map),
            ["/read", "/mcp-tools/readpage", "/mcp-tools/search_docs"]
        );
        assert_eq!(
            problems,
            [
                "nav-duplicate-route /tools/2: `mcp-tools/readpage.mdx` has the same path as a generated page",
                "nav-missing-tool /navigation/tabs/0/groups/0/pages/3: no tool or page `serch_docs`",
            ]
        );
    }

    #[test]
    fn a_missing_list_is_reported_at_its_name() {
        let (map, problems) = resolve(
            r#"{"groups": [{"group": "G", "pages": ["home"]}, {"group": "T", "mcp": {"source": "mcp/tool.json", "directory": "a b"}}]}"#,
        );
        assert_eq!(in_navigation(&map), ["/home"]);
        assert_eq!(
            problems,
            [
                "nav-generated-address : pages cannot be in `a b`; they are in `/ab`",
                "nav-missing-tool-list /navigation/groups/1/mcp: no file `mcp/tool.json` with MCP tools",
            ]
        );
    }
}
