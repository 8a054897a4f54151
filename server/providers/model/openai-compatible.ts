import { ping } from "#server/providers/http/ping.ts";
import { asResponse, safeFetch } from "#server/providers/http/safe-fetch.ts";
import { type Model, type ModelAnswer, ModelError, type ModelRequest } from "./model.ts";

/** The address, model and credential of an OpenAI-compatible endpoint. */
export interface Endpoint {
  /** Ends before `/chat/completions`. */
  baseUrl: string;
  model: string;
  /** Absent if `fetch` applies a credential, or if none is needed. */
  apiKey?: string | undefined;
  fetch: Fetch;
  /** Parses the arguments of a tool call; returns undefined if they cannot be used. */
  parse(json: string): unknown;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** More than any model accepts or returns at once. */
const MAX_TOKENS = 10_000_000;

/** The maximum bytes of a response: far above the size that `maxOutputTokens` allows. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Fetches from the address that the operator chose, whatever it is. */
export function trustedFetch(timeoutSeconds: number): Fetch {
  return async (url, { headers, body, signal }) =>
    asResponse(
      await safeFetch(url, {
        method: "POST",
        headers: Object.fromEntries(new Headers(headers)),
        body: String(body),
        ...(signal && { signal }),
        timeoutMs: timeoutSeconds * 1000,
        maximumBytes: MAX_ANSWER_BYTES,
        trusted: true,
      }),
    );
}

/** Throws if the endpoint does not answer; lists its models, which costs nothing. */
export function checkEndpoint({ baseUrl, apiKey }: Pick<Endpoint, "baseUrl" | "apiKey">): Promise<void> {
  const headers = apiKey === undefined ? undefined : { authorization: `Bearer ${apiKey}` };
  return ping(`${baseUrl.replace(/\/+$/, "")}/models`, headers);
}

/** Returns a model behind any endpoint with OpenAI's chat completions, in their streaming form. */
export function openAiCompatible({ baseUrl, model, apiKey, fetch, parse }: Endpoint): Model {
  return {
    async answer(request, signal, write = () => undefined) {
      // Loaded when the first agent runs: a web process does not need it.
      const [{ createOpenAICompatible }, { streamText, jsonSchema }, { modelError }] = await Promise.all([
        import("@ai-sdk/openai-compatible"),
        import("ai"),
        import("./model-error.ts"),
      ]);
      const provider = createOpenAICompatible({
        name: "model",
        baseURL: baseUrl,
        ...(apiKey !== undefined && { apiKey }),
        includeUsage: true,
        fetch: (url, init) => fetch(String(url), init ?? {}),
      });
      const tools = request.tools.map(({ name, description, inputSchema }) => [
        name,
        { description, inputSchema: jsonSchema(inputSchema) },
      ]);
      try {
        const { stream } = streamText({
          model: provider.chatModel(model),
          instructions: request.instructions,
          messages: request.messages,
          tools: Object.fromEntries(tools),
          maxOutputTokens: request.maxOutputTokens,
          maxRetries: 0,
          abortSignal: signal,
          // Errors are parts of the stream; by default they would also be printed, prompts included.
          onError: () => undefined,
        });
        return await collect(stream as AsyncIterable<Part>, { request, parse, write });
      } catch (reason) {
        signal.throwIfAborted();
        throw modelError(reason);
      }
    },
  };
}

/** The parts of the library's stream that matter here. */
type Part =
  | { type: "text-delta"; text: string }
  | { type: "tool-input-delta"; id: string; delta: string }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: unknown; error?: unknown }
  | { type: "error"; error: unknown }
  | { type: "finish-step"; finishReason: string; usage: { inputTokens?: number; outputTokens?: number } }
  | { type: "other" };

const FINISHED: Record<string, ModelAnswer["finishReason"]> = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
};

async function collect(
  stream: AsyncIterable<Part>,
  {
    request,
    parse,
    write,
  }: Pick<Endpoint, "parse"> & {
    request: ModelRequest;
    write(text: string): void;
  },
): Promise<ModelAnswer> {
  const answer: Pick<ModelAnswer, "text" | "toolCalls"> = { text: "", toolCalls: [] };
  const written = new Map<string, string>();
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta") {
      answer.text += part.text;
      write(part.text);
    }
    if (part.type === "tool-input-delta") written.set(part.id, `${written.get(part.id) ?? ""}${part.delta}`);
    if (part.type === "tool-call") {
      const { toolCallId: id, toolName: name } = part;
      // The library's own parsing rounds numbers, and takes any depth.
      const text = written.get(id) ?? "{}";
      const input = parse(text);
      answer.toolCalls.push({ id, name, input: input ?? text, readable: input !== undefined });
      written.delete(id);
    }
    if (part.type === "finish-step") {
      if (part.finishReason === "error" || part.finishReason === "interrupted")
        throw new ModelError("lost", "Its answer ended half-way.");
      const { inputTokens, outputTokens } = part.usage;
      return {
        ...answer,
        usage: {
          inputTokens: countOf(inputTokens ?? estimate(request)),
          outputTokens: countOf(outputTokens ?? estimate(answer)),
        },
        finishReason: FINISHED[part.finishReason] ?? "other",
      };
    }
  }
  throw new ModelError("lost", "Its answer ended half-way.");
}

/**
 * Endpoints' counts may be wrong: negative ones pay nobody, and nobody is charged for more than a model can process.
 */
function countOf(tokens: number): number {
  return Math.min(Math.max(Math.ceil(tokens) || 0, 0), MAX_TOKENS);
}

/** Estimates tokens for an endpoint that does not count them: four bytes each. */
function estimate(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4);
}
