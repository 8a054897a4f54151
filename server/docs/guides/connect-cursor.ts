import { heading, json, type Page, paragraph } from "../page.ts";
import { afterwards } from "./connect-claude.ts";

/** Returns the guide to connecting Cursor. */
export function connectCursorPage(baseUrl: string): Page {
  const server = { url: `${baseUrl}/mcp` };
  const config = encodeURIComponent(Buffer.from(JSON.stringify(server)).toString("base64"));
  const install = `cursor://anysphere.cursor-deeplink/mcp/install?name=platform&config=${config}`;
  return {
    path: "/docs/connect-cursor",
    title: "Connect Cursor",
    lead: "Cursor's agent works in an account with the access that you give it. It needs only this address, no key.",
    blocks: [
      heading("Add the server"),
      paragraph(
        `[Add it to Cursor](${install}), or write it into \`.cursor/mcp.json\` of a project, or into \`~/.cursor/mcp.json\` for all of them:`,
      ),
      json({ mcpServers: { platform: server } }),
      heading("Sign in"),
      paragraph(
        "Cursor's settings list the server under MCP as one that needs you to sign in. Choose it there, and decide in the browser what Cursor may do; then allow the browser to open Cursor. Cursor calls the platform from your computer, so a platform that is reachable only from your network works, too.",
      ),
      ...afterwards("Cursor"),
      heading("With a key"),
      paragraph(
        "A key in `API_KEY` replaces the sign-in. Give it [one of its own](/docs/delegation), as narrow as its task and with a `creditsPerDay`:",
      ),
      json({
        mcpServers: { platform: { ...server, headers: { Authorization: "Bearer $" + "{env:API_KEY}" } } },
      }),
    ],
  };
}
