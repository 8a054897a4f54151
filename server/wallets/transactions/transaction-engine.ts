import { BaseError } from "viem";
import { openPool } from "#db/client.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { log } from "#server/base/log.ts";
import { createPace } from "#server/base/pace.ts";
import { createPolling } from "#server/base/polling.ts";
import { listenForWakeUps } from "#server/base/wake-ups.ts";
import { platform } from "#server/platform.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { ChainUnavailable } from "#server/providers/chain/unavailable.ts";
import { type Claim, claimSenders, LeaseLost } from "./leased-senders.ts";
import { createSenderStates } from "./sender-state.ts";
import { takeTurn } from "./take-turn.ts";
import { createTransactionWriter } from "./transaction-writer.ts";
import type { Patience } from "./turn.ts";
import { type WatchedBlocks, watchChain } from "./watch-chain.ts";

const POLL_MS = 250;
const FAILED_MS = 1000;
const GATHER_MS = 4;
/** How often the head of a chain is read, except for the sandbox's. */
const WATCH_MS = 2000;

export interface TransactionEngineOptions {
  /** For queries; a transaction pooler may stand in front of it. */
  url: string;
  /** Past any pooler, for LISTEN. */
  directUrl: string;
  /** The number of addresses that it works for at once. */
  slots?: number;
  patience?: Patience;
}

/**
 * Signs, sends and follows the transactions of wallets until it is stopped. Any number of processes may run it on one
 * database: only one of them at a time works for an address on a chain.
 */
export async function startTransactionEngine(options: TransactionEngineOptions) {
  const { url, directUrl, slots = 16 } = options;
  const { patience = { stuckAfterMs: 30_000, resendAfterMs: 5000 } } = options;
  const { chains, wakeUps } = platform();
  const { db, close } = openPool(url, CONNECTIONS.sends, { pooled: directUrl !== url });
  const writer = createTransactionWriter(db);
  const pace = createPace();
  const senderStates = createSenderStates(chains);
  const startedAt = currentTime();
  const turns = new Set<Promise<void>>();
  const pausedUntil = new Map<Chain, number>();
  let isGathering = false;

  const isRunning = (chain: Chain) => (pausedUntil.get(chain) ?? 0) <= performance.now();

  /** Pauses the turns of a chain that is not available; returns whether it is. */
  function pauseIfUnavailable(chain: Chain, error: unknown): boolean {
    if (!(error instanceof BaseError && error.walk((cause) => cause instanceof ChainUnavailable)))
      return false;
    pausedUntil.set(chain, performance.now() + FAILED_MS);
    return true;
  }

  async function runTurn({ sender, open }: Claim): Promise<void> {
    const { network, walletId } = sender;
    const chain = defined(chains.find(network));
    let end: Awaited<ReturnType<typeof takeTurn>> = { dueInMs: FAILED_MS, released: false };
    try {
      const senderState = await senderStates.of(chain, { sender, open });
      end = await takeTurn({ db, writer, chain, patience, startedAt, pace, sender, open }, senderState);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      const wasRunning = isRunning(chain);
      if (!pauseIfUnavailable(chain, error))
        log.warn("A turn of a sender failed; it is tried again.", { network, walletId, error });
      else if (wasRunning) log.warn("A chain is not available; it is tried again.", { network, error });
    }
    const { dueInMs, released } = end;
    if (!released) await writer.release({ sender, dueInMs });
    if (dueInMs !== null && dueInMs < POLL_MS) setTimeout(wake, dueInMs).unref();
  }

  function startTurn(claim: Claim): void {
    const { walletId } = claim.sender;
    const turn = runTurn(claim)
      .catch((error) => log.warn("The end of a sender's turn could not be stored.", { walletId, error }))
      .finally(() => {
        turns.delete(turn);
        wake();
      });
    turns.add(turn);
  }

  const claiming = createPolling({
    async turn() {
      const networks = chains.all.filter(isRunning).map(({ network }) => network);
      if (turns.size >= slots || networks.length === 0) return false;
      for (const claim of await claimSenders(db, networks, slots - turns.size)) startTurn(claim);
      return false;
    },
    pauseMs: POLL_MS,
    failing: "Transactions could not be claimed; it is tried again.",
  });

  /** Claims soon: beside running turns a little later, so that one statement claims several senders. */
  function wake(): void {
    if (turns.size === 0) claiming.wake();
    if (turns.size === 0 || isGathering) return;
    isGathering = true;
    setTimeout(() => {
      isGathering = false;
      claiming.wake();
    }, GATHER_MS);
  }

  function watch(chain: Chain) {
    let watched: WatchedBlocks = { head: null, present: new Set(), lost: new Set() };
    return createPolling({
      async turn() {
        try {
          watched = await watchChain(db, chain, watched);
        } catch (error) {
          pauseIfUnavailable(chain, error);
          throw error;
        }
        return false;
      },
      pauseMs: chain.sandbox ? POLL_MS : WATCH_MS,
      failing: "The blocks of a chain could not be checked; it is tried again.",
      logFields: { network: chain.network },
    });
  }

  const unsubscribe = wakeUps.on("transactions", wake);
  const unregister = wakeUps.register("transactions", {
    reserve(sender) {
      if (turns.size > 0) return false;
      senderStates.prefetch(sender);
      return true;
    },
    begin: (claim) => startTurn(claim as Claim),
  });
  const unlisten = await listenForWakeUps(directUrl, "transactions", wake);
  const pollings = [claiming, ...chains.all.map(watch)];
  for (const polling of pollings) polling.start();

  return {
    /** Ends the running turns; other processes do the remaining work. */
    async stop() {
      unsubscribe();
      unregister();
      await Promise.all(pollings.map((polling) => polling.stop()));
      while (turns.size > 0) await Promise.all(turns);
      await Promise.all([close(), unlisten()]);
    },
  };
}
