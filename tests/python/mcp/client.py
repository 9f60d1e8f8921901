"""Lists the tools of an MCP server, searches and reads with the Python package `mcp`.

Arguments: URL of the server, query, path of a page. Prints what it received as JSON, first for the
version 2026-07-28, then for the older ones.
"""

import asyncio
import json
import sys

from mcp.client import Client


async def ask(url, query, path, mode):
    async with Client(url, mode=mode) as client:
        tools = (await client.list_tools()).tools
        search = await client.call_tool("search", {"query": query})
        read = await client.call_tool("read", {"path": path})
        resources = (await client.list_resources()).resources
    return {
        "tools": [tool.name for tool in tools],
        "search": search.model_dump(mode="json"),
        "read": read.model_dump(mode="json"),
        "resources": len(resources),
    }


async def main():
    url, query, path = sys.argv[1:]
    for mode in ("2026-07-28", "legacy"):
        print(json.dumps(await ask(url, query, path, mode)))


asyncio.run(main())
