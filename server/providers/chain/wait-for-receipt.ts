import { setTimeout as sleep } from "node:timers/promises";
import { type Hex, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from "viem";

const POLL_MS = 20;

/**
 * Waits until a transaction is in a block. viem's own waiting asks for the receipt only when a block is added; where
 * blocks come with transactions alone, one receipt that is late by a moment is waited for until the time-out.
 */
export async function waitForReceipt(
  client: Pick<PublicClient, "getTransactionReceipt">,
  hash: Hex,
  milliseconds = 60_000,
): Promise<TransactionReceipt> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    try {
      return await client.getTransactionReceipt({ hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || Date.now() > deadline) throw error;
      await sleep(POLL_MS);
    }
  }
}
