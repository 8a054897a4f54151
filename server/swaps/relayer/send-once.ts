import { and, asc, eq, gte, inArray, ne, sql } from "drizzle-orm";
import { type Hex, keccak256, type LocalAccount, parseTransaction, type TransactionReceipt } from "viem";
import type { Db } from "#db/client.ts";
import { relayerSends } from "#db/schema/relayer.ts";
import { currentMs } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { log } from "#server/base/log.ts";
import { callChain } from "#server/chains/call-chain.ts";
import type { BridgeCall } from "#server/providers/bridge/bridge.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { raisedFees } from "#server/wallets/transactions/fees.ts";
import { isDeep, readReceipt } from "../chain-state.ts";

type Send = typeof relayerSends.$inferSelect;

/** The status of a call: `done` and `reverted` count at the depth that confirms. */
export type SendStatus = Send["status"];

/** The maximum number of fee raises of one call, by a quarter each. */
const MAX_RAISES = 10;

/**
 * Sends a call of an order once: a call that was signed before is looked up and sent again, never signed anew. Its
 * bytes are stored before they are sent. Null while another call of the relayer is in progress on the chain.
 */
export async function sendOnce(
  db: Db,
  { chain, account }: { chain: Chain; account: LocalAccount },
  { orderId, purpose, call }: { orderId: Hex; purpose: Send["purpose"]; call: BridgeCall },
): Promise<SendStatus | null> {
  const [open] = await openSends(db, chain);
  if (open) return null;
  const mined = await minedBy(chain, account);
  if (await sendRemoved(db, chain, mined)) return null;
  const send = await sign(db, { chain, account }, { orderId, purpose, call });
  await broadcast(chain, send);
  return settleSend(db, chain, send);
}

/** Returns how many transactions of the relayer's the chain has. */
const minedBy = (chain: Chain, { address }: LocalAccount) =>
  callChain(chain, (client) => client.getTransactionCount({ address }));

/** Returns the signed, unsettled calls of a chain, by nonce. */
function openSends(db: Db, { network }: Chain): Promise<Send[]> {
  return db
    .select()
    .from(relayerSends)
    .where(and(eq(relayerSends.network, network), eq(relayerSends.status, "signed")))
    .orderBy(asc(relayerSends.nonce));
}

/** Returns the networks with signed, unsettled calls. */
export async function networksWithOpenSends(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectDistinct({ network: relayerSends.network })
    .from(relayerSends)
    .where(eq(relayerSends.status, "signed"));
  return new Set(rows.map(({ network }) => network));
}

/**
 * Settles the calls in progress on a chain. Calls that the chain has forgotten are sent again; one that stays unmined
 * for too long is signed again for the same nonce, with higher fees.
 */
export async function settleSends(
  db: Db,
  { chain, account, stuckAfterMs }: { chain: Chain; account: LocalAccount; stuckAfterMs: number },
): Promise<void> {
  for (const send of await openSends(db, chain)) {
    if ((await settleSend(db, chain, send)) !== "signed") continue;
    const mined = await minedBy(chain, account);
    if (mined < send.nonce) await sendRemoved(db, chain, mined);
    const isStuck = mined === send.nonce && currentMs() - send.signedAt.getTime() > stuckAfterMs;
    if (mined <= send.nonce) await broadcast(chain, isStuck ? await raise(db, chain, account, send) : send);
    // Another transaction has used its nonce, which only an installation with the same key can have sent.
    else if ((await isUsedBelow(chain, account, send)) && !(await receiptOf(chain, send)))
      await mark(db, send, "lost");
  }
}

/**
 * Sends settled calls again whose nonces the chain has free: each was mined before the next one was signed, and a
 * reorganisation has removed it since. Returns whether there are any; without them no later call is mined.
 */
async function sendRemoved(db: Db, chain: Chain, mined: number): Promise<boolean> {
  const removed = await db
    .select()
    .from(relayerSends)
    .where(
      and(
        eq(relayerSends.network, chain.network),
        gte(relayerSends.nonce, mined),
        inArray(relayerSends.status, ["done", "reverted"]),
      ),
    )
    .orderBy(asc(relayerSends.nonce));
  // As no block has two of them, more are from a chain that was reset, as a sandbox may be.
  if (removed.length === 0 || removed.length > chain.finality) return false;
  for (const send of removed) {
    if (send.status === "done")
      await db
        .update(relayerSends)
        .set({ status: "signed", signedAt: sql`clock_timestamp()` })
        .where(isSend(send));
    await broadcast(chain, send);
  }
  return true;
}

