"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { addSample, isSample, removeSample, samplesQuery } from "#app/(console)/(overview)/sample.ts";
import { routes } from "#components/routes.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { Project } from "#server/projects/schema.ts";

/** Adds sample data on request, and removes it. */
export function SampleData() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const { data } = useQuery(trpc.projects.list.queryOptions(samplesQuery));
  const settle = () => queries.invalidateQueries();
  const add = useMutation({
    mutationFn: () => addSample(client, window.location.origin),
    onSuccess: () => toast("The sample data is there."),
    onSettled: settle,
  });
  const remove = useMutation({
    mutationFn: (sample: Project) => removeSample(client, sample),
    onSuccess: () => toast("The sample data is removed."),
    onSettled: settle,
  });
  if (!data) return null;
  const sample = data.projects.find((project) => isSample(project) && project.status === "active");
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-13">
        <p className="min-w-0 flex-1 text-muted">
          {sample ? (
            <>
              Sample data is in the project{" "}
              <TextLink href={routes.projects.read(sample.id)}>{sample.name}</TextLink>. Removing it rejects
              pending approvals, disables its webhook and archives the project.
            </>
          ) : (
            "Nothing to look at yet? Sample data is a project with a webhook that was delivered to, an approval to decide and a run; it costs 2 credits."
          )}
        </p>
        {sample ? (
          <Button size="sm" pending={remove.isPending} onClick={() => remove.mutate(sample)}>
            Remove sample data
          </Button>
        ) : (
          <Button size="sm" pending={add.isPending} onClick={() => add.mutate()}>
            Add sample data
          </Button>
        )}
      </div>
      <ErrorNotice what="Not all of the sample data could be made." error={add.error} />
      <ErrorNotice what="The sample data was not removed." error={remove.error} />
    </div>
  );
}
