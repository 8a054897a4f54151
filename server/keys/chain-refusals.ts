import type { Db, Transaction } from "#db/client.ts";
import type { ExactSelector } from "#server/catalogue/selectors.ts";
import { questionOf } from "#server/operation/access.ts";
import { type ChainDecision, judgeChain } from "#server/operation/explain-access.ts";
import type { Scope } from "#server/operation/scopes.ts";
import { platform } from "#server/platform.ts";
import type { KeyRow } from "./queries.ts";

/** The scopes, services and selectors to check against a chain of keys. */
interface CheckedAccess {
  scopes: readonly Scope[];
  services: readonly string[];
  selectors: readonly ExactSelector[];
}

/** For each checked item, the highest key of the chain that refuses it; null if none does. */
export interface ChainRefusals {
  scope(scope: Scope): string | null;
  service(id: string): string | null;
  /** Returns the key whose operation boundary excludes the exact selector. */
  operation(selector: string): string | null;
  /** Returns the first check that refuses a call under the exact selector. */
  call(selector: string): ChainDecision["denied"];
}

/** Returns the refusals of a chain of keys, by the access decision; an empty chain refuses nothing. */
export async function refusalsOf(
  db: Db | Transaction,
  chain: readonly KeyRow[],
  { scopes, services, selectors }: CheckedAccess,
): Promise<ChainRefusals> {
  const { registrations } = platform();
  const lowest = chain.at(-1);
  const decisions = !lowest
    ? []
    : await judgeChain(db, { accountId: lowest.accountId, chain: chain.map(({ id }) => id) }, [
        ...scopes.map((scope) => ({ scope })),
        ...services.map((service) => ({ service })),
        ...selectors.map(({ operation, target }) => questionOf(operation, target, registrations)),
      ]);
  const perScope = new Map(scopes.map((scope, nth) => [scope, decisions[nth]]));
  const perService = new Map(services.map((id, nth) => [id, decisions[scopes.length + nth]]));
  const before = scopes.length + services.length;
  const perSelector = new Map(selectors.map(({ selector }, nth) => [selector, decisions[before + nth]]));
  return {
    scope: (scope) => perScope.get(scope)?.scope ?? null,
    service: (id) => perService.get(id)?.service ?? null,
    operation: (selector) => perSelector.get(selector)?.operation ?? null,
    call: (selector) => perSelector.get(selector)?.denied ?? null,
  };
}
