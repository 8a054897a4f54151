"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { AskForApproval } from "#app/(console)/approvals/ask-for-approval.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import { toast } from "#components/ui/toast.tsx";

const action = { serviceId: "managed-database", operationId: "deprovision", input: {} };

/** Removes the database: at once if it is empty, else after an approval, which it asks for. */
export function Removal() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const remove = useMutation(
    trpc.databases.account.deprovision.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.databases.pathFilter());
        toast("The database is being removed.");
      },
      onSettled: () => setOpen(false),
    }),
  );
  return (
    <Section
      title="Remove"
      description="An empty database is removed at once. One that holds anything needs an approval, and is kept as an export for seven days."
      action={
        <Button variant="danger" onClick={() => setOpen(true)}>
          Remove database
        </Button>
      }
    >
      <ErrorNotice
        what="The database was not removed."
        error={remove.error}
        action={<AskForApproval error={remove.error} action={action} />}
      />
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Remove the database?"
        action="Remove database"
        danger
        pending={remove.isPending}
        error={null}
        onConfirm={() => remove.mutate({})}
      >
        Keys that query or change it are refused from then on. Only what an export holds can be brought back.
      </ConfirmDialog>
    </Section>
  );
}
