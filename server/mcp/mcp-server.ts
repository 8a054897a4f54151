import {
  McpServer,
  type ServerContext,
  type ServerOptions,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { newId } from "#server/base/ids.ts";
import { asApiError } from "#server/operation/faults.ts";
import type { Progress } from "#server/operation/operation.ts";
import { errorResponse } from "#server/operation/response.ts";
import { platform } from "#server/platform.ts";
import type { Message, Tool } from "./tool.ts";
import { toolResult } from "./tool-result.ts";

const INSTRUCTIONS =
  "The platform's whole API in a few tools. Find an operation with search_operations, read its schema with describe_operation, run it with execute_read or execute_write. Errors name a code, the faulty field and whether anything happened (operationState). A write takes an idempotencyKey: repeat it only to repeat the very same call.";

/** Returns the MCP server for one message. Everything the message calls runs as its sender. */
export function mcpServerFor(message: Message, tools: readonly Tool[], options?: ServerOptions): McpServer {
  const server = new McpServer(
    {
      name: "managed-services",
      title: "Managed services platform",
      version: "1",
      websiteUrl: `${platform().settings.baseUrl}/docs`,
    },
    { capabilities: { tools: { listChanged: false } }, instructions: INSTRUCTIONS, ...options },
  );
  for (const tool of tools) {
    const { name, title, description, annotations } = tool;
    server.registerTool(
      name,
      { title, description, inputSchema: schemaOf(tool), annotations },
      (args, { mcpReq }) => {
        const progress = progressOf(mcpReq);
        const sender = { ...message.sender, ...(progress && { progress }) };
        return runTool(tool, args, message, sender);
      },
    );
  }
  return server;
}

/**
 * Publishes a tool's schema without validating: tools validate themselves, so that faults have the platform's codes
 * and format.
 */
function schemaOf({ inputSchema }: Tool): StandardSchemaWithJSON {
  const jsonSchema = () => inputSchema;
  return {
    "~standard": {
      version: 1,
      vendor: "managed-services",
      jsonSchema: { input: jsonSchema, output: jsonSchema },
      validate: (value) => ({ value }),
    },
  };
}

/** Returns the function by which a waiting tool reports progress, if its caller asks for that. */
function progressOf({ _meta, notify }: ServerContext["mcpReq"]): Progress | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, message) =>
    notify({ method: "notifications/progress", params: { progressToken, progress, message } });
}

async function runTool(tool: Tool, args: unknown, message: Message, sender: Message["sender"]) {
  const requestId = newId("request");
  const answer = await tool
    .run(args, { ...message, sender }, requestId)
    .catch((reason) => errorResponse(asApiError(reason, requestId), requestId));
  if (answer.status === 403 && answer.headers["www-authenticate"]) message.challenge = { answer, requestId };
  return toolResult(answer, requestId, tool.fieldPrefix);
}
