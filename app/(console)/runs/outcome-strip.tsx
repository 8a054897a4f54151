"use client";

import { useQuery } from "@tanstack/react-query";
import { nameOf, type Run, stripQuery } from "#app/(console)/runs/queries.ts";
import type { Values } from "#components/table/list.ts";
import { useTRPC } from "#components/trpc.tsx";
import { cn } from "#components/ui/cn.ts";

const tones: Partial<Record<Run["status"], string>> = {
  succeeded: "h-4 bg-ok",
  failed: "h-6 bg-bad-fill",
  expired: "h-6 bg-bad-fill",
  cancelled: "h-3 bg-line-strong",
  awaiting_approval: "h-5 bg-warn",
};

/** Shows the outcomes of the newest runs that match the filters, the newest at the right. */
export function OutcomeStrip({ filters }: { filters: Values }) {
  const trpc = useTRPC();
  const list = useQuery({
    ...trpc.runs.list.queryOptions(stripQuery(filters)),
    placeholderData: (before) => before,
  });
  const runs = list.data?.runs ?? [];
  if (runs.length < 2) return null;
  return (
    <figure className="flex flex-wrap items-end gap-x-4 gap-y-1">
      <div aria-hidden className="flex h-6 items-end gap-0.5">
        {runs.toReversed().map((run) => (
          <span
            key={run.id}
            title={`${nameOf(run)}: ${run.status.replaceAll("_", " ")}`}
            className={cn("w-1 rounded-full sm:w-1.5", tones[run.status] ?? "h-3 bg-info")}
          />
        ))}
      </div>
      <figcaption className="text-12 text-muted">{`The newest ${runs.length}: ${summary(runs)}.`}</figcaption>
    </figure>
  );
}

/** Counts the outcomes: `41 succeeded, 3 failed, 2 running`. */
function summary(runs: readonly Run[]): string {
  const counts = Map.groupBy(runs, ({ status }) => status);
  return [...counts].map(([status, { length }]) => `${length} ${status.replaceAll("_", " ")}`).join(", ");
}
