import type { Metadata } from "next";
import { ExplainAccess } from "#app/(console)/api-keys/access/explain-access.tsx";
import { filterNames } from "#app/(console)/api-keys/access/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { activeKeysQuery } from "#components/form/choices-query.ts";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Explain access" };

export default async function ExplainAccessPage() {
  const mayManage = await may("api_keys:manage");
  const { key, operation } = await wantedFilters(filterNames);
  if (mayManage)
    await prefetch(
      trpc.apiKeys.list.queryOptions(activeKeysQuery()),
      trpc.apiKeys.access.read.queryOptions({}),
      ...(key && operation ? [trpc.apiKeys.access.explain.queryOptions({ keyId: key, operation })] : []),
    );
  return (
    <Hydrate>
      <ExplainAccess mayManage={mayManage} />
    </Hydrate>
  );
}
