import { type Abi, type AbiParameter, isAddressEqual } from "viem";
import { bridgeAbi } from "#server/providers/chain/abi.ts";
import type { Call } from "../effects.ts";
import { decodeWith, undecoded } from "./function.ts";
import { batchedCalls, HANDOVERS, SWAPS } from "./router.ts";
import { PERMIT2, PERMIT2_CALLS, TOKEN, WRAPPED } from "./token.ts";

/** A function call with its arguments. */
export interface DecodedCall {
  contract: string;
  /** The function's signature, or its selector if the function is unknown; null for data without one. */
  method: string | null;
  /** Null if the function is unknown. */
  arguments: { name: string; type: string; value: string }[] | null;
}

export const ROUTER = [...SWAPS, ...HANDOVERS];
export const WRAPPED_TOKEN = [...WRAPPED, ...TOKEN];

/**
 * Returns the functions that a call executes, including those of a router's batch; none for a send of the native asset.
 */
export function decodeCalls(call: Call): DecodedCall[] {
  const { chain, to, data } = call;
  if (data === "0x") return [];
  const { router } = chain.contracts.venue ?? {};
  const ofRouter = router !== undefined && isAddressEqual(to, router);
  const abi = ofRouter ? ROUTER : abiOf(call);
  return (ofRouter ? batchedCalls(data) : [data]).map((bytes) => {
    const decoded = decodeWith(abi, bytes);
    if (!decoded) return { contract: to, method: undecoded(to, bytes).method, arguments: null };
    const values = decoded.inputs.flatMap((input, nth) =>
      argumentsOf(input, decoded.args[nth], input.name ?? String(nth)),
    );
    return { contract: to, method: decoded.method, arguments: values };
  });
}

/** Returns the ABI with which the policy decodes calls of this contract. */
function abiOf({ chain, to }: Call): Abi {
  const { bridge, wrappedNative } = chain.contracts;
  if (isAddressEqual(to, PERMIT2)) return PERMIT2_CALLS;
  if (bridge && isAddressEqual(to, bridge)) return bridgeAbi;
  return isAddressEqual(to, wrappedNative) ? WRAPPED_TOKEN : TOKEN;
}

/** Returns a value with its path; a tuple as its parts. */
function argumentsOf(
  input: AbiParameter,
  value: unknown,
  name: string,
): NonNullable<DecodedCall["arguments"]> {
  if (Array.isArray(value) && input.type.endsWith("[]")) {
    const item = { ...input, type: input.type.slice(0, -2) };
    return value.flatMap((each, nth) => argumentsOf(item, each, `${name}[${nth}]`));
  }
  if ("components" in input) {
    const parts: Record<string, unknown> = Object(value);
    return input.components.flatMap((part) => {
      const key = part.name ?? "";
      return argumentsOf(part, parts[key], `${name}.${key}`);
    });
  }
  return [{ name, type: input.type, value: String(value) }];
}
