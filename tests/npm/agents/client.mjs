// Lists the tools of an MCP server, searches and reads with the npm client of the version 2026-07-28.
// Arguments: URL of the server, query, path of a page. Prints what it received as JSON.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url, query, path] = process.argv.slice(2);
const client = new Client(
  { name: 'svc-test', version: '1.0.0' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
const search = await client.callTool({ name: 'search', arguments: { query } });
const read = await client.callTool({ name: 'read', arguments: { path } });
const { resources } = await client.listResources();
await client.close();
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), search, read, resources: resources.length }));
