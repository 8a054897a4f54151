import { defined } from "#server/base/defined.ts";
import { ID_PREFIXES, type IdKind, newId } from "#server/base/ids.ts";
import type { FuzzRequest } from "./requests.ts";

export const ID = new RegExp(
  `\\b(${Object.values(ID_PREFIXES).join("|")})_[0-7][0-9a-hjkmnp-tv-z]{25}\\b`,
  "g",
);
const KINDS = Object.fromEntries(
  Object.entries(ID_PREFIXES).map(([kind, prefix]) => [prefix, kind as IdKind]),
);
const MAX_KNOWN = 200;

/** Operations whose input must match one response of another operation as a whole, not field by field. */
const MADE_BY: Record<string, string> = {
  "wallets.transactions.create": "wallets.transactions.quote",
  "wallets.transactions.read": "wallets.transactions.create",
  "wallets.signatures.create": "wallets.signatures.quote",
  "trading.orders.create": "trading.quotes.create",
  "swaps.execute": "swaps.quote",
  "approvals.decide": "approvals.create",
  "runs.steps.test": "runs.batch",
};

/** Holds ids that a caller can name: those of its account, which it learns from responses, and those of another. */
export function createKnown(kept: ReadonlySet<string>) {
  const own = new Map<string, string[]>();
  const foreign = new Map<string, string[]>();
  /** The newest response of each operation whose response another one needs, with its path. */
  const newest = new Map<string, { target: string; text: string }>();

  function add(pool: Map<string, string[]>, text: string): void {
    for (const [id, prefix = ""] of text.matchAll(ID)) {
      const ids = pool.get(prefix) ?? [];
      pool.set(prefix, ids);
      if (ids.includes(id) || kept.has(id) || (pool === own && foreign.get(prefix)?.includes(id))) continue;
      // New ids replace old ones, which may belong to expired quotes and ended resources.
      if (ids.length < MAX_KNOWN) ids.push(id);
      else ids[Math.floor(Math.random() * MAX_KNOWN)] = id;
    }
  }

  const firstOf = (text: string, prefix: string) =>
    [...text.matchAll(ID)].find((found) => found[1] === prefix)?.[0];

  return {
    addOwn: (text: string) => add(own, text),
    addForeign: (text: string) => add(foreign, text),
    foreignIds: () => new Set([...foreign.values()].flat()),
    /** Learns ids from a response to the account's own key. */
    learn({ operationId, target }: FuzzRequest, status: number, text: string): void {
      // A refusal names the ids of its request, also those that exist nowhere.
      if (status >= 300 || text.includes('"isError":true')) return;
      add(own, text);
      if (Object.values(MADE_BY).includes(operationId)) newest.set(operationId, { target, text });
    },
    /** Returns the id for a token of the request. */
    idsFor({ operationId }: FuzzRequest) {
      const made = newest.get(MADE_BY[operationId] ?? "");
      return (prefix: string, owner: string, pick: number): string => {
        const fitting =
          made && owner === "own" && pick % 4 > 0 ? firstOf(made.text + made.target, prefix) : undefined;
        if (fitting) return fitting;
        const pool = owner === "own" ? own.get(prefix) : owner === "foreign" ? foreign.get(prefix) : [];
        return pool?.length ? defined(pool[pick % pool.length]) : newId(KINDS[prefix] ?? "project");
      };
    },
    /** Returns the newest shown payload hash of an approval; null if none was shown. */
    payloadHash(): string | null {
      const shown = newest.get("approvals.create")?.text ?? "";
      return /"payloadHash":"(\w+)"/.exec(shown)?.[1] ?? null;
    },
  };
}
