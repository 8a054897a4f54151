"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { useTRPC } from "#components/trpc.tsx";
import { readProblem } from "#components/ui/problem.ts";
import { ExactTime } from "#components/ui/time.tsx";

/** Shows the next times of a cron expression, or its fault. */
export function NextTimes({ cron, timezone }: { cron: string; timezone: string }) {
  const trpc = useTRPC();
  const line = useDeferredValue(cron.trim());
  const zone = useDeferredValue(timezone.trim());
  const next = useQuery({
    ...trpc.triggers.times.read.queryOptions({ cron: line, timezone: zone }),
    enabled: line !== "" && zone !== "",
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <section aria-label="Next times" className="rounded-md border border-line bg-sunken px-3 py-2 text-13">
      {next.isError ? (
        <p role="status" className="text-bad">
          {readProblem(next.error).message.replace(/^query\.\w+: /, "")}
        </p>
      ) : (
        <ol className="flex flex-col gap-1">
          {next.data?.times.map((time) => (
            <li key={time}>
              <ExactTime at={time} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
