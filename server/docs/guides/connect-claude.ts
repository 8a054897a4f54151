import { code, heading, json, list, type Page, paragraph, shell } from "../page.ts";

/** Returns the guide to connecting Claude, wherever it runs. */
export function connectClaudePage(baseUrl: string): Page {
  const url = `${baseUrl}/mcp`;
  return {
    path: "/docs/connect-claude",
    title: "Connect Claude",
    lead: "Claude works in an account with the access that you give it, until you end that. It needs this address, and no key.",
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
        "On Team and Enterprise plans an owner adds the connector under Organization settings first; then each member connects it for themselves. On phones there is what was added elsewhere.",
      ]),
      code("text", url),
      paragraph(
        "Claude calls it from Anthropic's network, whichever of these you use: the platform has to be reached from the internet, over https. Where it is not, Claude Code still works, for that calls it from your computer.",
      ),
      ...afterwards("Claude"),
      heading("With a key"),
      paragraph(
        "Where no browser is, as in CI, Claude Code takes [a key of its own](/docs/delegation), as narrow as its task and with a `creditsPerDay`:",
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
      `${host} begins with what only reads. When it calls a tool that needs more, it asks you in the browser again, where it is able to; else connect it anew, and allow more.`,
      "What can spend has a daily limit, which you set when you allow it. It never makes keys, and never decides approvals: what needs one waits for a person in the [console](/approvals).",
      "[MCP clients](/docs/mcp) says which tools there are.",
    ]),
    heading("Ending it"),
    paragraph(
      `[Security](/security) lists what you have connected, what it spent today, and when it was last used. Revoke it there, and the next call of ${host} is refused.`,
    ),
  ];
}
