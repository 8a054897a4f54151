import {
  type CallToolResult,
  completable,
  fromJsonSchema,
  type GetPromptResult,
  type McpServer,
  ResourceTemplate,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { z } from "zod";

/** A red pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A sound file without any samples. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQAAAAA=";

type Content = CallToolResult["content"][number];

const text = (value: string): Content => ({ type: "text", text: value });
const image: Content = { type: "image", data: PNG, mimeType: "image/png" };
const audio: Content = { type: "audio", data: WAV, mimeType: "audio/wav" };
const embedded = (uri: string): Content => ({
  type: "resource",
  resource: { uri, mimeType: "text/plain", text: "Embedded." },
});

const CONTENT: Record<string, Content[]> = {
  test_simple_text: [text("Simple text.")],
  test_image_content: [image],
  test_audio_content: [audio],
  test_embedded_resource: [embedded("test://embedded-resource")],
  test_multiple_content_types: [text("Mixed."), image, embedded("test://mixed-content-resource")],
};

/** Schemas whose keywords must reach the client unchanged. */
const SCHEMAS: Record<string, StandardSchemaWithJSON> = {
  json_schema_2020_12_tool: fromJsonSchema({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: { address: { $anchor: "addressDef", type: "object", properties: { city: { type: "string" } } } },
    properties: { address: { $ref: "#/$defs/address" }, contact: { enum: ["phone", "email"] } },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contact: { const: "phone" } }, required: ["contact"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  }),
  test_header_parameter: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) }),
};

/** Tools, prompts and resources that the conformance suite looks for by name. */
export function addFixtures(server: McpServer): void {
  for (const [name, content] of Object.entries(CONTENT)) {
    server.registerTool(name, { description: "Answers this content." }, () => ({ content }));
  }
  addTalkingTools(server);
  for (const [name, inputSchema] of Object.entries(SCHEMAS)) {
    server.registerTool(name, { description: "Has this schema.", inputSchema }, () => ({
      content: [text("Understood.")],
    }));
  }
  addPrompts(server);
  addResources(server);
}

function addTalkingTools(server: McpServer): void {
  server.registerTool("test_error_handling", { description: "Fails." }, () => {
    throw new Error("This tool fails.");
  });
  for (const name of ["test_tool_with_logging", "test_logging_tool"]) {
    server.registerTool(
      name,
      { description: "Logs while it works.", inputSchema: z.object({}) },
      async (_, context) => {
        for (const step of ["started", "working", "done"]) await context.mcpReq.log("info", step);
        return { content: [text("Logged.")] };
      },
    );
  }
  server.registerTool(
    "test_tool_with_progress",
    { description: "Tells how far it is.", inputSchema: z.object({}) },
    async (_, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? 0;
      for (const progress of [0, 50, 100]) {
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 100 },
        });
      }
      return { content: [text("Done.")] };
    },
  );
}

function addPrompts(server: McpServer): void {
  const said = (...content: Content[]): GetPromptResult => ({
    messages: content.map((one) => ({ role: "user", content: one })),
  });
  server.registerPrompt("test_simple_prompt", { description: "Simple." }, () => said(text("Simple.")));
  server.registerPrompt("test_prompt_with_image", { description: "With an image." }, () =>
    said(image, text("Look.")),
  );
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "With arguments.",
      argsSchema: z.object({ arg1: completable(z.string(), () => ["paris", "park"]), arg2: z.string() }),
    },
    ({ arg1, arg2 }) => said(text(`arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "With a resource.", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => said(embedded(resourceUri), text("Read it.")),
  );
}

function addResources(server: McpServer): void {
  for (const method of ["resources/subscribe", "resources/unsubscribe"] as const)
    server.server.setRequestHandler(method, () => ({}));
  server.registerResource("static-text", "test://static-text", { mimeType: "text/plain" }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "text/plain", text: "Static." }],
  }));
  server.registerResource("static-binary", "test://static-binary", { mimeType: "image/png" }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "image/png", blob: PNG }],
  }));
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { mimeType: "application/json" },
    (uri, { id }) => ({
      contents: [{ uri: uri.href, mimeType: "application/json", text: JSON.stringify({ id }) }],
    }),
  );
}
