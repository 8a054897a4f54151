import { tookText } from "#app/(console)/runs/columns.tsx";
import type { Run } from "#app/(console)/runs/queries.ts";
import { routes } from "#components/routes.ts";
import { Credits } from "#components/ui/amount.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Facts, Section } from "#components/ui/section.tsx";
import { ExactTime } from "#components/ui/time.tsx";

export function RunFacts({ run }: { run: Run }) {
  const { serviceId, operationId, projectId, endUser, startedAt, finishedAt } = run;
  return (
    <Section title="At a glance">
      <Facts
        items={[
          { name: "Id", value: <Copyable value={run.id} /> },
          {
            name: "Operation",
            value: (
              <TextLink href={routes.services.operation(serviceId, operationId)}>
                {serviceId} {operationId}
              </TextLink>
            ),
          },
          ...(projectId
            ? [
                {
                  name: "Project",
                  value: <TextLink href={routes.projects.read(projectId)}>{projectId}</TextLink>,
                },
              ]
            : []),
          ...(endUser ? [{ name: "End user", value: endUser }] : []),
          { name: "Created", value: <ExactTime at={run.createdAt} /> },
          { name: "Started", value: startedAt ? <ExactTime at={startedAt} /> : "Not yet" },
          { name: "Ended", value: finishedAt ? <ExactTime at={finishedAt} /> : "Not yet" },
          { name: "Took", value: tookText(run) },
          { name: "Attempt", value: `${run.attempt} of ${run.maxAttempts}` },
          { name: "Charged", value: <Credits value={run.chargedCredits} /> },
        ]}
      />
    </Section>
  );
}
