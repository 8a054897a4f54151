"use client";

import { useQueries, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { AskForApproval } from "#app/(console)/(overview)/ask-for-approval.tsx";
import { isSample, samplesQuery } from "#app/(console)/(overview)/sample.ts";
import { SampleData } from "#app/(console)/(overview)/sample-data.tsx";
import { Step } from "#app/(console)/(overview)/step.tsx";
import { useFirstSteps } from "#app/(console)/(overview)/use-first-steps.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const NEWEST = { limit: 25 };
/** The statuses of an approval that somebody has decided; newer pending ones do not hide it. */
const DECIDED = ["approved", "consumed", "rejected"] as const;

/** Shows the steps after the first call, each ticked by actual events; shows nothing once all are done. */
export function Further() {
  const trpc = useTRPC();
  const { connected } = useFirstSteps();
  const samples = useQuery(trpc.projects.list.queryOptions(samplesQuery)).data?.projects.filter(isSample);
  const deliveries = useQuery(trpc.webhookDeliveries.list.queryOptions({ ...NEWEST, status: "succeeded" }))
    .data?.deliveries;
  const decided = useQueries({
    queries: DECIDED.map((status) => trpc.approvals.list.queryOptions({ ...NEWEST, status })),
  });
  const apps = useQuery(trpc.apps.list.queryOptions({ whose: "all", limit: 1 })).data?.apps;
  if (!samples || !deliveries || decided.some(({ data }) => !data) || !apps) return null;

  // Sample data does not count: adding it delivers to a webhook, and removing it rejects an approval.
  const ids = new Set(samples.flatMap(({ metadata }) => [metadata.webhookId, metadata.approvalId]));
  const delivery = deliveries.find(({ webhookId }) => !ids.has(webhookId));
  const approval = decided.flatMap(({ data }) => data?.approvals ?? []).find(({ id }) => !ids.has(id));
  const [app] = apps;
  const steps: [title: string, done: ReactNode, hint: ReactNode, offer?: ReactNode][] = [
    [
      "See a webhook arrive",
      delivery && (
        <>
          {delivery.event} was delivered <RelativeTime at={delivery.createdAt} />.
        </>
      ),
      <>
        <TextLink href={routes.webhooks.create()}>Make one</TextLink>, here or at an endpoint of yours, and
        send it a test.
      </>,
    ],
    [
      "Decide an approval",
      approval && (
        <>
          <TextLink href={routes.approvals.read(approval.id)}>One</TextLink> was decided{" "}
          <RelativeTime at={approval.decidedAt} />.
        </>
      ),
      <>
        An action that a wallet’s policy or a service leaves to people waits under{" "}
        <TextLink href={routes.approvals.list()}>Approvals</TextLink>. Try it with one that changes nothing.
      </>,
      <AskForApproval key="ask" />,
    ],
    [
      "Connect an agent",
      app && (
        <>
          {app.app.name} was connected <RelativeTime at={app.connectedAt} />.
        </>
      ),
      <>
        Give it the address of this platform’s tools:{" "}
        <TextLink href="/docs/connect-an-app">how apps are connected</TextLink>.
      </>,
    ],
  ];
  const next = steps.findIndex(([, done]) => !done);
  if (next === -1 && !samples.some(({ status }) => status === "active")) return null;
  return (
    <Section title="Go further" description="Each step is ticked once it has happened in this account.">
      <ol aria-label="Go further" className="rounded-md border">
        {steps.map(([title, done, hint, offer], index) => (
          <Step
            key={title}
            number={index + 1}
            title={title}
            done={Boolean(done)}
            // Until the first steps are done, one of them is the current step.
            current={connected && index === next}
          >
            <p className="text-muted">{done || hint}</p>
            {!done && offer}
          </Step>
        ))}
      </ol>
      <SampleData />
    </Section>
  );
}
