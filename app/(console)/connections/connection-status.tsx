"use client";

import { Status } from "#components/ui/status.tsx";
import { useNow } from "#components/ui/time.tsx";
import type { Connection } from "#server/connections/schema.ts";

/** Shows a connection's status; an expired one as such. */
export function ConnectionStatus({ connection }: { connection: Pick<Connection, "status" | "expiresAt"> }) {
  const { status, expiresAt } = connection;
  const now = useNow();
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now;
  return <Status value={isExpired && status === "active" ? "expired" : status} />;
}
