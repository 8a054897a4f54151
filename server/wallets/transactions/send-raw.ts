import { BaseError, type Hex, RpcRequestError } from "viem";
import type { Chain } from "#server/providers/chain/chains.ts";
import { ChainUnavailable } from "#server/providers/chain/unavailable.ts";

/**
 * A node's answer to signed bytes: it has them; their nonce is used, by them or by others; or it refuses them as they
 * are.
 */
export type SendResult = { type: "accepted" } | { type: "nonceUsed" } | { type: "refused"; message: string };

const KNOWN = /already known|already imported|already exists|known transaction|already in/i;
const NONCE_USED = /nonce (is )?too low|nonce has already been used|oldnonce/i;

/** Sends signed bytes to the chain; the same ones any number of times. Throws if the outcome is unknown. */
export async function sendRaw({ client }: Chain, raw: Hex): Promise<SendResult> {
  try {
    await client.request({ method: "eth_sendRawTransaction", params: [raw] });
    return { type: "accepted" };
  } catch (error) {
    const message = answeredWith(error);
    if (message === null) throw error;
    if (KNOWN.test(message)) return { type: "accepted" };
    return NONCE_USED.test(message) ? { type: "nonceUsed" } : { type: "refused", message };
  }
}

/** Returns the node's refusal; null if the failure is not the node's answer to the call. */
export function answeredWith(error: unknown): string | null {
  if (!(error instanceof BaseError) || error.walk((cause) => cause instanceof ChainUnavailable)) return null;
  const answered = error.walk((cause) => cause instanceof RpcRequestError);
  return answered instanceof RpcRequestError ? answered.details : null;
}
