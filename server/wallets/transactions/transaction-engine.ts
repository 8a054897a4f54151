import { setTimeout as sleep } from "node:timers/promises";
import { BaseError } from "viem";
import { openPool } from "#db/client.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { log } from "#server/log.ts";
import { platform } from "#server/platform.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { ChainUnavailable } from "#server/providers/chain/unavailable.ts";
import { listenForWakeUps } from "#server/wake-ups.ts";
import { type Claim, claimSenders, LeaseLost } from "./leased-senders.ts";
import { createPace } from "./pace.ts";
import { createSenderStates } from "./sender-state.ts";
import { takeTurn } from "./take-turn.ts";
import { createTransactionWriter } from "./transaction-writer.ts";
import type { Patience } from "./turn.ts";
import { type Seen, watchChain } from "./watch-chain.ts";

const POLL_MS = 250;
const FAILED_MS = 1000;
const GATHER_MS = 4;
/** How often the head of a chain is asked for that others run. */
const WATCH_MS = 2000;

export interface TransactionEngineOptions {
  /** For queries; a transaction pooler may stand in front of it. */
  url: string;
  /** Past any pooler, for LISTEN. */
  directUrl: string;
  /** For how many addresses it works at once. */
  slots?: number;
  patience?: Patience;
}

/**
 * Signs, sends and follows what wallets are to send, until it is stopped. Any number of processes may run it on one
 * database: an address on a chain is one worker's at a time. A wake-up says that there is work; the poll finds the rest.
 */
export async function startTransactionEngine(options: TransactionEngineOptions) {
  const { url, directUrl, slots = 16 } = options;
  const { patience = { stuckAfterMs: 30_000, resendAfterMs: 5000 } } = options;
  const { chains, wakeUps } = platform();
  const { db, close } = openPool(url, CONNECTIONS.sends, { pooled: directUrl !== url });
  const writer = createTransactionWriter(db);
  const pace = createPace();
  const senderStates = createSenderStates(chains);
  const startedAt = new Date();
  const held = new Set<Promise<void>>();
  const failing = new Map<Chain, number>();
  let stopping = false;
  let woken = Promise.withResolvers<void>();
  const wake = () => woken.resolve();
  const unsubscribe = wakeUps.on("transactions", wake);
  const unregister = wakeUps.register("transactions", {
    reserve(sender) {
      if (held.size > 0) return false;
      senderStates.prefetch(sender);
      return true;
    },
    begin: (claim) => hold(claim as Claim),
  });
  const unlisten = await listenForWakeUps(directUrl, "transactions", wake);

  const isUp = (chain: Chain) => (failing.get(chain) ?? 0) <= Date.now();

  /** A chain that fails is left alone for a while, by all that would ask it. */
  function note(chain: Chain, error: unknown, about: object = {}): void {
    const { network } = chain;
    const gone = error instanceof BaseError && error.walk((cause) => cause instanceof ChainUnavailable);
    if (!gone)
      log.warn("Transactions could not be seen to; it is tried again.", { network, ...about, error });
    else if (isUp(chain)) log.warn("A chain is not available; it is tried again.", { network, error });
    if (gone) failing.set(chain, Date.now() + FAILED_MS);
  }

  async function carry(claim: Claim): Promise<void> {
    const { sender, open } = claim;
    const chain = chains.find(sender.network) as Chain;
    let end: Awaited<ReturnType<typeof takeTurn>> = { dueInMs: FAILED_MS, released: false };
    try {
      const senderState = await senderStates.of(chain, claim);
      end = await takeTurn({ db, writer, chain, patience, startedAt, pace, sender, open }, senderState);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      note(chain, error, { walletId: sender.walletId });
    }
    const { dueInMs, released } = end;
    if (!released) await writer.release({ sender, dueInMs });
    if (dueInMs !== null && dueInMs < POLL_MS) setTimeout(wake, dueInMs).unref();
  }

  function hold(claim: Claim): void {
    const { walletId } = claim.sender;
    const carried = carry(claim)
      .catch((error) => log.warn("What a wallet sends could not be stored.", { walletId, error }))
      .finally(() => {
        held.delete(carried);
        wake();
      });
    held.add(carried);
  }

  async function turn(): Promise<void> {
    const networks = chains.all.filter(isUp).map(({ network }) => network);
    if (held.size >= slots || networks.length === 0) return;
    for (const claim of await claimSenders(db, networks, slots - held.size)) hold(claim);
  }

  async function work(): Promise<void> {
    let broken = false;
    while (!stopping) {
      woken = Promise.withResolvers();
      try {
        await turn();
        broken = false;
      } catch (error) {
        if (!broken) log.warn("Transactions could not be claimed; it is tried again.", { error });
        broken = true;
      }
      if (broken) await sleep(4 * POLL_MS);
      const polled = setTimeout(wake, POLL_MS);
      await woken.promise;
      clearTimeout(polled);
      // While others are under way, what comes is gathered: by one statement many are claimed.
      if (held.size > 0) await sleep(GATHER_MS);
    }
  }

  async function watch(chain: Chain): Promise<void> {
    let seen: Seen = { head: null, present: new Set(), lost: new Set() };
    while (!stopping) {
      try {
        seen = await watchChain(db, chain, seen);
      } catch (error) {
        note(chain, error);
      }
      await sleep(chain.sandbox ? POLL_MS : WATCH_MS);
    }
  }

  const loops = [work(), ...chains.all.map(watch)];

  return {
    /** Ends what is under way; what is not done yet is others' to do. */
    async stop() {
      stopping = true;
      wake();
      unsubscribe();
      unregister();
      await Promise.all(loops);
      while (held.size > 0) await Promise.all(held);
      await Promise.all([close(), unlisten()]);
    },
  };
}
