"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { ConnectionFacts } from "#app/(console)/connections/[connectionId]/connection-facts.tsx";
import { ConnectionStatus } from "#app/(console)/connections/connection-status.tsx";
import { useConnectionActions } from "#app/(console)/connections/use-connection-actions.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { useRouter } from "#components/ui/use-router.ts";

export function ConnectionDetail({ connectionId, mayWrite }: { connectionId: string; mayWrite: boolean }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { connection } = useSuspenseQuery(trpc.connections.read.queryOptions({ connectionId })).data;
  const actions = useConnectionActions({ onDeleted: () => router.push(routes.connections.list()) });
  const change = actions.switchOf(connection);
  const remove = actions.deleteOf(connection);
  return (
    <Page>
      <PageHeader
        back={<TextLink href={routes.connections.list()}>Connections</TextLink>}
        title={connection.label}
        badge={<ConnectionStatus connection={connection} />}
        action={
          mayWrite && (
            <>
              <ButtonLink href={routes.connections.rotate(connectionId)}>Rotate</ButtonLink>
              <ButtonLink href={routes.connections.edit(connectionId)}>Edit</ButtonLink>
              <Button pending={actions.pending} onClick={change.onSelect}>
                {change.label}
              </Button>
              <Button variant="danger" onClick={remove.onSelect}>
                {remove.label}
              </Button>
            </>
          )
        }
      />
      <ErrorNotice what="The connection was not changed." error={actions.error} />
      <ConnectionFacts connection={connection} />
      {actions.dialogs}
    </Page>
  );
}
