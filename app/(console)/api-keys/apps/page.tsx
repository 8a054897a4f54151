import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { KeyTabs } from "#app/(console)/api-keys/key-tabs.tsx";
import { ConnectedApps } from "#app/(console)/security/connected-apps.tsx";
import { appList } from "#app/(console)/security/queries.ts";
import { requirePerson } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export const metadata: Metadata = { title: "Connected apps" };

export default async function ConnectedAppsPage() {
  const { role } = await requirePerson();
  if (role !== "owner" && role !== "admin") notFound();
  const asked = appList.query(await wantedFilters(appList.names));
  await prefetch(trpc.apps.list.queryOptions({ ...asked, whose: "all" }));
  return (
    <Hydrate>
      <Page>
        <PageHeader
          title="API keys"
          sentence="A connected app acts in the name of a member, within what they have allowed it."
        />
        <KeyTabs />
        <ConnectedApps whose="all" />
      </Page>
    </Hydrate>
  );
}
