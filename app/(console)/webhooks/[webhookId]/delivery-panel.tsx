"use client";

import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Facts, Section } from "#components/ui/section.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import { Status } from "#components/ui/status.tsx";
import { ExactTime } from "#components/ui/time.tsx";
import { toast } from "#components/ui/toast.tsx";
import { useRouter } from "#components/ui/use-router.ts";
import type { Delivery } from "#server/webhooks/schema.ts";

type Props = { webhookId: string; deliveryId: string; mayWrite: boolean };

/** Shows a delivery with its attempts and its body, and sends it again on request. */
export function DeliveryPanel({ webhookId, deliveryId, mayWrite }: Props) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const query = trpc.webhookDeliveries.read.queryOptions({ deliveryId });
  const { delivery, payload } = useSuspenseQuery(query).data;
  const replay = useMutation(
    trpc.webhookDeliveries.replay.mutationOptions({
      async onSuccess({ delivery }) {
        await queries.invalidateQueries(trpc.webhookDeliveries.pathFilter());
        toast("It is sent again.");
        router.push(routes.webhooks.delivery(webhookId, delivery.id));
      },
    }),
  );
  return (
    <SideModal
      title={delivery.event}
      parent={routes.webhooks.read(webhookId)}
      wide
      footer={
        mayWrite && (
          <Button variant="primary" pending={replay.isPending} onClick={() => replay.mutate({ deliveryId })}>
            Replay
          </Button>
        )
      }
    >
      <ErrorNotice what="The delivery was not replayed." error={replay.error} />
      <Facts
        items={[
          { name: "Status", value: <Status value={delivery.status} /> },
          { name: "Delivery", value: <Copyable value={delivery.id} full /> },
          { name: "Event", value: <Copyable value={delivery.eventId} full /> },
          ...(delivery.replayOf
            ? [
                {
                  name: "Replay of",
                  value: (
                    <TextLink href={routes.webhooks.delivery(webhookId, delivery.replayOf)}>
                      <span className="break-all font-mono">{delivery.replayOf}</span>
                    </TextLink>
                  ),
                },
              ]
            : []),
          ...(delivery.nextAttemptAt
            ? [{ name: "Next attempt", value: <ExactTime at={delivery.nextAttemptAt} /> }]
            : []),
        ]}
      />
      <Attempts attempts={delivery.attempts} />
      {payload && <CodeBlock label="Body" code={JSON.stringify(JSON.parse(payload), null, 2)} />}
    </SideModal>
  );
}

function Attempts({ attempts }: { attempts: Delivery["attempts"] }) {
  return (
    <Section title="Attempts">
      {attempts.length === 0 && <p className="text-13 text-muted">None yet.</p>}
      <ol className="flex flex-col">
        {attempts.map((attempt) => (
          <li key={attempt.at} className="flex flex-col gap-1 border-b py-2">
            <p className="flex flex-wrap items-center gap-2">
              <Status value={attempt.error ? "failed" : "succeeded"} />
              <span className="tabular-nums">
                {attempt.status ?? "No answer"} · {attempt.durationMs} ms
              </span>
              <span className="text-13 text-muted">
                <ExactTime at={attempt.at} />
              </span>
            </p>
            {attempt.error && <p className="break-words text-13">{attempt.error}</p>}
            {attempt.responseSnippet && (
              <code className="break-all font-mono text-12 text-muted">{attempt.responseSnippet}</code>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
