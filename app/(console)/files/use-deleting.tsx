"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { sizeText } from "#components/ui/size.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { File } from "#server/files/schema.ts";

/** Returns a function that asks and then deletes a file, and the dialog; `done` is called afterwards. */
export function useDeleting(done?: () => void) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<File | null>(null);
  const remove = useMutation(
    trpc.files.delete.mutationOptions({
      async onSuccess({ file }) {
        setAsked(null);
        done?.();
        toast(`${file.name} is deleted.`);
        await queries.invalidateQueries(trpc.files.list.pathFilter());
      },
    }),
  );

  return {
    ask: setAsked,
    dialog: (
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={() => setAsked(null)}
        title={`Delete “${asked?.name}”?`}
        action="Delete"
        danger
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => asked && remove.mutate({ fileId: asked.id })}
      >
        {asked && (
          <p>
            Its {sizeText(asked.sizeBytes)} are gone for good, and addresses to download it stop working at
            once.
          </p>
        )}
      </ConfirmDialog>
    ),
  };
}
