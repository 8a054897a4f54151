import type { Tokens } from "#server/providers/model/model.ts";
import type { FinishReason } from "./schema.ts";

/** The bounds of a run, and what a thousand of its tokens cost. */
export interface Bounds {
  maxTokens: number;
  maxCredits: number;
  creditsPerThousandTokens: number;
}

/** Keeps a run within its tokens and credits. It knows nothing but its input, so a replay decides the same. */
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

    /** What so many tokens cost: never more than what the tools have left of the run's credits. */
    tokenCredits: (tokens: number): number =>
      Math.max(0, Math.min(creditsFor(tokens), maxCredits - toolCredits)),

    /**
     * How long the model's next answer may be, or the bound that leaves it no room. What it is sent grows from call to
     * call, so it is at least as long as the last time.
     */
    nextAnswer(): { maxOutputTokens: number } | { stop: FinishReason } {
      const sent = total() + lastInput;
      if (sent >= maxTokens) return { stop: "max_tokens" };
      if (sent >= affordableTokens()) return { stop: "max_credits" };
      return { maxOutputTokens: Math.min(maxTokens, affordableTokens()) - sent };
    },

    /** Notes what a model call used. */
    use({ inputTokens, outputTokens }: Tokens): void {
      used.inputTokens += inputTokens;
      used.outputTokens += outputTokens;
      lastInput = inputTokens;
    },

    /** The bound that cut the model's answer short, if it was one of these. */
    cutBy(): FinishReason {
      if (total() >= maxTokens) return "max_tokens";
      return total() >= affordableTokens() ? "max_credits" : "length";
    },

    /** What is left for tools. */
    left: (): number => Math.max(0, maxCredits - toolCredits - creditsFor(total())),

    /** Sets aside what a tool may be charged; false where it would pass the run's credits. */
    reserve(credits: number): boolean {
      if (credits > 0 && creditsFor(total()) + toolCredits + credits > maxCredits) return false;
      toolCredits += credits;
      return true;
    },

    /** Returns what a tool was not charged after all. */
    release(credits: number): void {
      toolCredits -= credits;
    },
  };
}

export type Budget = ReturnType<typeof createBudget>;
