import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { listen } from "#db/listen.ts";

/** What pages show, by the first word of the operations that read it. */
export const CHANGES = [
  "account",
  "apiKeys",
  "approvals",
  "artifacts",
  "auditEvents",
  "connections",
  "credits",
  "databases",
  "files",
  "invitations",
  "me",
  "members",
  "projects",
  "runs",
  "services",
  "swaps",
  "trading",
  "wallets",
  "webhookDeliveries",
  "webhooks",
] as const;
export type Change = (typeof CHANGES)[number];

type Listener = (change: Change) => void;
type Told = Record<string, Change[]>;

const CHANNEL = "changes";
const GATHER_MS = 20;
// A notification holds 8,000 bytes; an account with every kind of change takes 250.
const ACCOUNTS_AT_ONCE = 25;
/** For so long it is known what was told, for pages that were on their way meanwhile. */
const KEPT_MS = 60_000;
/** By so much the clocks of two processes may differ. */
const CLOCKS_MS = 1_000;

/** Tells open pages what kinds of things have changed; what became of them, pages read as their viewer may. */
export interface Changes {
  /** `whose`: an account's id, or a user's for what is theirs alone. */
  tell(whose: string, change: Change): void;
  watch(whose: readonly string[], listener: Listener): () => void;
  /** What was told since a moment; everything where that is not known any more. */
  toldSince(whose: readonly string[], moment: number): readonly Change[];
  /** Hears what other processes tell, over a connection of its own, until what it answers is called. */
  hear(url: string): Promise<() => Promise<void>>;
}

/** Changes reach the pages of this process at once, and other processes by one NOTIFY for many. */
export function createChanges(sql: postgres.Sql): Changes {
  const self = randomUUID();
  const watchers = new Map<string, Set<Listener>>();
  const pending = new Map<string, Set<Change>>();

  /** When a change was last told, the oldest first. */
  const toldAt = new Map<string, number>();
  let knownSince = Date.now();

  function remember(key: string) {
    toldAt.delete(key);
    toldAt.set(key, Date.now());
    for (const [oldest, at] of toldAt) {
      if (at > Date.now() - KEPT_MS) break;
      toldAt.delete(oldest);
    }
  }

  function deliver(whose: string, change: Change) {
    remember(`${whose} ${change}`);
    for (const listener of watchers.get(whose) ?? []) listener(change);
  }

  function notify() {
    const told = [...pending].map(([whose, changes]) => [whose, [...changes]] as const);
    pending.clear();
    const messages: string[] = [];
    for (let at = 0; at < told.length; at += ACCOUNTS_AT_ONCE)
      messages.push(
        JSON.stringify({ from: self, told: Object.fromEntries(told.slice(at, at + ACCOUNTS_AT_ONCE)) }),
      );
    sql`select pg_notify(${CHANNEL}, message) from unnest(${messages}::text[]) message`.catch(
      () => undefined,
    );
  }

  return {
    tell(whose, change) {
      deliver(whose, change);
      if (pending.size === 0) setTimeout(notify, GATHER_MS).unref();
      const changes = pending.get(whose);
      if (changes) changes.add(change);
      else pending.set(whose, new Set([change]));
    },

    watch(whose, listener) {
      for (const id of whose) watchers.set(id, (watchers.get(id) ?? new Set()).add(listener));
      return () => {
        for (const id of whose) {
          watchers.get(id)?.delete(listener);
          if (watchers.get(id)?.size === 0) watchers.delete(id);
        }
      };
    },

    toldSince(whose, moment) {
      const from = moment - CLOCKS_MS;
      if (from < Math.max(knownSince, Date.now() - KEPT_MS)) return CHANGES;
      return CHANGES.filter((change) => whose.some((id) => (toldAt.get(`${id} ${change}`) ?? 0) >= from));
    },

    hear(url) {
      return listen(
        url,
        CHANNEL,
        (payload) => {
          const { from, told } = JSON.parse(payload) as { from: string; told: Told };
          if (from === self) return;
          for (const [whose, changes] of Object.entries(told))
            for (const change of changes) deliver(whose, change);
        },
        // What was told while nobody heard may be anything.
        () => {
          knownSince = Date.now();
          for (const whose of [...watchers.keys()]) for (const change of CHANGES) deliver(whose, change);
        },
      );
    },
  };
}
