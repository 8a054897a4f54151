import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** The two generations of the protocol, as options of the official client. */
export const GENERATIONS = {
  "2025-11-25": { mode: "legacy" },
  "2026-07-28": { mode: { pin: "2026-07-28" } },
} as const;

export type Generation = keyof typeof GENERATIONS;

/** The result of a tool, in the form that tests compare. */
export interface ToolResult {
  isError: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of an answer by looking into it.
  body: any;
  meta: { status: number; headers: Record<string, string> };
  bytes: number;
}

/** Connects the official client with this key. */
export async function connectMcp(origin: string, key: string, generation: Generation = "2026-07-28") {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: GENERATIONS[generation] });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } }),
  );

  async function call(name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
    const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
    const [content] = result.content;
    return {
      isError: result.isError ?? false,
      text: content?.type === "text" ? content.text : "",
      body: result.structuredContent,
      meta: result._meta as unknown as ToolResult["meta"],
      bytes: Buffer.byteLength(JSON.stringify(result)),
    };
  }

  return { client, call };
}
