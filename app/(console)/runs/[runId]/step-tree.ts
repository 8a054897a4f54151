import type { Run } from "#app/(console)/runs/queries.ts";
import { typeIn } from "#app/(console)/workflows/workflow.ts";

type Entry = Run["timeline"][number];

/** An interval of a step's time, in Unix milliseconds; `to` is null while it lasts. */
export type Span = { from: number; to: number | null; kind: "work" | "wait" | "approval" | "retry" };

/** A step of a run, with the steps inside it and the runs that it has created. */
export type StepNode = {
  /** Its address in the tree: the name, behind the ids of the child runs that it is inside. */
  path: string;
  /** The step's name in the run; for a created run, its id. */
  name: string;
  /** The run whose step it is, or whose step created it. */
  inRun: string;
  label: string;
  children: StepNode[];
  status: string;
  spans: Span[];
  from: number;
  to: number | null;
  credits: number;
  attempts: number;
  error: { code: string; message: string } | null;
  approvalId: string | null;
  requestId: string | null;
  /** The ids of the child runs that it waits for. */
  started: string[];
  /** Set if it is a run of its own. */
  runId: string | null;
  /** True for a line that only says something, such as that the steps of a child run are loading. */
  isNote: boolean;
};

type ChildRun = Pick<
  Run,
  "id" | "name" | "serviceId" | "operationId" | "status" | "createdAt" | "finishedAt" | "chargedCredits"
>;

const isLive = (status: string) =>
  ["running", "waiting", "awaiting_approval", "retrying", "queued"].includes(status);

/**
 * Returns a run's timeline as a tree of its steps, in the order in which they began; `workflow` gives the titles of
 * loops.
 */
export function stepTree(run: Run, children: readonly ChildRun[] = [], workflow: unknown = null): StepNode[] {
  const nodes = new Map<string, StepNode>();
  const roots: StepNode[] = [];
  const end = run.finishedAt === null ? null : Date.parse(run.finishedAt);

  function nodeAt(path: string, at: number): StepNode {
    const known = nodes.get(path);
    if (known) return known;
    const node = newNode(run.id, path, labelOf(path, workflow), at);
    nodes.set(path, node);
    const above = parentOf(path);
    (above === null ? roots : nodeAt(above, at).children).push(node);
    return node;
  }

  for (const entry of run.timeline)
    if (entry.step && (entry.type === "step" || entry.type === "retry"))
      note(nodeAt(entry.step, Date.parse(entry.at)), entry);
  for (const child of children) holderOf(nodes, child).push(nodeOf(run.id, child));
  for (const node of roots) sumUp(node, end, run.status);
  return roots.sort(inOrder);

  function holderOf(all: ReadonlyMap<string, StepNode>, { id, createdAt }: ChildRun): StepNode[] {
    const starter = [...all.values()].find(({ started }) => started.includes(id));
    if (starter) return starter.children;
    const at = Date.parse(createdAt);
    const holder = [...all.values()].find(
      ({ requestId, spans }) =>
        requestId !== null &&
        spans.some(({ from, to }) => from <= at && at <= (to ?? Number.POSITIVE_INFINITY)),
    );
    return holder?.children ?? roots;
  }
}

export function newNode(inRun: string, name: string, label: string, at: number): StepNode {
  const nothing = { error: null, approvalId: null, requestId: null, started: [], runId: null };
  return {
    path: name,
    name,
    inRun,
    label,
    children: [],
    status: "",
    spans: [],
    from: at,
    to: at,
    credits: 0,
    attempts: 1,
    isNote: false,
    ...nothing,
  };
}

function nodeOf(inRun: string, run: ChildRun): StepNode {
  const [from, to] = [Date.parse(run.createdAt), run.finishedAt === null ? null : Date.parse(run.finishedAt)];
  return {
    ...newNode(inRun, run.id, run.name ?? `${run.serviceId} ${run.operationId}`, from),
    status: run.status,
    spans: [{ from, to, kind: "work" }],
    to,
    credits: run.chargedCredits,
    runId: run.id,
  };
}

/**
 * Returns the parent's path: `steps.each[1].letter` is inside `steps.each[1]`, and that inside `steps.each`. The same
 * holds for branches and catches; an agent's tool calls are inside the model's answer.
 */
function parentOf(path: string): string | null {
  if (path.startsWith("steps")) {
    const above = path.endsWith("]")
      ? path.slice(0, path.lastIndexOf("["))
      : path.slice(0, path.lastIndexOf("."));
    return above === "steps" || above === "" ? null : above;
  }
  const [, call, part] = /^(tool \d+\.\d+, [^,]+)(, .+)?$/.exec(path) ?? [];
  if (part) return call as string;
  const step = /^tool (\d+)\./.exec(path)?.[1];
  return step ? `model ${step}` : null;
}

function labelOf(path: string, workflow: unknown): string {
  if (path.endsWith("]")) {
    const bracket = path.lastIndexOf("[");
    const part = path.slice(bracket + 1, -1);
    if (!/^\d+$/.test(part)) return part;
    const counted = typeIn(workflow, path.slice(0, bracket)) === "while" ? "iteration" : "item";
    return `${counted} ${Number(part) + 1}`;
  }
  if (path.startsWith("steps")) return path.slice(path.lastIndexOf(".") + 1);
  return path.slice(path.lastIndexOf(", ") + 1).trim();
}

