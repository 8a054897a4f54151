import { cache } from "react";
import { isMissing, prefetch, readPrefetched, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";
import type { Scope } from "#server/operation/scopes.ts";

/** The project that the page's address names, as far as it could be read. */
export const currentProject = cache(async () => {
  const { projectId } = await wantedFilters(["projectId"]);
  if (projectId === "") return { projectId: null, missing: false };
  const query = trpc.projects.read.queryOptions({ projectId });
  await prefetch(query);
  return { projectId, project: readPrefetched(query)?.project, missing: isMissing(query) };
});

/** What is done to things of a project, so that nobody does it in an archived one. */
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

/** Whether the scope is of use in the page's project: an archived one can only be looked at. */
export async function isOfUse(scope: Scope): Promise<boolean> {
  return !CHANGES.has(scope) || (await currentProject()).project?.status !== "archived";
}
