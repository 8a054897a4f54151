import type { Metadata } from "next";
import { PasswordSection } from "#app/(console)/security/password-section.tsx";
import { SecondFactorStatus } from "#app/(console)/security/second-factor-status.tsx";
import { SessionTable } from "#app/(console)/security/session-table.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export const metadata: Metadata = { title: "Security" };

export default async function SecurityPage() {
  await prefetch(trpc.me.read.queryOptions(), trpc.me.sessions.list.queryOptions());
  return (
    <Hydrate>
      <Page>
        <PageHeader title="Security" sentence="How you sign in, and where you are signed in." />
        <PasswordSection />
        <SecondFactorStatus />
        <SessionTable />
      </Page>
    </Hydrate>
  );
}
