"use client";

import { useQuery } from "@tanstack/react-query";
import type { Run } from "#app/(console)/runs/queries.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";
import { Size } from "#components/ui/size.tsx";

/** Lists the artifacts that the run has stored. */
export function RunArtifacts({ run }: { run: Run }) {
  const trpc = useTRPC();
  const list = useQuery({
    ...trpc.artifacts.list.queryOptions({ runId: run.id, limit: 100 }),
    // Remounted when the run's status changes, because its last step may have stored an artifact.
    refetchOnMount: "always",
  });
  const origin = useOrigin();
  const artifacts = list.data?.artifacts ?? [];
  if (artifacts.length === 0)
    return <ErrorNotice what="Its artifacts could not be loaded." error={list.error} />;
  return (
    <Section title="Artifacts">
      <ul className="flex flex-col divide-y rounded-md border">
        {artifacts.map(({ id, name, mediaType, sizeBytes }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 px-3 py-2 text-13">
            <span className="min-w-0 break-all font-medium">
              <TextLink href={routes.artifacts.read(id)}>{name}</TextLink>
            </span>
            <span className="text-muted">
              {mediaType}, <Size bytes={sizeBytes} />
            </span>
          </li>
        ))}
      </ul>
      <CodeBlock
        label="Download"
        code={curlOf(origin, {
          method: "GET",
          path: `/artifacts/${artifacts[0]?.id}/content`,
          idempotent: false,
        })}
      />
    </Section>
  );
}
