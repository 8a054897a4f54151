import { decodeBridgeCall } from "./decode/bridge.ts";
import { nativeTransfer, undecoded } from "./decode/function.ts";
import { decodeRouterCall } from "./decode/router.ts";
import { decodeTokenCall } from "./decode/token.ts";
import { describeEffects } from "./describe-effects.ts";
import type { Call, Effect } from "./effects.ts";

/** Returns the effects of a call, as far as its bytes show them, and their description. Calls no chain. */
export function decodeCall(call: Call): { effects: Effect[]; description: string } {
  const effects = effectsOf(call);
  return { effects, description: describeEffects(effects, call.chain.tokens) };
}

function effectsOf(call: Call): Effect[] {
  const { to, value, data } = call;
  if (data === "0x") return [nativeTransfer(call)];
  const decoded = decodeRouterCall(call) ?? decodeBridgeCall(call) ?? decodeTokenCall(call);
  if (decoded) return decoded;
  const unknown = undecoded(to, data);
  return value > 0n ? [nativeTransfer(call), unknown] : [unknown];
}
