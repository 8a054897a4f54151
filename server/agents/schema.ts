import { z } from "zod";

/** What an agent may be asked and may use; published in `/pricing`. */
export const AGENT_LIMITS = {
  maximumInputCharacters: 100_000,
  maximumInstructionsCharacters: 20_000,
  maximumSteps: 50,
  /** All model calls of a run together, input and output: what the price's maximum pays for. */
  maximumTokens: 200_000,
  maximumCredits: 1_000_000,
  maximumSelectors: 200,
  /** More calls than these in one answer of the model are refused. */
  maximumToolCallsPerStep: 16,
  /** What the model is shown of a tool's answer. */
  maximumToolResultBytes: 16_384,
  /** What it may write as one artifact. */
  maximumArtifactBytes: 1_000_000,
} as const;

const limits = AGENT_LIMITS;

export const Respond = z.strictObject({
  input: z
    .string()
    .trim()
    .min(1, "Say what the agent is to do.")
    .max(limits.maximumInputCharacters)
    .describe("What the agent is to do or answer."),
  instructions: z
    .string()
    .max(limits.maximumInstructionsCharacters)
    .optional()
    .describe("How it is to behave, whatever the input says."),
  tools: z
    .array(z.string().min(1).max(300))
    .max(limits.maximumSelectors)
    .optional()
    .describe(
      "Selectors of the actions that it may use, exact or aggregate, `*` for all; of these it gets those that the key may use at the time. `write_artifact` lets it leave files as artifacts of its run. By default the read-only ones and `write_artifact`.",
    ),
  connectionId: z
    .string()
    .max(200)
    .optional()
    .describe("The connection to a model endpoint of the account's own, instead of the platform's."),
  model: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("The model to ask; by default the endpoint's own default."),
  maxSteps: z
    .int()
    .min(1)
    .max(limits.maximumSteps)
    .default(10)
    .describe("How many times the model is asked at most; the tools that it then calls belong to the step."),
  maxTokens: z
    .int()
    .min(1)
    .max(limits.maximumTokens)
    .default(100_000)
    .describe("How many tokens the model may use in all, input and output."),
  maxCredits: z
    .int()
    .min(0)
    .max(limits.maximumCredits)
    .default(200)
    .describe("What the run's tokens and its tools' charges may come to together."),
  approveWrites: z
    .boolean()
    .default(true)
    .describe("Whether a person approves each call that changes something before it is made."),
});

export type Respond = z.output<typeof Respond>;

const Usage = z.object({
  inputTokens: z.int().describe("Tokens that the model was sent."),
  outputTokens: z.int().describe("Tokens that it answered with."),
});

const ToolUse = z.object({
  tool: z.string().describe("The tool, as the model called it."),
  operation: z.string().nullable().describe("The action behind it; null where there is none."),
  outcome: z
    .enum(["succeeded", "failed", "refused", "rejected"])
    .describe(
      "`refused` was not tried (no such tool, arguments that can't be read, too expensive), `rejected` was not approved.",
    ),
  errorCode: z.string().nullable().describe("Why it did not succeed."),
  chargedCredits: z.int().describe("What it was charged, or may be at most where its work goes on."),
});

export type ToolUse = z.output<typeof ToolUse>;

const AgentStep = z.object({
  text: z.string().describe("What the model said."),
  toolCalls: z.array(ToolUse).describe("What it called, in its order."),
  usage: Usage,
});

export type AgentStep = z.output<typeof AgentStep>;

const FINISH_REASONS = [
  "stop",
  "max_steps",
  "max_tokens",
  "max_credits",
  "length",
  "content_filter",
  "other",
] as const;

export type FinishReason = (typeof FINISH_REASONS)[number];

export const Response = z.object({
  output: z.string().describe("The model's last words."),
  steps: z.array(AgentStep).describe("What it did, model call by model call."),
  usage: Usage.describe("All model calls together."),
  finishReason: z
    .enum(FINISH_REASONS)
    .describe(
      "`stop`: it was done. `max_steps`, `max_tokens`, `max_credits`: that bound was reached. `length`: the model's own bound was.",
    ),
});

export type Response = z.output<typeof Response>;
