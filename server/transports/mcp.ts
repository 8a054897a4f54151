import { createMcpHandler } from "@modelcontextprotocol/server";
import {
  fromFetchResponse,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  reply,
  toFetchRequest,
} from "#server/base/http-message.ts";
import { newId } from "#server/base/ids.ts";
import { type CatalogueAction, catalogueActions, denialsOf } from "#server/catalogue/actions.ts";
import { admitMessage } from "#server/mcp/admit-message.ts";
import { mcpServerFor } from "#server/mcp/mcp-server.ts";
import type { Message } from "#server/mcp/tool.ts";
import { toolsOf } from "#server/mcp/tools.ts";
import type { CallResponse } from "#server/operation/call-response.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, errorBody } from "#server/operation/errors.ts";
import { toNumbers } from "#server/operation/exact-numbers.ts";
import { execute } from "#server/operation/execute.ts";
import { asApiError } from "#server/operation/faults.ts";
import { MESSAGE_DEPTH, readJsonBody } from "#server/operation/json-body.ts";
import type { Operation } from "#server/operation/operation.ts";
import { errorResponse } from "#server/operation/response.ts";
import { operations } from "#server/operations.ts";
import { platform } from "#server/platform.ts";
import { queryOf, refuseCredentialInUrl, senderOf } from "./request.ts";
import { respond } from "./respond.ts";

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/**
 * Returns the handler of `/mcp` over these operations. It keeps no state between requests, so any node serves any
 * request, in both protocol generations. `build` creates the server for one message.
 */
export function createMcpRoute(all: readonly Operation[], build = mcpServerFor): HttpHandler {
  const served = all.filter((operation) => operation.surfaces.includes("mcp"));

  return async function handle(request) {
    const requestId = newId("request");
    try {
      refuseElsewhere(request);
      const { answer, message } = await admit(request, requestId);
      if (!message) return respond(request, answer, requestId);
      const body = await readMessage(request).catch((reason) => asApiError(reason, requestId));
      if (body instanceof ApiError) return refuseMessage(body, answer, requestId);
      const response = await speak(request, body, message);
      if (message.challenge && asksFor(body, "tools/call")) {
        if (response.body instanceof ReadableStream) void response.body.cancel();
        return respond(request, message.challenge.answer, message.challenge.requestId);
      }
      return withHeaders(response, { ...answer.headers, "x-request-id": requestId });
    } catch (reason) {
      return respond(request, errorResponse(asApiError(reason, requestId), requestId), requestId);
    }
  };

  async function admit(request: HttpRequest, requestId: string) {
    let caller: Caller | undefined;
    const operation = admitMessage((admitted) => {
      caller = admitted;
    });
    const sender = senderOf(request, operation);
    const answer = await execute({
      ...sender,
      operation,
      transport: "mcp",
      requestId,
      params: {},
      readQuery: () => queryOf(new URL(request.url)),
      readBody: async () => undefined,
    });
    const message: Message | null = caller && !answer.error ? { caller, operations: served, sender } : null;
    return { answer, message };
  }

  async function speak(request: HttpRequest, body: unknown, message: Message) {
    const tools = toolsOf(asksForList(body) ? await allowedTo(message) : catalogueActions(served));
    const server = build(message, tools);
    const handler = createMcpHandler(() => server);
    const response = await handler.fetch(toFetchRequest(request), { parsedBody: body });
    const waits = isApp(message.caller) && asksFor(body, "tools/call");
    return fromFetchResponse(waits ? await begun(response) : response);
  }

  // Only the list is reduced to the key's access; a call of a forbidden tool responds with the reason. An app also
  // sees the tools that another consent would allow, since it would otherwise never ask for it.
  async function allowedTo({ caller }: Message) {
    const actions = catalogueActions(served);
    const asked = isApp(caller) ? actions.map(withoutScope) : actions;
    const denials = await denialsOf(platform().database.db, caller, asked);
    return actions.filter((_, nth) => !denials[nth] || denials[nth].check === "limit");
  }
}

/** `/mcp`. */
export const handleMcp = createMcpRoute(operations);

function asksForList(body: unknown): boolean {
  return [body].flat().some((one) => asksFor(one, "tools/list"));
}

/** True if the body is a single message with this method. */
function asksFor(body: unknown, method: string): boolean {
  return (body as { method?: unknown } | null)?.method === method;
}

function isApp(caller: Caller): boolean {
  return caller.type === "key" && caller.isApp === true;
}

/** Returns the action as if it needed only the scope that every app has. */
function withoutScope(action: CatalogueAction): CatalogueAction {
  return { ...action, question: action.question && { ...action.question, scope: "services:read" } };
}

/** Waits for the first bytes: clients of the 2025 protocol get a stream that begins before the tool has run. */
async function begun(response: Response): Promise<Response> {
  if (!response.body) return response;
  const [ahead, body] = response.body.tee();
  const reader = ahead.getReader();
  await reader.read();
  void reader.cancel();
  return new Response(body, response);
}

/** Refuses foreign origins and wrong paths and methods, before the caller is authenticated. */
function refuseElsewhere(request: HttpRequest): void {
  const url = new URL(request.url);
  refuseCredentialInUrl(url);
  if (url.pathname !== "/mcp") throw new ApiError("not_found", `No path ${url.pathname}. MCP is at /mcp.`);
  if (request.method !== "POST") {
    throw new ApiError(
      "method_not_allowed",
      `/mcp has no ${request.method}: it holds no sessions. It has POST.`,
      {
        headers: { allow: "POST" },
      },
    );
  }
  const origin = request.headers.origin;
  const { baseUrl, apiOrigin } = platform().settings;
  const own = new URL(baseUrl).origin;
  if (origin !== undefined && origin !== own && origin !== apiOrigin) {
    throw new ApiError(
      "policy_denied",
      `The Origin ${origin} is foreign. A browser may call /mcp from ${own} only.`,
    );
  }
}

async function readMessage(request: HttpRequest): Promise<unknown> {
  const body = await readJsonBody(request, MESSAGE_DEPTH);
  if (body === undefined) throw new ApiError("invalid_json", "The body is empty. Send a JSON-RPC message.");
  // Operations check the numbers in their own input; JSON-RPC itself knows only doubles.
  return toNumbers(body, "body", [], ["arguments"]);
}

/** Returns the JSON-RPC error for a body that is not a message, with the platform's error as its data. */
function refuseMessage(error: ApiError, { headers }: CallResponse, requestId: string): HttpResponse {
  const data = errorBody(error, requestId, platform().settings.baseUrl);
  const code = error.code === "invalid_json" ? PARSE_ERROR : INVALID_REQUEST;
  return reply(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message: error.message, data } }), {
    status: error.status,
    headers: { ...headers, "content-type": "application/json", "x-request-id": requestId },
  });
}

function withHeaders({ status, headers, body }: HttpResponse, added: Record<string, string>): HttpResponse {
  const { connection, ...kept } = headers;
  return reply(body, { status, headers: { "cache-control": "no-store", ...kept, ...added } });
}
