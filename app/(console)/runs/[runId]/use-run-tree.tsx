import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { runAt, runsAround } from "#app/(console)/runs/[runId]/opened-paths.ts";
import type { Opened } from "#app/(console)/runs/[runId]/read-opened.tsx";
import { stepTree } from "#app/(console)/runs/[runId]/step-tree.ts";
import { useWorkflow } from "#app/(console)/runs/[runId]/use-workflow.ts";
import { childrenOf, type Run } from "#app/(console)/runs/queries.ts";
import { useTRPC } from "#components/trpc.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";

const ReadOpened = inBrowser(() =>
  import("#app/(console)/runs/[runId]/read-opened.tsx").then(({ ReadOpened }) => ReadOpened),
);

const NONE: Opened = { runs: [], putInto: (steps) => steps };

/**
 * Returns a run's steps as a tree, with those of the child runs that are opened in it, which `reader` loads. At first, the
 * child runs around the chosen step are open.
 */
export function useRunTree(run: Run, chosen: string) {
  const trpc = useTRPC();
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(
    () => new Map(runsAround(chosen).map((path) => [path, true])),
  );
  const [read, setRead] = useState(NONE);
  const created = useQuery(trpc.runs.list.queryOptions(childrenOf(run.id))).data;
  const workflow = useWorkflow(run);
  const own = useMemo(() => stepTree(run, created?.runs, workflow), [run, created, workflow]);
  const paths = useMemo(
    () => [...opened].filter(([path, open]) => open && runAt(path) !== null).map(([path]) => path),
    [opened],
  );
  const steps = useMemo(() => read.putInto(own), [own, read]);

  const open = useCallback(
    (path: string, isOpen: boolean) => setOpened((before) => new Map(before).set(path, isOpen)),
    [],
  );
  /** Returns the run that a step belongs to. */
  const runOf = (inRun: string) => read.runs.find(({ id }) => id === inRun) ?? run;
  const reader = paths.length > 0 && <ReadOpened paths={paths} onRead={setRead} />;
  return { steps, opened, open, runOf, reader, hasMore: Boolean(created?.nextCursor) };
}
