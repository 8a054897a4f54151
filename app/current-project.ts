import { cache } from "react";
import { isMissing, prefetch, readPrefetched, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";
import type { Scope } from "#server/operation/scopes.ts";

/** Returns the project in the page's address, if it could be read. */
export const currentProject = cache(async () => {
  const { projectId } = await wantedFilters(["projectId"]);
  if (projectId === "") return { projectId: null, missing: false };
  const query = trpc.projects.read.queryOptions({ projectId });
  await prefetch(query);
  return { projectId, project: readPrefetched(query)?.project, missing: isMissing(query) };
});

/** The scopes that change resources of a project; in an archived project they are not offered. */
const CHANGES: ReadonlySet<Scope> = new Set<Scope>([
  "approvals:write",
  "connections:write",
  "files:write",
  "runs:write",
  "services:invoke",
  "trading:execute",
  "wallets:create",
  "wallets:sign",
  "wallets:transact",
  "webhooks:write",
]);

/** Returns whether the scope can be used in the page's project: an archived one is read-only. */
export async function isOfUse(scope: Scope): Promise<boolean> {
  return !CHANGES.has(scope) || (await currentProject()).project?.status !== "archived";
}
