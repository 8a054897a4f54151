import type { Metadata } from "next";
import { ConnectedApps } from "#app/(console)/security/connected-apps.tsx";
import { appList } from "#app/(console)/security/queries.ts";
import { SecondFactorStatus } from "#app/(console)/security/second-factor-status.tsx";
import { SessionTable } from "#app/(console)/security/session-table.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { routes } from "#components/routes.ts";
import { wantedFilters } from "#components/table/wanted-filters.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Section } from "#components/ui/section.tsx";

export const metadata: Metadata = { title: "Security" };

export default async function SecurityPage() {
  const asked = appList.query(await wantedFilters(appList.names));
  await prefetch(
    trpc.me.read.queryOptions(),
    trpc.me.sessions.list.queryOptions(),
    trpc.apps.list.queryOptions({ ...asked, whose: "mine" }),
  );
  return (
    <Hydrate>
      <Page>
        <PageHeader title="Security" sentence="How you sign in, and where you are signed in." />
        <Section
          title="Password"
          description="A new password signs you out everywhere else."
          action={<ButtonLink href={routes.password()}>Change password</ButtonLink>}
        />
        <SecondFactorStatus />
        <Section
          title="Connected apps"
          description="Apps that act in your name, within the access that you have allowed."
        >
          <ConnectedApps whose="mine" />
        </Section>
        <SessionTable />
      </Page>
    </Hydrate>
  );
}