/** True if the send's nonce is used below the blocks that count as confirmed: a node may lack receipts of newer ones. */
async function isUsedBelow(chain: Chain, { address }: LocalAccount, { nonce }: Send): Promise<boolean> {
  const head = await callChain(chain, (client) => client.getBlockNumber({ cacheTime: 0 }));
  const blockNumber = head - BigInt(chain.confirmations);
  if (blockNumber < 0n) return false;
  return (await callChain(chain, (client) => client.getTransactionCount({ address, blockNumber }))) > nonce;
}

/** Signs the same call for the same nonce with higher fees: the chain accepts only one of the two. */
async function raise(db: Db, chain: Chain, account: LocalAccount, send: Send): Promise<Send> {
  if (send.earlierHashes.length >= MAX_RAISES) return send;
  const last = parseTransaction(rawOf(send));
  const { chainId, nonce, to, value, data, gas } = last;
  const now = await callChain(chain, (client) => client.estimateFeesPerGas());
  const raised = raisedFees(
    chain,
    { maxFee: last.maxFeePerGas ?? 0n, priorityFee: last.maxPriorityFeePerGas ?? 0n },
    { maxFee: now.maxFeePerGas, priorityFee: now.maxPriorityFeePerGas },
  );
  if (!raised) return send;
  const fees = { maxFeePerGas: raised.maxFee, maxPriorityFeePerGas: raised.priorityFee };
  const call = { chainId, nonce, to, value, data, gas };
  const raw = await account.signTransaction({ ...call, ...fees, type: "eip1559" });
  const [row] = await db
    .update(relayerSends)
    .set({
      hash: keccak256(raw),
      raw: bytesOf(raw),
      signedAt: sql`clock_timestamp()`,
      earlierHashes: [...send.earlierHashes, send.hash],
    })
    .where(and(isSend(send), eq(relayerSends.hash, send.hash)))
    .returning();
  return row ?? send;
}

async function sign(
  db: Db,
  { chain, account }: { chain: Chain; account: LocalAccount },
  { orderId, purpose, call }: { orderId: Hex; purpose: Send["purpose"]; call: BridgeCall },
): Promise<Send> {
  const [nonce, fees] = await Promise.all([
    callChain(chain, (client) => client.getTransactionCount({ address: account.address })),
    callChain(chain, (client) => client.estimateFeesPerGas()),
  ]);
  const raw = await account.signTransaction({
    type: "eip1559",
    chainId: chain.chainId,
    nonce,
    ...call,
    // Twice the current base fee suffices through six full blocks in a row.
    maxFeePerGas: fees.maxFeePerGas * 2n,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  });
  return db.transaction(async (tx) => {
    // Rows at this nonce or above are from a chain that was reset, as a sandbox may be.
    await tx
      .delete(relayerSends)
      .where(
        and(
          eq(relayerSends.network, chain.network),
          gte(relayerSends.nonce, nonce),
          ne(relayerSends.status, "signed"),
        ),
      );
    const [row] = await tx
      .insert(relayerSends)
      .values({
        network: chain.network,
        nonce,
        orderId,
        purpose,
        hash: keccak256(raw),
        status: "signed",
        raw: bytesOf(raw),
        signedAt: sql`clock_timestamp()`,
      })
      .returning();
    return defined(row);
  });
}

const bytesOf = (raw: Hex) => Buffer.from(raw.slice(2), "hex");
const rawOf = ({ raw }: Send) => `0x02${Buffer.from(raw).toString("hex").slice(2)}` as const;

async function broadcast(chain: Chain, send: Send): Promise<void> {
  const serializedTransaction = rawOf(send);
  await callChain(chain, (client) => client.sendRawTransaction({ serializedTransaction })).catch((error) =>
    // It is no fault if the chain has it already; the receipt will tell.
    log.warn("A chain did not take the relayer's transaction.", {
      network: chain.network,
      hash: send.hash,
      error,
    }),
  );
}

async function settleSend(db: Db, chain: Chain, send: Send): Promise<SendStatus> {
  const receipt = await receiptOf(chain, send);
  if (!receipt || !(await isDeep(chain, receipt.blockNumber))) return "signed";
  return mark(db, send, receipt.status === "success" ? "done" : "reverted");
}

/** Returns the receipt of the version that the chain accepted, trying the newest first. */
async function receiptOf(chain: Chain, send: Send): Promise<TransactionReceipt | null> {
  for (const hash of [send.hash, ...send.earlierHashes.toReversed()]) {
    const receipt = await readReceipt(chain, hash);
    if (receipt) return receipt;
  }
  return null;
}

async function mark(db: Db, send: Send, status: SendStatus): Promise<SendStatus> {
  await db.update(relayerSends).set({ status }).where(isSend(send));
  return status;
}

const isSend = ({ network, nonce }: Send) =>
  and(eq(relayerSends.network, network), eq(relayerSends.nonce, nonce));
