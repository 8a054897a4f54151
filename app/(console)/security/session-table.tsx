"use client";

import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useState } from "react";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Section } from "#components/ui/section.tsx";
import { Badge } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { ConsoleRouter } from "#server/transports/console-router.ts";

type Session = inferRouterOutputs<ConsoleRouter>["me"]["sessions"]["list"]["sessions"][number];

const BROWSERS: [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrom(?:e|ium)\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Mac OS X/, "macOS"],
  [/Windows/, "Windows"],
  [/Linux|X11/, "Linux"],
];

/** Returns `Firefox on macOS` from a User-Agent; for an unknown one, its beginning. */
function deviceName(userAgent: string | null): string {
  if (!userAgent) return "Unknown device";
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (known) => known.find(([pattern]) => pattern.test(userAgent))?.[1],
  );
  if (!browser) return userAgent.slice(0, 40);
  return system ? `${browser} on ${system}` : browser;
}

const columns: Column<Session>[] = [
  { header: "Device", cell: ({ userAgent }) => deviceName(userAgent) },
  { header: "Address", plain: true, cell: ({ ip }) => <span className="font-mono">{ip ?? "unknown"}</span> },
  { header: "Signed in", cell: ({ createdAt }) => <RelativeTime at={createdAt} />, width: "8rem" },
  { header: "Last seen", cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} />, width: "8rem" },
];

/** Lists the person's sessions, and ends any other than this one. */
export function SessionTable() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { sessions } = useSuspenseQuery(trpc.me.sessions.list.queryOptions()).data;
  const [revoking, setRevoking] = useState<Session | null>(null);
  const [endingOthers, setEndingOthers] = useState(false);
  const refresh = () => queries.invalidateQueries(trpc.me.sessions.list.queryFilter());
  const revoke = useMutation(
    trpc.me.sessions.revoke.mutationOptions({
      async onSuccess() {
        await refresh();
        setRevoking(null);
        toast("Session revoked.");
      },
    }),
  );
  const endOthers = useMutation(
    trpc.me.sessions.revokeOthers.mutationOptions({
      async onSuccess() {
        await refresh();
        setEndingOthers(false);
        toast("All other sessions are ended.");
      },
    }),
  );
  const others = sessions.length - 1;
  const action: Column<Session> = {
    header: "State",
    width: "8rem",
    align: "end",
    cell: (session) =>
      session.current ? (
        <Badge tone="ok">This session</Badge>
      ) : (
        <Button size="sm" onClick={() => setRevoking(session)}>
          Revoke
        </Button>
      ),
  };

  return (
    <Section
      title="Sessions"
      description="Where you are signed in. A session that is revoked ends at once."
      action={others > 0 && <Button onClick={() => setEndingOthers(true)}>End other sessions</Button>}
    >
      <DataTable
        label="Sessions"
        columns={[...columns, action]}
        rows={sessions}
        rowId={({ id }) => id}
        empty={null}
      />
      <ConfirmDialog
        open={revoking !== null}
        onOpenChange={() => setRevoking(null)}
        title={`Revoke the session on ${deviceName(revoking?.userAgent ?? null)}?`}
        action="Revoke"
        danger
        pending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoking && revoke.mutate({ sessionId: revoking.id })}
      >
        The person who uses it, from {revoking?.ip ?? "an unknown address"}, has to sign in again.
      </ConfirmDialog>
      <ConfirmDialog
        open={endingOthers}
        onOpenChange={setEndingOthers}
        title={`End ${others === 1 ? "the other session" : `${others} other sessions`}?`}
        action="End sessions"
        danger
        pending={endOthers.isPending}
        error={endOthers.error}
        onConfirm={() => endOthers.mutate()}
      >
        Only this browser stays signed in.
      </ConfirmDialog>
    </Section>
  );
}
