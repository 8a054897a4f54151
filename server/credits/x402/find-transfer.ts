import { type Hex, isAddressEqual, parseEventLogs } from "viem";
import { currentMs } from "#server/base/clock.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { erc20Abi, signedTransferAbi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import type { PaymentRow } from "./payments.ts";

/** The transfer that made a payment. */
export interface Proof {
  transactionHash: Hex;
  logIndex: number;
}

/**
 * The state of a payment on its chain: `paid`; `coming`, in a block that a reorganisation may remove; `open`, nothing
 * yet; `spent`, its nonce was used for another transfer; `expired`, nobody can settle it any more.
 */
export type Finding = { outcome: "coming" | "open" | "spent" | "expired" } | ({ outcome: "paid" } & Proof);

// Nodes refuse to search more blocks at once.
const RANGE = 2000n;
const SANDBOX_MARGIN_MS = 60_000;

/**
 * Looks for the transfer of a payment, at this depth in the chain; by default at the depth that counts as confirmed.
 */
export async function findTransfer(
  chain: Chain,
  payment: PaymentRow,
  depth = chain.confirmations,
): Promise<Finding> {
  return callChain(chain, async (client) => {
    const head = await client.getBlockNumber({ cacheTime: 0 });
    const deepest = head - BigInt(depth) + 1n;
    const used = await findAuthorization(chain, payment, head);
    if (!used) return { outcome: (await hasExpired(chain, payment, deepest)) ? "expired" : "open" };
    if (used.blockNumber > deepest) return { outcome: "coming" };
    const receipt = await client.getTransactionReceipt({ hash: used.transactionHash });
    // One nonce may have been signed for several transfers: only the requested one counts as paid.
    const [own] = parseEventLogs({
      abi: erc20Abi,
      eventName: "Transfer",
      logs: receipt.logs.filter(
        ({ address, logIndex }) => isAddressEqual(address, payment.asset) && logIndex > used.logIndex,
      ),
    });
    const paid =
      receipt.status === "success" &&
      own !== undefined &&
      isAddressEqual(own.args.from, payment.payer) &&
      isAddressEqual(own.args.to, payment.payTo) &&
      own.args.value === BigInt(payment.units);
    if (!paid) return { outcome: "spent" };
    return { outcome: "paid", transactionHash: used.transactionHash, logIndex: own.logIndex };
  });
}

/** Returns the event by which the payment's nonce was used. */
async function findAuthorization({ client }: Chain, payment: PaymentRow, head: bigint) {
  for (let fromBlock = payment.fromBlock; fromBlock <= head; fromBlock += RANGE) {
    const [found] = await client.getContractEvents({
      address: payment.asset,
      abi: signedTransferAbi,
      eventName: "AuthorizationUsed",
      args: { authorizer: payment.payer, nonce: payment.nonce },
      fromBlock,
      toBlock: fromBlock + RANGE - 1n < head ? fromBlock + RANGE - 1n : head,
      strict: true,
    });
    if (found) return found;
  }
  return undefined;
}

/** True if every later block is past the authorization's end. An idle sandbox makes no block to judge by. */
async function hasExpired(chain: Chain, { validBefore }: PaymentRow, deepest: bigint): Promise<boolean> {
  if (chain.sandbox && currentMs() > validBefore.getTime() + SANDBOX_MARGIN_MS) return true;
  if (deepest < 0n) return false;
  const { timestamp } = await chain.client.getBlock({ blockNumber: deepest });
  return Number(timestamp) * 1000 >= validBefore.getTime();
}
