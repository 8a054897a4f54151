"use client";

import { AppConnectors } from "#app/(console)/members/app-connectors.tsx";
import { MemberTable } from "#app/(console)/members/member-table.tsx";
import { MemberTabs } from "#app/(console)/members/member-tabs.tsx";
import { RequiredFactor } from "#app/(console)/members/required-factor.tsx";
import { routes } from "#components/routes.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

const AccountDeletion = inBrowser(() =>
  import("#app/(console)/members/account-deletion.tsx").then(({ AccountDeletion }) => AccountDeletion),
);

/** Lists the account's members; owners manage them. */
export function MembersPage({ me, owner }: { me: string; owner: boolean }) {
  return (
    <Page>
      <PageHeader
        title="Members"
        sentence="The people who work in this account, each with a role of their own."
        action={
          owner && (
            <ButtonLink variant="primary" href={routes.members.create()}>
              Invite member
            </ButtonLink>
          )
        }
      />
      <MemberTabs owner={owner} />
      <MemberTable me={me} owner={owner} />
      <RequiredFactor owner={owner} />
      <AppConnectors owner={owner} />
      {owner && <AccountDeletion />}
    </Page>
  );
}
