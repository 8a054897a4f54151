"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { appsQuery } from "#app/(console)/security/queries.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Count } from "#components/ui/amount.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { ConnectedApp } from "#server/oauth/schema.ts";

const name: Column<ConnectedApp> = {
  header: "App",
  cell: ({ app }) => (
    <span className="flex min-w-0 flex-col">
      <span className="break-words">{app.name}</span>
      <span className="break-all text-12 text-muted">{app.host ?? "Unverified app"}</span>
    </span>
  ),
};
const member: Column<ConnectedApp> = { header: "Connected by", cell: ({ member }) => member.name };
const facts: Column<ConnectedApp>[] = [
  { header: "Credits today", cell: (app) => <SpentToday {...app} />, width: "9rem" },
  { header: "Last used", cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />, width: "8rem" },
  { header: "Until", cell: ({ expiresAt }) => <RelativeTime at={expiresAt} />, width: "8rem" },
];

/** Lists the apps that the person has connected, or, for admins, all members' apps; nothing if there are none. */
export function ConnectedApps({ whose }: { whose: "mine" | "all" }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const list = useQuery(trpc.apps.list.queryOptions(appsQuery(whose)));
  const [revoking, setRevoking] = useState<ConnectedApp | null>(null);
  const revoke = useMutation(
    trpc.apps.revoke.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.apps.list.queryFilter());
        toast(`${revoking?.app.name} has no access any more.`);
        setRevoking(null);
      },
    }),
  );
  const apps = list.data?.apps ?? [];
  if (whose === "all" && apps.length === 0 && !list.error) return null;
  return (
    <Section
      title="Connected apps"
      description={
        whose === "mine"
          ? "What acts in your name, within what you have allowed it."
          : "What acts in the name of members, within what they have allowed it."
      }
    >
      <ErrorNotice what="The connected apps could not be loaded." error={list.error} />
      {(apps.length > 0 || !list.error) && (
        <DataTable
          label="Connected apps"
          columns={whose === "all" ? [name, member, ...facts] : [name, ...facts]}
          rows={list.data?.apps}
          rowId={({ id }) => id}
          rowMenu={(app) => [{ label: "Revoke", danger: true, onSelect: () => setRevoking(app) }]}
          empty={
            <p className="p-4 text-muted">
              No app has access in your name.{" "}
              <TextLink href={routes.docsGuide("connect-claude")}>Connect Claude</TextLink>,{" "}
              <TextLink href={routes.docsGuide("connect-cursor")}>Cursor</TextLink>, the{" "}
              <TextLink href={routes.docsGuide("command-line")}>command line</TextLink> or{" "}
              <TextLink href={routes.docsGuide("mcp")}>another agent</TextLink>.
            </p>
          }
        />
      )}
      <ConfirmDialog
        open={revoking !== null}
        onOpenChange={() => setRevoking(null)}
        title={`Revoke the access of ${revoking?.app.name}?`}
        action="Revoke"
        danger
        pending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoking && revoke.mutate({ id: revoking.id })}
      >
        From this moment each of its requests gets 401. To use it again, somebody has to reconnect it.
      </ConfirmDialog>
    </Section>
  );
}

function SpentToday({ spentToday, creditsPerDay }: ConnectedApp) {
  return (
    <>
      <Count value={spentToday} />
      {creditsPerDay !== null && (
        <>
          {" of "}
          <Count value={creditsPerDay} />
        </>
      )}
    </>
  );
}
