import { heading, json, list, type Page, paragraph, shell } from "../page.ts";

/** Returns the guide for agents' hosts. */
export function mcpPage(baseUrl: string, apiOrigin: string): Page {
  return {
    path: "/docs/mcp",
    title: "MCP clients",
    lead: "Agents use the platform over MCP at `/mcp`, with a person's consent or an API key, and the same decisions.",
    blocks: [
      heading("Connect"),
      paragraph(
        `Most hosts need the URL alone, \`${baseUrl}/mcp\`: they [sign in by OAuth](/docs/connect-an-app), and a person decides in the browser what the agent may do. [Claude](/docs/connect-claude) and [Cursor](/docs/connect-cursor) have pages of their own. VS Code has it in \`.vscode/mcp.json\`:`,
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
        "`search_operations` and `describe_operation` find what there is, and how it is called.",
        "`execute_read` calls what changes nothing; `execute_write` what does, with an `idempotencyKey`. So a host can ask its person before writes alone.",
        "The operations used most have tools of their own. What the key may not do is not listed.",
      ]),
      heading("See it work"),
      shell(
        `curl -s "${apiOrigin}/mcp" \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -H "Accept: application/json, text/event-stream" \\\n  -H "MCP-Protocol-Version: 2025-11-25" \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | grep -o '"name":"search_operations"'`,
      ),
      heading("Limits"),
      list([
        "Every request counts once on `actions.list`, every tool call on its own operation.",
        "A result has at most 100 KB, with `nextCursor` where there is more.",
        "What needs an approval answers so: a person decides in the [console](/approvals), then the agent goes on.",
      ]),
    ],
  };
}
