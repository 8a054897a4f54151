import type { Metadata } from "next";
import type { ReactNode } from "react";
import { KeyList } from "#app/(console)/api-keys/key-list.tsx";
import {
  flatQuery,
  isNarrowed,
  keyList,
  levelQuery,
  openFirst,
  rootsQuery,
} from "#app/(console)/api-keys/queries.ts";
import { may, requirePerson } from "#app/current-person.ts";
import { currentProject } from "#app/current-project.ts";
import { Hydrate, prefetch, readPrefetched, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "API keys" };

export default async function ApiKeysLayout({ children }: { children: ReactNode }) {
  const mayManage = await may("api_keys:manage");
  const { project } = await currentProject();
  const { role } = await requirePerson();
  const admin = role === "owner" || role === "admin";
  const { projectId, ...wanted } = await wantedFilters([...keyList.names, "projectId"]);
  const asked = { ...keyList.query(wanted), ...(projectId && { projectId }) };
  const narrowed = isNarrowed(asked);
  const roots = trpc.apiKeys.children.list.queryOptions(rootsQuery(asked.cursor));
  if (mayManage) await prefetch(narrowed ? trpc.apiKeys.list.queryOptions(flatQuery(asked)) : roots);
  const first = narrowed ? undefined : readPrefetched(roots);
  await prefetch(
    ...openFirst(first?.apiKeys ?? []).map((id) => trpc.apiKeys.children.list.queryOptions(levelQuery(id))),
  );
  return (
    <Hydrate>
      <KeyList mayManage={mayManage} mayCreate={mayManage && project?.status !== "archived"} admin={admin} />
      {children}
    </Hydrate>
  );
}
