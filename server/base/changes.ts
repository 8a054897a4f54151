import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { listen } from "#db/listen.ts";
import { currentMs } from "#server/base/clock.ts";

/** The kinds of changes that pages and streams follow: the first word of the operations that read them. */
export const CHANGES = [
  "account",
  "apiKeys",
  "approvals",
  "apps",
  "artifacts",
  "auditEvents",
  "connections",
  "credits",
  "databases",
  "events",
  "files",
  "invitations",
  "me",
  "members",
  "memories",
  "projects",
  "runs",
  "services",
  "swaps",
  "trading",
  "triggers",
  "wallets",
  "webhookDeliveries",
  "webhooks",
  "workflows",
] as const;
export type Change = (typeof CHANGES)[number];

type Listener = (change: Change) => void;
/** Kinds of changes by the account or user they belong to. */
type Published = Record<string, Change[]>;

const CHANNEL = "changes";
const GATHER_MS = 20;
// A notification holds 8,000 bytes; an account with every kind of change takes 250.
const ACCOUNTS_AT_ONCE = 25;
/** How long published changes are remembered, for pages rendered in the meantime. */
const KEPT_MS = 60_000;
/** The maximum clock difference between two processes. */
const CLOCKS_MS = 1_000;

/**
 * Publishes to open pages which kinds of resources have changed. Pages then read the resources with their
 * viewer's access.
 */
export interface Changes {
  /** `whose`: an account's id, or a user's for changes that concern this user only. */
  publish(whose: string, change: Change): void;
  subscribe(whose: readonly string[], listener: Listener): () => void;
  /** Returns the changes published since a moment; all kinds if that moment is no longer remembered. */
  publishedSince(whose: readonly string[], moment: number): readonly Change[];
  /**
   * Receives the changes that other processes publish, over a separate connection; returns the function that ends it.
   */
  listen(url: string): Promise<() => Promise<void>>;
}

/**
 * Publishes changes to pages of this process at once, and to other processes by one NOTIFY for many changes.
 */
export function createChanges(sql: postgres.Sql): Changes {
  const self = randomUUID();
  const watchers = new Map<string, Set<Listener>>();
  const pending = new Map<string, Set<Change>>();

  /** When each change was last published, oldest first. */
  const publishedAt = new Map<string, number>();
  let knownSince = currentMs();

  function remember(key: string) {
    publishedAt.delete(key);
    publishedAt.set(key, currentMs());
    for (const [oldest, at] of publishedAt) {
      if (at > currentMs() - KEPT_MS) break;
      publishedAt.delete(oldest);
    }
  }

  function deliver(whose: string, change: Change) {
    remember(`${whose} ${change}`);
    for (const listener of watchers.get(whose) ?? []) listener(change);
  }

  function notify() {
    const published = [...pending].map(([whose, changes]) => [whose, [...changes]] as const);
    pending.clear();
    const messages: string[] = [];
    for (let at = 0; at < published.length; at += ACCOUNTS_AT_ONCE)
      messages.push(
        JSON.stringify({
          from: self,
          published: Object.fromEntries(published.slice(at, at + ACCOUNTS_AT_ONCE)),
        }),
      );
    sql`select pg_notify(${CHANNEL}, message) from unnest(${messages}::text[]) message`.catch(
      () => undefined,
    );
  }

  return {
    publish(whose, change) {
      deliver(whose, change);
      if (pending.size === 0) setTimeout(notify, GATHER_MS).unref();
      const changes = pending.get(whose);
      if (changes) changes.add(change);
      else pending.set(whose, new Set([change]));
    },

    subscribe(whose, listener) {
      for (const id of whose) watchers.set(id, (watchers.get(id) ?? new Set()).add(listener));
      return () => {
        for (const id of whose) {
          watchers.get(id)?.delete(listener);
          if (watchers.get(id)?.size === 0) watchers.delete(id);
        }
      };
    },

    publishedSince(whose, moment) {
      const from = moment - CLOCKS_MS;
      if (from < Math.max(knownSince, currentMs() - KEPT_MS)) return CHANGES;
      return CHANGES.filter((change) =>
        whose.some((id) => (publishedAt.get(`${id} ${change}`) ?? 0) >= from),
      );
    },

    listen(url) {
      return listen(
        url,
        CHANNEL,
        (payload) => {
          const { from, published }: { from: string; published: Published } = JSON.parse(payload);
          if (from === self) return;
          for (const [whose, changes] of Object.entries(published))
            for (const change of changes) deliver(whose, change);
        },
        // Changes published while the connection was down were missed.
        () => {
          knownSince = currentMs();
          for (const whose of [...watchers.keys()]) for (const change of CHANGES) deliver(whose, change);
        },
      );
    },
  };
}
