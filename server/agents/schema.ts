import { z } from "zod";

/** The limits of agents; published in `/pricing`. */
export const AGENT_LIMITS = {
  maximumInputCharacters: 100_000,
  maximumInstructionsCharacters: 20_000,
  maximumSteps: 50,
  /** The tokens of all model calls of a run, input and output: the maximum price covers them. */
  maximumTokens: 200_000,
  maximumCredits: 1_000_000,
  maximumSelectors: 200,
  /** Further calls in one response of the model are refused. */
  maximumToolCallsPerStep: 16,
  /** The maximum size of a tool's result in the prompt. */
  maximumToolResultBytes: 16_384,
  /** The maximum size of one artifact that the agent writes. */
  maximumArtifactBytes: 1_000_000,
} as const;

const limits = AGENT_LIMITS;

export const Respond = z.strictObject({
  input: z
    .string()
    .trim()
    .min(1, "Say what the agent is to do.")
    .max(limits.maximumInputCharacters)
    .describe("The task or question for the agent."),
  instructions: z
    .string()
    .max(limits.maximumInstructionsCharacters)
    .optional()
    .describe("Instructions that apply whatever the input says."),
  tools: z
    .array(z.string().min(1).max(300))
    .max(limits.maximumSelectors)
    .optional()
    .describe(
      "Selectors of the actions that the agent may use, exact or aggregate, `*` for all; it gets those that the key may use at the time. `write_artifact` lets it write files as artifacts of the run. By default the read-only actions and `write_artifact`.",
    ),
  connectionId: z
    .string()
    .max(200)
    .optional()
    .describe("A connection to your own model endpoint, in place of the platform's."),
  model: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("The model's name; by default the endpoint's default."),
  maxSteps: z
    .int()
    .min(1)
    .max(limits.maximumSteps)
    .default(10)
    .describe("The maximum number of steps: a model call with its tool calls is one step."),
  maxTokens: z
    .int()
    .min(1)
    .max(limits.maximumTokens)
    .default(100_000)
    .describe("The maximum number of tokens of all model calls, input and output."),
  maxCredits: z
    .int()
    .min(0)
    .max(limits.maximumCredits)
    .default(200)
    .describe("The maximum price of the run: its tokens and its tools' charges."),
  approveWrites: z
    .boolean()
    .default(true)
    .describe("True if each call that changes something waits for a person's approval."),
});

export type Respond = z.output<typeof Respond>;

const Usage = z.object({
  inputTokens: z.int().describe("The number of tokens sent to the model."),
  outputTokens: z.int().describe("The number of tokens that the model generated."),
});

const ToolUse = z.object({
  tool: z.string().describe("The tool's name as the model used it."),
  operation: z.string().nullable().describe("The action that the tool runs; null if there is none."),
  outcome: z
    .enum(["succeeded", "failed", "refused", "rejected"])
    .describe(
      "The outcome. `refused`: not tried (unknown tool, unreadable arguments, too expensive). `rejected`: not approved.",
    ),
  errorCode: z.string().nullable().describe("The error code of a call that did not succeed; otherwise null."),
  chargedCredits: z.int().describe("The charged credits, or the maximum while the call's work continues."),
});

export type ToolUse = z.output<typeof ToolUse>;

const AgentStep = z.object({
  text: z.string().describe("The text of the model's response."),
  toolCalls: z.array(ToolUse).describe("The tool calls, in order."),
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

export const AgentResponse = z.object({
  output: z.string().describe("The model's final text."),
  steps: z.array(AgentStep).describe("The steps, one per model call."),
  usage: Usage.describe("The tokens of all model calls together."),
  finishReason: z
    .enum(FINISH_REASONS)
    .describe(
      "Why the agent ended. `stop`: it was done. `max_steps`, `max_tokens`, `max_credits`: this limit was reached. `length`: the model's own limit was reached.",
    ),
});

export type AgentResponse = z.output<typeof AgentResponse>;
