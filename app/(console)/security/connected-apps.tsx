"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { appList } from "#app/(console)/security/queries.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { countedBy, Many } from "#components/table/many.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Count } from "#components/ui/amount.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { ConnectedApp } from "#server/oauth/schema.ts";

const hostOf = ({ app }: ConnectedApp) => app.host ?? "Unverified app";

const name: Column<ConnectedApp> = {
  header: "App",
  cell: (connected) => (
    <span className="flex min-w-0 flex-col">
      <span className="break-words">{connected.app.name}</span>
      <span className="break-all text-12 text-muted">{hostOf(connected)}</span>
    </span>
  ),
  csv: [
    { header: "App", value: ({ app }) => app.name },
    { header: "Host", value: ({ app }) => app.host },
  ],
};
const member: Column<ConnectedApp> = {
  header: "Connected by",
  cell: ({ member }) => member.name,
  csv: ({ member }) => member.name,
};
const facts: Column<ConnectedApp>[] = [
  {
    header: "Credits today",
    cell: (app) => <SpentToday {...app} />,
    csv: ({ spentToday }) => spentToday,
    width: "9rem",
  },
  {
    header: "Connected",
    cell: ({ connectedAt }) => <RelativeTime at={connectedAt} />,
    csv: ({ connectedAt }) => connectedAt,
    sort: "createdAt",
    optional: true,
    width: "8rem",
  },
  {
    header: "Last used",
    cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
    csv: ({ lastUsedAt }) => lastUsedAt,
    width: "8rem",
  },
  {
    header: "Until",
    cell: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
    csv: ({ expiresAt }) => expiresAt,
    width: "8rem",
  },
  idColumn,
];
const columns = { mine: [name, ...facts], all: [name, member, ...facts] };

/** Lists the apps that the person has connected, or, for admins, all members' apps. */
export function ConnectedApps({ whose }: { whose: "mine" | "all" }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const state = useList(appList);
  const list = useQuery({
    ...trpc.apps.list.queryOptions({ ...state.query, whose }),
    placeholderData: keepPreviousData,
  });
  const refresh = () => queries.invalidateQueries(trpc.apps.list.pathFilter());
  const [revoking, setRevoking] = useState<ConnectedApp | null>(null);
  const revoke = useMutation(
    trpc.apps.revoke.mutationOptions({
      async onSuccess() {
        await refresh();
        toast(`${revoking?.app.name} has no access any more.`);
        setRevoking(null);
      },
    }),
  );
  const selection = useSelection<ConnectedApp>({ idOf: ({ id }) => id, nameOf: ({ app }) => app.name });
  return (
    <>
      <ListTable
        state={state}
        label="Connected apps"
        columns={columns[whose]}
        list={list}
        failed="The connected apps could not be loaded."
        ask={(asked) => client.apps.list.query({ ...asked, whose })}
        rowsOf={({ apps }) => apps}
        rowMenu={(app) => [{ label: "Revoke", danger: true, onSelect: () => setRevoking(app) }]}
        selection={selection}
        empty={<NoApps whose={whose} />}
      >
        <Many
          selection={selection}
          counted={countedBy("app")}
          noteOf={(app) => (whose === "all" ? `${hostOf(app)}, ${app.member.name}` : hostOf(app))}
          actions={[
            {
              verb: "Revoke",
              danger: true,
              text: "From this moment each of their requests gets 401. To use one again, somebody has to reconnect it.",
              act: ({ id }) => client.apps.revoke.mutate({ id }),
            },
          ]}
          refresh={refresh}
        />
      </ListTable>
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
    </>
  );
}

function NoApps({ whose }: { whose: "mine" | "all" }) {
  return (
    <p className="p-4 text-muted">
      {whose === "mine" ? "No app has access in your name." : "No app has access in the name of a member."}{" "}
      <TextLink href={routes.docsGuide("connect-claude")}>Connect Claude</TextLink>,{" "}
      <TextLink href={routes.docsGuide("connect-cursor")}>Cursor</TextLink>, the{" "}
      <TextLink href={routes.docsGuide("command-line")}>command line</TextLink> or{" "}
      <TextLink href={routes.docsGuide("mcp")}>another agent</TextLink>.
    </p>
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