const text = (value: unknown) => (typeof value === "string" ? value : null);
const number = (value: unknown) => (typeof value === "number" ? value : 0);

function note(node: StepNode, { type, at, message, data }: Entry): void {
  const time = Date.parse(at);
  const fields = data ?? {};
  const code = text(fields.code) ?? "";
  const open = node.spans.find(({ to }) => to === null);
  if (open) open.to = time;
  node.requestId = text(fields.requestId) ?? node.requestId;
  node.approvalId = text(fields.approvalId) ?? node.approvalId;
  if (typeof fields.runId === "string") node.started.push(fields.runId);
  if (type === "retry") {
    if (!open) node.spans.push({ from: time, to: time, kind: "work" });
    node.spans.push({ from: time, to: time + number(fields.delayMs), kind: "retry" });
    node.attempts = number(fields.nextAttempt) || node.attempts + 1;
    node.error = { code, message };
    node.status = "retrying";
    return;
  }
  switch (fields.status) {
    case "sent":
      node.spans.push({ from: time, to: null, kind: "work" });
      node.status = "running";
      return;
    case "waiting":
      node.spans.push({ from: time, to: null, kind: node.approvalId ? "approval" : "wait" });
      node.status = node.approvalId ? "awaiting_approval" : "waiting";
      return;
    case "succeeded":
      if (!open) node.spans.push({ from: time - number(fields.durationMs), to: time, kind: "work" });
      node.credits += number(fields.chargedCredits);
      node.error = null;
      node.status = "succeeded";
      return;
    default:
      if (!open) node.spans.push({ from: time, to: time, kind: "work" });
      node.error = { code, message };
      node.status = text(fields.status) ?? "failed";
  }
}

/** Orders the items of a list by index, and all other steps by their start. */
function inOrder(a: StepNode, b: StepNode): number {
  const [one, other] = [itemOf(a.path), itemOf(b.path)];
  return one !== null && other !== null ? one - other : a.from - b.from;
}

function itemOf(path: string): number | null {
  const item = /\[(\d+)\]$/.exec(path)?.[1];
  return item === undefined ? null : Number(item);
}

/** Gives a step the times of the steps inside it, and closes steps that the ended run has left open. */
function sumUp(node: StepNode, end: number | null, ended: string): void {
  if (end !== null && node.runId === null) {
    for (const span of node.spans) if (span.to === null || span.to > end) span.to = end;
    if (isLive(node.status)) node.status = ended === "succeeded" ? "succeeded" : ended;
  }
  for (const child of node.children) if (child.runId === null) sumUp(child, end, ended);
  node.children.sort(inOrder);
  // Runs that it created may outlast it.
  const times = [...node.spans, ...node.children.filter(({ runId }) => runId === null)];
  const froms = times.map(({ from }) => from);
  const tos = times.map(({ to }) => to);
  node.from = Math.min(node.from, ...froms);
  node.to = tos.includes(null) ? null : Math.max(node.from, ...(tos as number[]));
  node.credits += node.children.reduce((sum, { credits, runId }) => sum + (runId ? 0 : credits), 0);
  const states = decisive(node).map(({ status }) => status);
  if (states.some(isLive)) node.status = "running";
  else if (states.includes("failed") && node.status !== "retrying") node.status = "failed";
  else if (node.status === "") node.status = states.at(-1) ?? "succeeded";
}

/** Returns the inner steps that decide a step's state: those of the catch if its failure was caught. */
function decisive({ path, children }: StepNode): StepNode[] {
  const own = children.filter(({ runId }) => runId === null);
  const isCaught = own.some((child) => child.path === `${path}[catch]`);
  return isCaught ? own.filter((child) => child.path.startsWith(`${path}[`)) : own;
}

/** A line of the tree, as drawn. */
export type TreeRow = { node: StepNode; depth: number; place: number; among: number; open: boolean | null };

/** A step with more inner steps than this is closed at first. */
const CLOSED_FROM = 20;

/**
 * Returns the visible lines. `chosen` says of paths whether the person opened or closed them; which others are open may
 * change while steps are added. Child runs are closed at first.
 */
export function treeRows(
  nodes: readonly StepNode[],
  chosen: ReadonlyMap<string, boolean>,
  depth = 1,
): TreeRow[] {
  return nodes.flatMap((node, nth) => {
    const inside = node.children.length > 0 || node.runId !== null;
    const isClosed = node.runId !== null || (nodes.length > CLOSED_FROM && node.status !== "failed");
    const open = inside ? (chosen.get(node.path) ?? !isClosed) : null;
    const row = { node, depth, place: nth + 1, among: nodes.length, open };
    return open ? [row, ...treeRows(node.children, chosen, depth + 1)] : [row];
  });
}

/** Returns the step or run with this path, anywhere in the tree. */
export function findStep(nodes: readonly StepNode[], path: string): StepNode | null {
  for (const node of nodes) {
    const found = node.path === path ? node : findStep(node.children, path);
    if (found && !found.isNote) return found;
  }
  return null;
}

const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/**
 * Returns the end of the time scale; for a running run beyond the present, so that the bars do not shrink all the time.
 */
export function scaleOf(ms: number, goesOn: boolean): number {
  const least = Math.max(ms, 10);
  if (!goesOn) return least;
  const unit = 10 ** Math.floor(Math.log10(least));
  return (STEPS.find((step) => step * unit > least) ?? 10) * unit;
}
