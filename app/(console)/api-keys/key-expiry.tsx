"use client";

import { cn } from "#components/ui/cn.ts";
import { RelativeTime, useNow } from "#components/ui/time.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

const SOON_MS = 7 * 86_400_000;

/** When the key ends, told apart where that is within a week; a revoked one has ended. */
export function KeyExpiry({ apiKey: { expiresAt, expiryMode, status } }: { apiKey: ApiKey }) {
  const left = Date.parse(expiresAt) - useNow();
  if (status === "revoked") return <span className="text-muted">–</span>;
  const soon = status === "active" && expiryMode === "fixed" && left < SOON_MS;
  return (
    <span className={cn(soon && "font-medium text-warn")} suppressHydrationWarning>
      <RelativeTime at={expiresAt} />
    </span>
  );
}
