"use client";

import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useState } from "react";
import type { Period } from "#app/(console)/usage/period.ts";
import type { usageQueries } from "#app/(console)/usage/queries.ts";
import { momentsOf } from "#app/(console)/usage/usage-charts.tsx";
import { TimeChart } from "#components/chart/time-chart.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Segments } from "#components/ui/segments.tsx";

type OverTime = ReturnType<typeof usageQueries>["overTime"];

export type GroupsOverTimeProps = {
  period: Period;
  /** The query of all groups together. */
  overTime: OverTime;
  groups: readonly { key: string | null; name: string }[];
  /** The filter that selects a group by its key. */
  filterOf: (key: string) => string | undefined;
  refetchInterval: number | false;
};

/** The keys of the groups' lines, which five colours tell apart. */
const KEYS = ["a", "b", "c", "d", "e"] as const;

const measures = [
  { value: "requests", label: "Requests", question: "How often was each used", unit: "requests" },
  { value: "errors", label: "Errors", question: "How often did each fail", unit: "errors" },
  { value: "chargedCredits", label: "Credits", question: "What did each cost", unit: "credits" },
  { value: "p50Ms", label: "p50", question: "How long did half take at most", unit: "milliseconds" },
  { value: "p95Ms", label: "p95", question: "How long did 95 % take at most", unit: "milliseconds" },
  { value: "p99Ms", label: "p99", question: "How long did 99 % take at most", unit: "milliseconds" },
] as const;

/** Compares the first five groups of requests over time, by one measure at a time. */
export function GroupsOverTime(props: GroupsOverTimeProps) {
  const { period, overTime, filterOf, refetchInterval } = props;
  const trpc = useTRPC();
  const groups = props.groups
    .flatMap(({ key, name }) => {
      const filter = key !== null && filterOf(key);
      // Requests by credit tokens have no filter.
      if (!filter || (filter === "keyId" && !key.startsWith("key_"))) return [];
      return { name, filters: { [filter]: filter === "status" ? Number(key) : key } };
    })
    .slice(0, KEYS.length);
  const [chosen, choose] = useState<string>(measures[0].value);
  const reads = useQueries({
    queries: groups.map(({ filters }) => ({
      ...trpc.usage.read.queryOptions({ ...overTime, ...filters }),
      placeholderData: keepPreviousData,
      refetchInterval,
    })),
  });
  const { value: measure, question, unit } = measures.find(({ value }) => value === chosen) ?? measures[0];
  const found = reads.map(({ data }) => new Map(data?.usage.groups.map((group) => [group.key, group])));
  // A moment without requests cost nothing, and nothing took long.
  const numberAt = (nth: number, at: string) =>
    found[nth]?.get(at)?.[measure] ?? (unit === "milliseconds" ? null : 0);
  const points = period.moments.map((at) => ({
    at,
    a: numberAt(0, at),
    b: numberAt(1, at),
    c: numberAt(2, at),
    d: numberAt(3, at),
    e: numberAt(4, at),
  }));
  return (
    <div className="flex min-w-0 flex-col gap-3 rounded-md border p-4">
      <Segments label="Measure" options={measures} value={chosen} onChange={choose} />
      <ErrorNotice what="The groups could not be compared." error={reads.find(({ error }) => error)?.error} />
      <TimeChart
        question={`${question}, each ${period.step}?`}
        unit={unit}
        kind="line"
        series={KEYS.slice(0, groups.length).map((key, nth) => ({ key, label: groups[nth]?.name ?? "" }))}
        points={points}
        {...momentsOf(period.step)}
      />
    </div>
  );
}
