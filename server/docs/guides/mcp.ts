import { heading, json, list, type Page, paragraph, shell } from "../page.ts";

/** Returns the guide for agents' hosts. */
export function mcpPage(baseUrl: string, apiOrigin: string): Page {
  return {
    path: "/docs/mcp",
    title: "MCP clients",
    lead: "Agents use the platform over MCP at `/mcp`, with a person's consent or an API key. The access rules are those of the API.",
    blocks: [
      heading("Connect"),
      paragraph(
        `Most hosts need only the URL, \`${baseUrl}/mcp\`: they [sign in by OAuth](/docs/connect-an-app), and a person decides in the browser what the agent may do. [Claude](/docs/connect-claude) and [Cursor](/docs/connect-cursor) have pages of their own. VS Code reads it from \`.vscode/mcp.json\`:`,
      ),
      json({ servers: { platform: { type: "http", url: `${baseUrl}/mcp` } } }),
      paragraph(
        "Others use Streamable HTTP with a bearer key that has `services:read` and the operation `actions.list`. Most hosts take a configuration like this:",
      ),
      json({
        mcpServers: {
          platform: {
            type: "http",
            url: `${apiOrigin}/mcp`,
            headers: { Authorization: "Bearer $" + "{API_KEY}" },
          },
        },
      }),
      paragraph(
        "Give an agent a key of its own, [as narrow as its task](/docs/delegation), with a `creditsPerDay`.",
      ),
      heading("The tools"),
      list([
        "`search_operations` and `describe_operation` find operations and describe how to call them.",
        "`execute_read` calls operations that change nothing; `execute_write` calls the others, with an `idempotencyKey`. This lets a host ask for confirmation before writes only.",
        "The most used operations have tools of their own. Operations that the key may not use are not listed.",
      ]),
      heading("See it work"),
      shell(
        `curl -s "${apiOrigin}/mcp" \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -H "Accept: application/json, text/event-stream" \\\n  -H "MCP-Protocol-Version: 2025-11-25" \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | grep -o '"name":"search_operations"'`,
      ),
      heading("Limits"),
      list([
        "Every request counts once on `actions.list`, every tool call on its own operation.",
        "A result has at most 100 KB, with `nextCursor` if there is more.",
        "A call that needs an approval says so: a person decides in the [console](/approvals), then the agent continues.",
      ]),
    ],
  };
}
