//! The Rust crate `rmcp` lists the tools of the MCP server, searches and reads.

use std::error::Error;

use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{ClientLifecycleMode, ClientServiceExt as _};
use serde_json::{Value, json};
use svc_tests::{server, sites};

use super::clients::check_texts;

#[test]
fn rmcp_lists_searches_and_reads_without_a_session() -> Result<(), Box<dyn Error>> {
    talk(ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    })
}

#[test]
fn rmcp_lists_searches_and_reads_after_initialize() -> Result<(), Box<dyn Error>> {
    talk(ClientLifecycleMode::Initialize)
}

fn talk(lifecycle: ClientLifecycleMode) -> Result<(), Box<dyn Error>> {
    let server = server::start(&sites::docs())?;
    let url = server.url("/mcp");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let transport = StreamableHttpClientTransport::from_uri(url);
        let client = ().serve_with_lifecycle(transport, lifecycle).await?;
        let tools = client.list_all_tools().await?;
        let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
        let search = call("search", json!({"query": "roll back a deployment"}));
        let search = serde_json::to_value(client.call_tool(search).await?)?;
        let read = call("read", json!({"path": "/guides/deployments"}));
        let read = serde_json::to_value(client.call_tool(read).await?)?;
        check_texts(&names, &search, &read);
        assert!(!client.list_all_resources().await?.is_empty());
        client.cancel().await?;
        Ok(())
    })
}

fn call(name: &'static str, arguments: Value) -> CallToolRequestParams {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    CallToolRequestParams::new(name).with_arguments(arguments)
}
