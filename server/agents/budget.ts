import type { Tokens } from "#server/providers/model/model.ts";
import type { FinishReason } from "./schema.ts";

/** The limits of a run, and the price of a thousand tokens. */
export interface Bounds {
  maxTokens: number;
  maxCredits: number;
  creditsPerThousandTokens: number;
}

/**
 * Returns the budget that keeps a run within its tokens and credits. It depends on its input only, so a replay makes
 * the same decisions.
 */
export function createBudget({ maxTokens, maxCredits, creditsPerThousandTokens: rate }: Bounds) {
  const used: Tokens = { inputTokens: 0, outputTokens: 0 };
  let lastInput = 0;
  let toolCredits = 0;
  const total = () => used.inputTokens + used.outputTokens;
  const creditsFor = (tokens: number) => Math.ceil((tokens * rate) / 1000);
  const affordableTokens = () =>
    rate === 0 ? Number.POSITIVE_INFINITY : Math.floor(((maxCredits - toolCredits) * 1000) / rate);

  return {
    used: (): Tokens => ({ ...used }),

    /** Returns the price of these tokens, capped at the credits that the tools have left of the run's. */
    tokenCredits: (tokens: number): number =>
      Math.max(0, Math.min(creditsFor(tokens), maxCredits - toolCredits)),

    /**
     * Returns the maximum length of the model's next response, or the limit that leaves no room for one. The prompt
     * grows from call to call, so it is assumed to be at least as long as the last one.
     */
    nextAnswer(): { maxOutputTokens: number } | { stop: FinishReason } {
      const sent = total() + lastInput;
      if (sent >= maxTokens) return { stop: "max_tokens" };
      if (sent >= affordableTokens()) return { stop: "max_credits" };
      return { maxOutputTokens: Math.min(maxTokens, affordableTokens()) - sent };
    },

    /** Adds the tokens that a model call used. */
    use({ inputTokens, outputTokens }: Tokens): void {
      used.inputTokens += inputTokens;
      used.outputTokens += outputTokens;
      lastInput = inputTokens;
    },

    /** Returns the limit that cut the model's response short, if one of these did. */
    cutBy(): FinishReason {
      if (total() >= maxTokens) return "max_tokens";
      return total() >= affordableTokens() ? "max_credits" : "length";
    },

    /** Returns the credits left for tools. */
    left: (): number => Math.max(0, maxCredits - toolCredits - creditsFor(total())),

    /** Reserves the maximum price of a tool call; false if it would exceed the run's credits. */
    reserve(credits: number): boolean {
      if (credits > 0 && creditsFor(total()) + toolCredits + credits > maxCredits) return false;
      toolCredits += credits;
      return true;
    },

    /** Returns the reserved credits that a tool was not charged. */
    release(credits: number): void {
      toolCredits -= credits;
    },
  };
}

export type Budget = ReturnType<typeof createBudget>;
