"use client";

import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Step } from "#app/(console)/(overview)/step.tsx";
import { useFirstSteps } from "#app/(console)/(overview)/use-first-steps.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";

const FirstCall = lazy(() =>
  import("#app/(console)/(overview)/first-call.tsx").then(({ FirstCall }) => ({ default: FirstCall })),
);

/** Shows the steps to the first request, each with its actual state; shows `children` once a request was answered. */
export function FirstSteps({ children }: { children: ReactNode }) {
  const trpc = useTRPC();
  const { project, key, call, ...steps } = useFirstSteps();
  // A page that began with the first steps shows them until the person leaves it, so that they see the last step done.
  const [connected] = useState(steps.connected);
  const latest = useQuery({
    ...trpc.auditEvents.list.queryOptions({ keyId: key?.id, limit: 1 }),
    enabled: key !== undefined && !connected && call === undefined,
  });
  if (connected) return children;

  return (
    <Section title="First steps" description="Four steps, and your backend is connected.">
      <ol className="rounded-md border">
        <Step number={1} title="Make a project" done={project !== undefined} current={!project}>
          {project ? (
            <TextLink href={routes.projects.read(project.id)}>{project.name}</TextLink>
          ) : (
            <>
              <p className="text-muted">
                It keeps the keys and the data of one app or environment apart from those of another.
              </p>
              <ButtonLink variant="primary" href={routes.start.project()}>
                New project
              </ButtonLink>
            </>
          )}
        </Step>
        <Step number={2} title="Make a key" done={key !== undefined} current={project !== undefined && !key}>
          {key ? (
            <TextLink href={routes.apiKeys.read(key.id)}>{key.label}</TextLink>
          ) : (
            <>
              <p className="text-muted">Your backend sends it with each call. Its secret is shown once.</p>
              <ButtonLink {...(project && { variant: "primary" })} href={routes.start.key()}>
                New key
              </ButtonLink>
            </>
          )}
        </Step>
        <Suspense>
          <FirstCall apiKey={key} answered={call} refusal={latest.data?.auditEvents[0]} />
        </Suspense>
      </ol>
    </Section>
  );
}
