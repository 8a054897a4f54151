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

/** Returns the node's error in answer to a call; null if the failure is not its answer. */
function answerIn(error: unknown): RpcRequestError | null {
  if (!(error instanceof BaseError) || error.walk((cause) => cause instanceof ChainUnavailable)) return null;
  const answered = error.walk((cause) => cause instanceof RpcRequestError);
  return answered instanceof RpcRequestError ? answered : null;
}

/** Returns the node's refusal; null if the failure is not the node's answer to the call. */
export const answeredWith = (error: unknown): string | null => answerIn(error)?.details ?? null;

/** The code of an error inside a node; with it, some nodes also report that a contract refuses a call. */
const INTERNAL = -32603;
const REFUSED = /revert|insufficient|out of gas|gas required|invalid opcode/i;
/** A timeout is none of them: a contract that never ends causes it each time. */
const TROUBLED =
  /missing trie node|too many|rate limit|capacity|overloaded|temporarily|try again|internal (server )?error|syncing|unavailable/i;

/** True if a node says that it can't try a call at present, and nothing about the call. */
export function isTroubled(error: unknown): boolean {
  const answer = answerIn(error);
  if (!answer || REFUSED.test(answer.details)) return false;
  return answer.code === INTERNAL || TROUBLED.test(answer.details);
}
