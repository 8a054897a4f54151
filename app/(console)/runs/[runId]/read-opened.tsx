"use client";

import { useQueries } from "@tanstack/react-query";
import { useEffect } from "react";
import { runAt } from "#app/(console)/runs/[runId]/opened-paths.ts";
import { type OpenedRun, withOpened } from "#app/(console)/runs/[runId]/opened-runs.ts";
import type { StepNode } from "#app/(console)/runs/[runId]/step-tree.ts";
import { workflowQuery } from "#app/(console)/runs/[runId]/use-workflow.ts";
import { childrenOf, type Run } from "#app/(console)/runs/queries.ts";
import { sentWorkflow } from "#app/(console)/workflows/workflow.ts";
import { useTRPC } from "#components/trpc.tsx";

/** The child runs that have been read, and the function that adds their steps to the tree. */
export type Opened = { runs: readonly Run[]; putInto: (steps: StepNode[]) => StepNode[] };

type Props = { paths: readonly string[]; onRead: (opened: Opened) => void };

/** Loads and follows the child runs at these paths of the tree; shows nothing itself. */
export function ReadOpened({ paths, onRead }: Props) {
  const trpc = useTRPC();
  const ids = paths.map((path) => runAt(path) as string);
  const read = useQueries({
    queries: ids.map((runId) => trpc.runs.read.queryOptions({ runId })),
    combine: toData,
  });
  const lists = useQueries({
    queries: ids.map((runId) => trpc.runs.list.queryOptions(childrenOf(runId))),
    combine: toData,
  });
  const versions = useQueries({
    queries: read.map(({ data }) => workflowQuery(trpc, data?.run)),
    combine: toData,
  });
  useEffect(() => {
    const opened = paths.map((path, nth): [string, OpenedRun] => {
      const run = read[nth]?.data?.run;
      const workflow = versions[nth]?.data?.definition ?? (run && sentWorkflow(run));
      const failed = Boolean(read[nth]?.isError || lists[nth]?.isError);
      return [path, { run, created: lists[nth]?.data, workflow, failed }];
    });
    onRead({
      runs: opened.flatMap(([, { run }]) => run ?? []),
      putInto: (steps) => withOpened(steps, new Map(opened)),
    });
  }, [paths, read, lists, versions, onRead]);
  return null;
}

/** Declared outside, so that the result stays the same object while the data does. */
const toData = <Data,>(results: { data: Data | undefined; isError: boolean }[]) =>
  results.map(({ data, isError }) => ({ data, isError }));
