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
  const [toggled, setToggled] = useState<ReadonlySet<string>>(() => new Set(runsAround(chosen)));
  const [opened, setOpened] = useState(NONE);
  const created = useQuery(trpc.runs.list.queryOptions(childrenOf(run.id))).data;
  const workflow = useWorkflow(run);
  const own = useMemo(() => stepTree(run, created?.runs, workflow), [run, created, workflow]);
  const paths = useMemo(() => [...toggled].filter((path) => runAt(path) !== null), [toggled]);
  const steps = useMemo(() => opened.putInto(own), [own, opened]);

  const toggle = useCallback((path: string) => {
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(path)) after.add(path);
      return after;
    });
  }, []);
  /** Returns the run that a step belongs to. */
  const runOf = (inRun: string) => opened.runs.find(({ id }) => id === inRun) ?? run;
  const reader = paths.length > 0 && <ReadOpened paths={paths} onRead={setOpened} />;
  return { steps, toggled, toggle, runOf, reader, hasMore: Boolean(created?.nextCursor) };
}
