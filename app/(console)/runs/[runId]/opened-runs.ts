import { newNode, type StepNode, stepTree } from "#app/(console)/runs/[runId]/step-tree.ts";
import type { Run } from "#app/(console)/runs/queries.ts";

/** The data of a child run that is opened in the tree; undefined until loaded. */
export type OpenedRun = {
  run: Run | undefined;
  created: { runs: readonly Run[]; nextCursor: string | null } | undefined;
  workflow: unknown;
  failed: boolean;
};

/** Returns the tree with the steps of the opened child runs, which are keyed by their paths. */
export function withOpened(
  nodes: readonly StepNode[],
  opened: ReadonlyMap<string, OpenedRun>,
  prefix = "",
): StepNode[] {
  return nodes.map((node) => {
    const path = prefix + node.path;
    const child = node.runId === null ? undefined : opened.get(path);
    if (node.runId === null) return { ...node, path, children: withOpened(node.children, opened, prefix) };
    if (!child) return { ...node, path };
    return { ...node, path, children: withOpened(insideOf(node, child), opened, `${path}/`) };
  });
}

function insideOf(node: StepNode, { run, created, workflow, failed }: OpenedRun): StepNode[] {
  if (!run || !created)
    return [noteIn(node, failed ? "Its steps could not be loaded." : "Loading its steps…")];
  const steps = stepTree(run, created.runs, workflow);
  if (created.nextCursor) steps.push(noteIn(node, "It started more runs than are shown here."));
  return steps.length > 0 ? steps : [noteIn(node, "It has no steps.")];
}

const noteIn = ({ from, runId }: StepNode, label: string): StepNode => ({
  ...newNode(runId ?? "", "note", label, from),
  isNote: true,
});
