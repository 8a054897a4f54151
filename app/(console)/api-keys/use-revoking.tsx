"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { countOf } from "#app/(console)/api-keys/queries.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Scrolling } from "#components/ui/scrolling.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toast.tsx";

type Named = { id: string; label: string };

/** Returns `ask(key)`, which opens a dialog that names all keys that will be revoked, and that dialog. */
export function useRevoking({ onRevoked }: { onRevoked?: () => void } = {}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [key, setKey] = useState<Named | null>(null);
  const revoke = useMutation(
    trpc.apiKeys.revoke.mutationOptions({
      async onSuccess({ apiKey, revokedKeyIds }) {
        await queries.invalidateQueries(trpc.apiKeys.pathFilter());
        setKey(null);
        const below = revokedKeyIds.length - 1;
        toast(`${apiKey.label} is revoked${below > 0 ? `, with ${countOf(below)} below it` : ""}.`);
        onRevoked?.();
      },
    }),
  );
  return {
    ask: (key: Named) => setKey(key),
    asking: key !== null,
    dialog: (
      <ConfirmDialog
        open={key !== null}
        onOpenChange={() => setKey(null)}
        title={`Revoke “${key?.label}”?`}
        action="Revoke"
        pending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => key && revoke.mutate({ id: key.id })}
      >
        {key && <KeysBelow id={key.id} />}
      </ConfirmDialog>
    ),
  };
}

function KeysBelow({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data, error } = useQuery({ ...trpc.apiKeys.read.queryOptions({ id }), staleTime: 0 });
  if (error) return <ErrorNotice what="The keys below it could not be loaded." error={error} />;
  if (!data) return <Skeleton className="h-10 w-full" />;
  const { live, keys } = data.branch;
  return (
    <>
      <p>From this moment each request with it answers 401. This can’t be undone.</p>
      {live === 0 ? (
        <p>No working key stands below it.</p>
      ) : (
        <>
          <p>It takes down {countOf(live)} below it:</p>
          <Scrolling label="Keys below it" className="max-h-48 rounded-md border px-3 py-1.5 text-13">
            <ul>
              {keys.map((each) => (
                <li key={each.id} className="break-words py-0.5">
                  {each.label}
                </li>
              ))}
              {live > keys.length && (
                <li className="py-0.5 text-muted">and {countOf(live - keys.length)} more</li>
              )}
            </ul>
          </Scrolling>
        </>
      )}
    </>
  );
}
