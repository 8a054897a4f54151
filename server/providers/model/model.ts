import type { ModelMessage } from "ai";

/** A tool as it is offered to a model. */
export interface OfferedTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  inputSchema: Record<string, unknown>;
}

/** What a model is asked: one answer, in which it may call several tools. */
export interface ModelRequest {
  instructions: string;
  messages: ModelMessage[];
  tools: OfferedTool[];
  /** The most tokens that it may answer with. */
  maxOutputTokens: number;
}

/** A call that a model asks for. It has made nothing happen yet. */
export interface ToolCall {
  id: string;
  name: string;
  /** Its arguments; what was sent, as text, where that is no JSON. */
  input: unknown;
  /** Whether the arguments could be read. */
  readable: boolean;
}

export interface Tokens {
  inputTokens: number;
  outputTokens: number;
}

export interface ModelAnswer {
  text: string;
  toolCalls: ToolCall[];
  /** As the endpoint counted; an estimate where it does not say. */
  usage: Tokens;
  finishReason: "stop" | "length" | "tool_calls" | "content_filter" | "other";
}

/** A language model somewhere, as agents see it. */
export interface Model {
  /** Answers once, without trying again; throws a `ModelError`. `write` gets the text as it comes. */
  answer(request: ModelRequest, signal: AbortSignal, write?: (text: string) => void): Promise<ModelAnswer>;
}

/**
 * Why a model did not answer: `unreachable` (never asked, or not able to answer now), `limiting` (ask later), `denied`
 * (the credential), `broken` (it answered otherwise than the protocol says), `lost` (asked, and its answer never came
 * to an end).
 */
export type ModelFault = "unreachable" | "limiting" | "denied" | "broken" | "lost";

/** A failed call of a model. It says nothing of what was asked, which may be private. */
export class ModelError extends Error {
  readonly fault: ModelFault;
  /** How long the endpoint asks to wait. */
  readonly retryAfterSeconds: number | null;

  constructor(fault: ModelFault, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.name = "ModelError";
    this.fault = fault;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
