"use client";

import { curlOf, useOrigin } from "#components/curl.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";

/** Shown if the account has no keys yet. */
export function NoKeys() {
  const curl = curlOf(useOrigin(), { method: "GET", path: "/projects", idempotent: false });
  return (
    <EmptyState title="No keys yet" curl={curl}>
      Your backend sends a key with each call. Give it only the scopes that its work needs; its secret is
      shown once.
    </EmptyState>
  );
}
