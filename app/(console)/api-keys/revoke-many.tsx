"use client";

import { useQueryClient } from "@tanstack/react-query";
import { countOf } from "#app/(console)/api-keys/queries.ts";
import { Many } from "#components/table/many.tsx";
import type { Selection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

/** Revokes the selected keys. */
export function RevokeMany({ selection }: { selection: Selection<ApiKey> }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  return (
    <Many
      selection={selection}
      counted={countOf}
      noteOf={({ prefix }) => <span className="font-mono">{prefix}…</span>}
      actions={[
        {
          verb: "Revoke",
          danger: true,
          text: "From this moment each request with one of them, or with a key below it, answers 401. This can’t be undone.",
          act: ({ id }) => client.apiKeys.revoke.mutate({ id }),
        },
      ]}
      refresh={() => queries.invalidateQueries(trpc.apiKeys.pathFilter())}
    />
  );
}
