"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyExpiry } from "#app/(console)/api-keys/key-expiry.tsx";
import type { Column } from "#components/table/column.ts";
import { useTRPC } from "#components/trpc.tsx";
import { shorten } from "#components/ui/copyable.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

export const keyColumns: Column<ApiKey>[] = [
  { header: "Label", cell: (key) => key.label },
  { header: "Status", cell: (key) => <KeyStatus apiKey={key} />, width: "9.5rem" },
  { header: "Expires", cell: (key) => <KeyExpiry apiKey={key} />, width: "7.5rem" },
  { header: "Bound to", cell: (key) => <Binding apiKey={key} />, width: "11rem", minor: true },
  { header: "Last used", cell: (key) => <RelativeTime at={key.lastUsedAt} />, width: "7rem" },
];

/** The key's own state, or why it is refused all the same. */
export function KeyStatus({ apiKey: { status, invalidBecause } }: { apiKey: ApiKey }) {
  return status === "active" && invalidBecause ? (
    <Status value={invalidBecause} tone="bad" />
  ) : (
    <Status value={status} />
  );
}

/** The project's name and the end user, as far as the key is bound. */
export function Binding({ apiKey: { projectId, endUser } }: { apiKey: ApiKey }) {
  const name = useProjectName(projectId);
  if (!projectId && endUser === null) return <span className="text-muted">Account</span>;
  return <span>{[projectId && name, endUser].filter(Boolean).join(" · ")}</span>;
}

/** A project's name where it is at hand; its short id until then. */
export function useProjectName(projectId: string | null): string {
  const trpc = useTRPC();
  const query = trpc.projects.list.queryOptions({ limit: 100 });
  const { data } = useQuery({ ...query, enabled: projectId !== null });
  return data?.projects.find(({ id }) => id === projectId)?.name ?? shorten(projectId ?? "");
}
