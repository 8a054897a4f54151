"use client";

import { AppConnectors } from "#app/(console)/members/app-connectors.tsx";
import { Invitations } from "#app/(console)/members/invitations.tsx";
import { MemberTable } from "#app/(console)/members/member-table.tsx";
import { RequiredFactor } from "#app/(console)/members/required-factor.tsx";
import { routes } from "#components/routes.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

/** Lists the account's members and invitations; owners manage them. */
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
      <MemberTable me={me} owner={owner} />
      {owner && <Invitations />}
      <RequiredFactor owner={owner} />
      <AppConnectors owner={owner} />
    </Page>
  );
}
