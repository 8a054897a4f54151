"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import { Badge } from "#components/ui/status.tsx";
import { toast } from "#components/ui/toast.tsx";

/** Shows whether every member needs a second factor; owners change that. */
export function RequiredFactor({ owner }: { owner: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data, error } = useQuery(trpc.account.read.queryOptions({}));
  const [asking, setAsking] = useState(false);
  const required = data?.account.requireSecondFactor ?? false;
  const update = useMutation(
    trpc.account.update.mutationOptions({
      async onSuccess({ account }) {
        await queries.invalidateQueries(trpc.account.pathFilter());
        setAsking(false);
        toast(
          account.requireSecondFactor
            ? "Every member needs a second factor now."
            : "A second factor is optional now.",
        );
      },
    }),
  );
  const verb = required ? "Make it optional" : "Require it";
  return (
    <Section
      title="Second factor"
      description="A code of an authenticator app beside the password, so that a stolen password opens nothing here."
      action={owner && data && <Button onClick={() => setAsking(true)}>{verb}</Button>}
    >
      <ErrorNotice what="The account could not be loaded." error={error} />
      {data && (
        <p>
          {required ? (
            <Badge tone="ok">Required of every member</Badge>
          ) : (
            <Badge tone="warn">Each member’s choice</Badge>
          )}
        </p>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={required ? "Make the second factor optional?" : "Require a second factor?"}
        action={verb}
        danger={required}
        pending={update.isPending}
        error={update.error}
        onConfirm={() => update.mutate({ requireSecondFactor: !required })}
      >
        {required
          ? "A password alone will open the account to members who turn theirs off."
          : "Members whose second factor is off can do nothing in the console until they have set one up; it leads them there. API keys go on as before."}
      </ConfirmDialog>
    </Section>
  );
}
