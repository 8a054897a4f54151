import { code, heading, json, list, type Page, paragraph, shell } from "../page.ts";

/** Returns the guide to connecting Claude, wherever it runs. */
export function connectClaudePage(baseUrl: string): Page {
  const url = `${baseUrl}/mcp`;
  return {
    path: "/docs/connect-claude",
    title: "Connect Claude",
    lead: "Claude works in an account with the access that you give it, until you revoke it. It needs only this address, no key.",
    blocks: [
      heading("Claude Code"),
      shell(`claude mcp add --transport http platform ${url}`),
      paragraph(
        "In a session, `/mcp` lists the server: choose Authenticate, and decide in the browser what Claude may do. `--scope user` before the name adds it for all your projects. For everyone who works on a project, commit it as `.mcp.json`; each signs in for themselves:",
      ),
      json({ mcpServers: { platform: { type: "http", url } } }),
      heading("Claude on the web, on the desktop and on phones"),
      list([
        "Under Customize, Connectors, choose Add custom connector, and enter a name and this URL. The fields under Advanced settings stay empty: Claude registers itself.",
        "Choose Connect, and decide in the browser what Claude may do.",
        "On Team and Enterprise plans an owner adds the connector under Organization settings first; then each member connects it for themselves. On phones, use a connector that was added elsewhere.",
      ]),
      code("text", url),
      paragraph(
        "Claude calls it from Anthropic's network, whichever of these you use: the platform must be reachable from the internet, over https. If it is not, Claude Code still works, because it calls the platform from your computer.",
      ),
      ...afterwards("Claude"),
      heading("With a key"),
      paragraph(
        "Without a browser, for example in CI, give Claude Code [a key of its own](/docs/delegation), as narrow as its task and with a `creditsPerDay`:",
      ),
      shell(`claude mcp add --transport http platform ${url} --header "Authorization: Bearer $API_KEY"`),
    ],
  };
}

/** Returns the section for every host, once it is connected. */
export function afterwards(host: string) {
  return [
    heading("What it may do"),
    list([
      `${host} starts with read-only access. When it calls a tool that needs more, it asks you in the browser again if it can; otherwise, connect it again and allow more.`,
      "Access that can spend has a daily limit, which you set when you allow it. It can never create keys or decide approvals: an action that needs one waits for a person in the [console](/approvals).",
      "[MCP clients](/docs/mcp) describes the tools.",
    ]),
    heading("Ending it"),
    paragraph(
      `[Security](/security) lists the apps you have connected, with their spending today and their last use. Revoke the access there, and the next call of ${host} is refused.`,
    ),
  ];
}
