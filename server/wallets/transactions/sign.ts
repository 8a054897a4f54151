import { keccak256, type LocalAccount } from "viem";
import { currentMs, currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { idOf } from "#server/base/ids.ts";
import type { Failure } from "../executions/kind.ts";
import { feeRefusalOf } from "../network-fees.ts";
import { signerOf } from "../signer.ts";
import { adoptSent } from "./adopt-sent.ts";
import { type Fees, feesOf } from "./fees.ts";
import { type Move, moveTransaction } from "./move-transaction.ts";
import { type Attempt, inFlight, newest, type OpenTransaction } from "./open-transactions.ts";
import { callOf, PLAIN_GAS, precheck } from "./precheck.ts";
import { type Turn, underLock, usedNonces } from "./turn.ts";
import { lacksBlock } from "./watch-chain.ts";

/** Returns the signing account of a sender's wallet; null if the wallet is frozen. */
export function signerFor({ sender }: Turn): LocalAccount | null {
  const { accountId, walletId: id, address, wallet } = sender;
  return wallet.status === "active" ? signerOf({ accountId, id, address, ...wallet }) : null;
}

/** Signs a transaction with this nonce and these fees. A cancelling attempt moves nothing, and only uses the nonce. */
export async function signAttempt(
  { chain, sender }: Turn,
  signer: LocalAccount,
  { row, nonce, gas, fees, cancels }: Choice & { cancels: boolean },
): Promise<Attempt> {
  const { to, value, data } = callOf(row);
  const raw = await signer.signTransaction({
    ...(cancels ? { to: sender.address, value: 0n, gas: PLAIN_GAS } : { to, value, data, gas }),
    type: "eip1559",
    chainId: chain.chainId,
    nonce,
    maxFeePerGas: fees.maxFee,
    maxPriorityFeePerGas: fees.priorityFee,
  });
  const made = { attempt: row.attempts + 1, hash: keccak256(raw), raw, ...fees, cancels };
  return { ...made, signedAt: currentTime(), acceptedAt: null };
}

interface Choice {
  row: OpenTransaction["row"];
  nonce: number;
  gas: bigint;
  fees: Fees;
}

/**
 * Signs the waiting transactions that the wallet can pay for, the oldest first. Each gets the lowest nonce that no other
 * transaction has, so that gaps are filled first. A call that the chain refuses fails unsigned. If unmined transactions may
 * be the reason, it first waits for their receipts, since a node may return a newer nonce than the state in which it tries
 * a call. It waits as well while the block of one of the sender's transactions is missing.
 */
export async function signReserved(turn: Turn): Promise<void> {
  if (turn.open.some(({ row }) => row.status === "reserved")) await adoptSent(turn);
  const waiting = turn.open.filter(({ row }) => row.status === "reserved");
  if (waiting.length === 0) return;
  const flying = inFlight(turn.open, turn.mined);
  // No signed transaction can be mined before this nonce is used, and the one that could use it may be further back.
  const unfilled = flying.every(({ row }) => row.nonce !== turn.mined) && flying.length > 0;
  const unsettled = turn.open.some(({ row }) => row.nonce !== null && row.blockNumber === null);
  const signer = signerFor(turn);
  const [fees, balance, used, checks] = await Promise.all([
    feesOf(turn.chain),
    turn.balance ?? turn.chain.client.getBalance({ address: turn.sender.address }),
    usedNonces(turn),
    Promise.all(waiting.map(({ row }) => precheck(turn.chain, row, unsettled ? "pending" : "latest"))),
  ]);
  let lacking: Promise<boolean> | undefined;
  const isLacking = () => (lacking ??= lacksBlock(turn.db, turn.chain, turn.sender));
  const choices: Choice[] = [];
  let funds = flying.reduce((left, one) => left - costOf(one), balance);
  let nonce = turn.mined;
  for (const [nth, { row }] of waiting.entries()) {
    const check = defined(checks[nth]);
    const failure = !signer ? FROZEN : "failure" in check ? check.failure : null;
    const gas = "gas" in check ? check.gas : 0n;
    const cost = callOf(row).value + gas * fees.maxFee;
    if (row.expiresAt && row.expiresAt.getTime() <= currentMs()) {
      await end(turn, row, { status: "expired" });
    } else if (failure || cost > funds) {
      if (unfilled && choices.length === 0) continue;
      if (unsettled || choices.length > 0 || (await isLacking())) break;
      await end(turn, row, { status: "failed", failure: failure ?? SHORT });
    } else {
      while (used.has(nonce)) nonce += 1;
      choices.push({ row, nonce, gas, fees });
      funds -= cost;
      nonce += 1;
    }
  }
  if (!signer || choices.length === 0) return;
  await storeSigned(turn, signer, choices);
}

const FROZEN: Failure = { code: "wallet_frozen", message: "The wallet is frozen." };
const SHORT: Failure = {
  code: "insufficient_funds",
  message: "The wallet has too little of the native asset for the amount and the network's fee.",
};

/** Returns the maximum that a signed transaction can still take from the wallet. */
function costOf(one: OpenTransaction): bigint {
  return callOf(one.row).value + (one.row.gas ?? 0n) * newest(one).maxFee;
}

async function end(
  turn: Turn,
  row: OpenTransaction["row"],
  change: { status: "failed" | "expired"; failure?: Failure },
): Promise<void> {
  await underLock(turn, (tx) => [moveTransaction(tx, row, change)]);
  turn.open = turn.open.filter((one) => one.row.id !== row.id);
}

async function storeSigned(turn: Turn, signer: LocalAccount, choices: Choice[]): Promise<void> {
  const signed: { row: OpenTransaction["row"]; attempt: Attempt }[] = [];
  const moves: Move[] = [];
  for (const choice of choices) {
    const { row, nonce, gas } = choice;
    const attempt = await signAttempt(turn, signer, { ...choice, cancels: false });
    const { hash, attempt: attempts } = attempt;
    signed.push({ row, attempt });
    moves.push({ row, change: { status: "signed", nonce, gas, hash, attempts, signedAt: attempt.signedAt } });
  }
  const { sender } = turn;
  const next = Math.max(sender.next, ...choices.map(({ nonce }) => nonce + 1));
  let rows: OpenTransaction["row"][];
  try {
    rows = await turn.writer.writeDurable({ sender: { ...sender, next }, signed, moves });
  } catch (reason) {
    return endRefused(turn, choices, reason);
  }
  sender.next = next;
  const tries = new Map(signed.map(({ row, attempt }) => [row.id, [attempt]]));
  const stored = new Map(rows.map((row) => [row.id, { row, tries: tries.get(row.id) ?? [] }]));
  turn.open = turn.open.map((one) => stored.get(one.row.id) ?? one);
}

/** Fails the transactions whose network fee exceeds a limit; the others are signed in the next turn. */
async function endRefused(turn: Turn, choices: readonly Choice[], reason: unknown): Promise<void> {
  const refusal = feeRefusalOf(reason);
  const refused = refusal && choices.find(({ row }) => row.id === idOf("transaction", refusal.transaction));
  if (!refused) throw reason;
  const failure: Failure = { code: "policy_denied", message: refusal.message };
  await end(turn, refused.row, { status: "failed", failure });
}
