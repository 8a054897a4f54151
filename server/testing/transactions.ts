import type { ChildProcess } from "node:child_process";
import type { ChainSettings } from "#server/providers/chain/chains.ts";
import {
  startTransactionEngine,
  type TransactionEngineOptions,
} from "#server/wallets/transactions/transaction-engine.ts";
import { type Answered, type startApi, unique } from "./api.ts";
import type { Funds, TestChain } from "./chain.ts";
import { startReadyNode } from "./children.ts";
import { stopAtEnd } from "./cleanup.ts";
import { eventually } from "./eventually.ts";
import { type PeerAnswer, startPeer } from "./peer.ts";
import { processPath } from "./program-path.ts";

type Api = Awaited<ReturnType<typeof startApi>>;
/** The functions that call an installation. */
type Caller = Pick<Api, "send" | "mustSend">;
type Sent = Answered["body"];

/** The address of a recipient. */
export const RECIPIENT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** The default send of tests: a hundredth of the native asset. */
export const PLAIN = { network: "eip155:31337", to: RECIPIENT, asset: "native", amount: "0.01" };

/** Starts an engine for transactions in the test's own process, which ends with the test. */
export async function startSending(api: Api, patience: Partial<TransactionEngineOptions["patience"]> = {}) {
  const engine = await startTransactionEngine({
    url: api.databaseUrl,
    directUrl: api.databaseUrl,
    patience: { stuckAfterMs: 30_000, resendAfterMs: 300, ...patience },
  });
  return stopAtEnd(engine);
}

/** Creates a wallet of this key's account, with funds. */
export async function createWallet(
  api: Caller,
  chain: TestChain,
  key: string,
  { policy, ...funds }: Funds & { policy?: Record<string, unknown> } = { eth: "1" },
): Promise<Sent> {
  const body = { label: unique("Wallet"), ...(policy && { policy }) };
  const { wallet } = await api.mustSend(201, "POST", "/v1/wallets", { key, body });
  await chain.fund(wallet.address, funds);
  return wallet;
}

/** Creates a quote of a send. */
export async function quote(api: Caller, key: string, walletId: string, body: object = PLAIN): Promise<Sent> {
  return (await api.mustSend(201, "POST", `/v1/wallets/${walletId}/transactions/quote`, { key, body })).quote;
}

/** Executes a quote. */
export function execute(api: Caller, key: string, walletId: string, body: object): Promise<Answered> {
  return api.send("POST", `/v1/wallets/${walletId}/transactions`, { key, body });
}

/** Quotes and executes a send. */
export async function send(api: Caller, key: string, walletId: string, body: object = PLAIN): Promise<Sent> {
  const { id: quoteId } = await quote(api, key, walletId, body);
  const path = `/v1/wallets/${walletId}/transactions`;
  return (await api.mustSend(202, "POST", path, { key, body: { quoteId } })).transaction;
}

/** Returns the transaction once it has this status and satisfies `until`. */
export async function transactionWith(
  api: Caller,
  key: string,
  { id, walletId }: { id: string; walletId: string },
  status: string,
  until: (transaction: Sent) => boolean = () => true,
): Promise<Sent> {
  const path = `/v1/wallets/${walletId}/transactions/${id}`;
  return eventually(async () => {
    const { transaction } = await api.mustSend(200, "GET", path, { key });
    return transaction.status === status && until(transaction) ? transaction : undefined;
  });
}

/**
 * Starts a worker for transactions or jobs as a process of its own, which may be killed; resolves when it is running.
 */
export async function startTransactionWorker(
  api: Api,
  chain: ChainSettings,
  work: "sends" | "jobs" | "both" = "sends",
): Promise<ChildProcess> {
  const program = processPath("transaction-worker");
  const { child } = await startReadyNode([program, api.databaseUrl, JSON.stringify(chain), work]);
  return child;
}

/** Intercepts a worker's requests to a node and their responses: it may delay, replace or suppress them. */
export interface Between {
  asked?(method: string, params: unknown[]): PeerAnswer | "hang" | undefined | Promise<undefined>;
  answered?(method: string): PeerAnswer | "hang" | undefined;
}

/** Returns the chain behind a proxy that can interfere with requests. */
export async function startBetween({ settings }: TestChain, between: Between): Promise<ChainSettings> {
  const { origin } = await startPeer(async ({ body }) => {
    const questions: { method: string; params?: unknown[] }[] = [JSON.parse(body)].flat();
    const methods = questions.map(({ method }) => method);
    const asked = questions.map(({ method, params = [] }) => between.asked?.(method, params));
    const instead = (await Promise.all(asked)).find(Boolean);
    if (instead) return instead;
    const headers = { "content-type": "application/json" };
    const answer = await fetch(settings.rpcUrl, { method: "POST", headers, body });
    const text = await answer.text();
    const changed = methods.map((method) => between.answered?.(method)).find(Boolean);
    return changed ?? { status: answer.status, body: text };
  });
  return { ...settings, rpcUrl: origin };
}
