import { formatUnits, isAddressEqual } from "viem";
import type { Token } from "#server/providers/chain/chains.ts";
import type { Effect } from "./effects.ts";

/** The asset as the chain's operator lists it. */
export function tokenOf(tokens: readonly Token[], asset: Effect["asset"]): Token | undefined {
  return tokens.find((token) =>
    asset === null || asset === "native" || token.asset === "native"
      ? token.asset === asset
      : isAddressEqual(token.asset, asset),
  );
}

/** Describes effects, in the present or past tense, for a person who decides. */
export function describeEffects(
  effects: readonly Effect[],
  tokens: readonly Token[],
  tense: "present" | "past" = "present",
): string {
  return effects.map((effect) => sentenceOf(effect, tokenOf(tokens, effect.asset), tense)).join("; ");
}

function sentenceOf(effect: Effect, token: Token | undefined, tense: "present" | "past"): string {
  const past = tense === "past";
  const { type, asset, amount, recipient, contract, method } = effect;
  const spent =
    amount === "unlimited"
      ? `any amount of ${token?.symbol ?? asset}`
      : token
        ? `${formatUnits(amount, token.decimals)} ${token.symbol}`
        : `${amount} of the smallest units of ${asset}`;
  switch (type) {
    case "transfer":
      return `${past ? "Sent" : "Send"} ${spent} to ${recipient}`;
    case "allowance":
      return past ? `Allowed ${recipient} to spend ${spent}` : `Let ${recipient} spend ${spent}`;
    case "call":
      if (!contract) return `${past ? "Signed" : "Sign"} ${method}`;
      return `${past ? "Called" : "Call"} ${method} of ${contract}`;
    case "unknown":
      return `${past ? "Made a call that" : "Make a call that"} can't be decoded: ${method ?? "data without a method"} of ${contract ?? "no contract"}`;
  }
}
