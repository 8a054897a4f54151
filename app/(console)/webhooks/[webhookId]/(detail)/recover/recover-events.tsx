"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { DateTimeField } from "#components/form/date-time-field.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import { toast } from "#components/ui/toast.tsx";

const DAY = 86_400_000;

/** Counts the events that a webhook has missed since a time, and sends them. */
export function RecoverEvents({ webhookId }: { webhookId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const parent = routes.webhooks.read(webhookId);
  const close = useCloseTo(parent);
  const [since, setSince] = useState<string | null>(() => new Date(Date.now() - DAY).toISOString());
  const count = useQuery({
    ...trpc.webhooks.missed.read.queryOptions({ webhookId, since: since ?? "" }),
    enabled: since !== null,
  });
  const recover = useMutation(
    trpc.webhooks.recover.mutationOptions({
      async onSuccess({ deliveries }) {
        await queries.invalidateQueries(trpc.webhookDeliveries.pathFilter());
        toast(deliveries === 1 ? "1 event is sent." : `${deliveries} events are sent.`);
        close();
      },
    }),
  );
  const events = since === null ? undefined : count.data?.events;
  return (
    <SideModal
      title="Recover events"
      description="Sends everything since a time that the webhook should have got and has not."
      parent={parent}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            variant="primary"
            disabled={!events}
            pending={recover.isPending}
            onClick={() => since && recover.mutate({ webhookId, since })}
          >
            Send them
          </Button>
        </>
      }
    >
      <ErrorNotice what="What it missed could not be counted." error={count.error} />
      <ErrorNotice what="Nothing was sent." error={recover.error} />
      <DateTimeField name="since" label="Since" value={since} onChange={setSince} error={undefined} />
      <p role="status">{words(events)}</p>
    </SideModal>
  );
}

function words(events: number | undefined): string {
  if (events === undefined) return "…";
  if (events === 0) return "It has missed nothing since then.";
  return events === 1 ? "1 event will be sent." : `${events} events will be sent.`;
}
