"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { Belongings } from "#app/(console)/end-users/[endUserId]/belongings.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { Facts, Section } from "#components/ui/section.tsx";
import { ExactTime } from "#components/ui/time.tsx";

/** An end user, and their resources. */
export function EndUserDetail({
  endUserId,
  seesKeys,
  seesMemories,
}: {
  endUserId: string;
  seesKeys: boolean;
  seesMemories: boolean;
}) {
  const trpc = useTRPC();
  const { endUser, lastSeenAt } = useSuspenseQuery(trpc.endUsers.read.queryOptions({ endUserId })).data;
  const { id, externalId, createdAt } = endUser;
  return (
    <Page>
      <PageHeader
        back={<TextLink href={routes.endUsers.list()}>End users</TextLink>}
        title={plainName(externalId)}
        action={
          <>
            <TextLink href={routes.usage({ endUser: externalId })}>Usage</TextLink>
            <TextLink href={routes.audit({ endUser: externalId })}>Requests</TextLink>
          </>
        }
      />
      <Belongings externalId={externalId} seesKeys={seesKeys} seesMemories={seesMemories} />
      <Section title="About">
        <Facts
          items={[
            { name: "Id", value: <Copyable value={id} full /> },
            { name: "External id", value: <Copyable value={externalId} full /> },
            { name: "Created", value: <ExactTime at={createdAt} /> },
            { name: "Last request", value: lastSeenAt ? <ExactTime at={lastSeenAt} /> : "–" },
          ]}
        />
      </Section>
    </Page>
  );
}
