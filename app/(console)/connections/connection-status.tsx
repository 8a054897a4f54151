"use client";

import { Status } from "#components/ui/status.tsx";
import { useNow } from "#components/ui/time.tsx";
import type { Connection } from "#server/connections/schema.ts";

/** Whether the connection can be used; one whose time has passed says so. */
export function ConnectionStatus({ connection }: { connection: Pick<Connection, "status" | "expiresAt"> }) {
  const { status, expiresAt } = connection;
  const now = useNow();
  const expired = expiresAt !== null && Date.parse(expiresAt) <= now;
  return <Status value={expired && status === "active" ? "expired" : status} />;
}
