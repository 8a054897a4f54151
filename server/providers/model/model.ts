import type { ModelMessage } from "ai";

/** A tool that is offered to a model. */
export interface OfferedTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  inputSchema: Record<string, unknown>;
}

/** A request to a model for one response, which may call several tools. */
export interface ModelRequest {
  instructions: string;
  messages: ModelMessage[];
  tools: OfferedTool[];
  /** The maximum number of tokens in the response. */
  maxOutputTokens: number;
}

/** A tool call that a model requests; it has not been made yet. */
export interface ToolCall {
  id: string;
  name: string;
  /** Its arguments; as text if they are not valid JSON. */
  input: unknown;
  /** True if the arguments could be parsed. */
  readable: boolean;
}

export interface Tokens {
  inputTokens: number;
  outputTokens: number;
}

export interface ModelAnswer {
  text: string;
  toolCalls: ToolCall[];
  /** The endpoint's count of tokens, else an estimate. */
  usage: Tokens;
  finishReason: "stop" | "length" | "tool_calls" | "content_filter" | "other";
}

/** A language model, as agents use it. */
export interface Model {
  /** Requests one response without retries; throws a `ModelError`. `write` gets the text as it arrives. */
  answer(request: ModelRequest, signal: AbortSignal, write?: (text: string) => void): Promise<ModelAnswer>;
}

/**
 * Why a model did not respond: `unreachable` (not asked, or unable to respond now), `limiting` (ask later), `denied`
 * (the credential), `broken` (the response violates the protocol), `lost` (asked, and the response never ended).
 */
export type ModelFault = "unreachable" | "limiting" | "denied" | "broken" | "lost";

/** A failed model call. It contains nothing of the request, which may be private. */
export class ModelError extends Error {
  readonly fault: ModelFault;
  /** How long the endpoint asked to wait. */
  readonly retryAfterSeconds: number | null;

  constructor(fault: ModelFault, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.name = "ModelError";
    this.fault = fault;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
