import type { walletTransactions } from "#db/schema/transactions.ts";
import { platform } from "#server/platform.ts";
import { type DecodedCall, decodeCalls } from "../decode/calls.ts";
import { decodeCall } from "../decode-call.ts";
import { describeEffects } from "../describe-effects.ts";

type Row = Pick<
  typeof walletTransactions.$inferSelect,
  | ("network" | "direction" | "status" | "from" | "to" | "asset" | "amount")
  | ("callTo" | "callValue" | "callData")
>;

/** Describes what a transaction does, or has done if confirmed: in words, and call by call. */
export function decodedOf(row: Row): { summary: string; calls: DecodedCall[] } {
  const chain = platform().chains.find(row.network);
  const token = chain?.tokens.find(({ asset }) => asset === row.asset);
  const amount = `${row.amount} ${token?.symbol ?? row.asset}`;
  if (row.direction === "in") return { summary: `Received ${amount} from ${row.from}`, calls: [] };
  const done = row.status === "confirmed";
  // Of a chain that the operator has removed since, the contracts and tokens are unknown.
  if (!chain || !row.callTo)
    return { summary: `${done ? "Sent" : "Send"} ${amount} to ${row.to}`, calls: [] };
  const { from, callTo: to, callData } = row;
  const call = { chain, from, to, value: BigInt(row.callValue ?? 0), data: callData ?? "0x" } as const;
  const { effects } = decodeCall(call);
  return {
    summary: describeEffects(effects, chain.tokens, done ? "past" : "present"),
    calls: decodeCalls(call),
  };
}
