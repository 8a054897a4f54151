import { expect, test } from "vitest";
import { runAt, runsAround } from "#app/(console)/runs/[runId]/opened-paths.ts";
import { type OpenedRun, withOpened } from "#app/(console)/runs/[runId]/opened-runs.ts";
import { findStep, scaleOf, stepTree, treeRows } from "#app/(console)/runs/[runId]/step-tree.ts";
import type { Run } from "#app/(console)/runs/queries.ts";

const begin = Date.parse("2027-01-31T12:00:00.000Z");
const at = (ms: number) => new Date(begin + ms).toISOString();

type Entry = [ms: number, step: string, data: Record<string, unknown>, type?: "step" | "retry"];

function runOf(entries: readonly Entry[], finished: number | null, status: Run["status"] = "succeeded"): Run {
  const timeline = entries.map(([ms, step, data, type = "step"], nth) => ({
    seq: nth + 1,
    at: at(ms),
    type,
    step,
    level: "info" as const,
    message: "It happened.",
    data,
  }));
  const finishedAt = finished === null ? null : at(finished);
  return { timeline, createdAt: at(0), finishedAt, status } as unknown as Run;
}

const done = (durationMs: number, chargedCredits = 0) => ({
  status: "succeeded",
  durationMs,
  chargedCredits,
});

test("puts steps inside those that they belong to, with their times and credits", () => {
  const tree = stepTree(
    runOf(
      [
        [10, "steps.each", { ...done(5), items: 2 }],
        [20, "steps.each[0].send", { status: "sent", requestId: "req_1" }],
        [60, "steps.each[0].send", done(40, 3)],
        [70, "steps.each[1].send", { status: "sent" }],
        [90, "steps.each[1].send", done(20, 4)],
      ],
      100,
    ),
  );
  expect(treeRows(tree, new Map()).map(({ node, depth }) => [depth, node.label])).toEqual([
    [1, "each"],
    [2, "item 1"],
    [3, "send"],
    [2, "item 2"],
    [3, "send"],
  ]);
  expect(tree[0]).toMatchObject({ from: begin + 5, to: begin + 90, credits: 7, status: "succeeded" });
  expect(tree[0]?.children[0]?.children[0]).toMatchObject({
    requestId: "req_1",
    spans: [{ from: begin + 20, to: begin + 60, kind: "work" }],
  });
});

test("distinguishes work from waits, approvals and pauses before a retry", () => {
  const tree = stepTree(
    runOf(
      [
        [0, "steps.ask", { status: "waiting", approvalId: "appr_1" }],
        [50, "steps.ask", done(1)],
        [60, "steps.get", { status: "sent" }],
        [70, "steps.get", { code: "service_failed", attempt: 1, nextAttempt: 2, delayMs: 30 }, "retry"],
        [100, "steps.get", { status: "sent" }],
        [120, "steps.pause", { status: "waiting", seconds: 60 }],
      ],
      null,
      "running",
    ),
  );
  expect(
    tree.map(({ label, status, attempts, spans }) => [label, status, attempts, spans.map((s) => s.kind)]),
  ).toEqual([
    ["ask", "succeeded", 1, ["approval"]],
    ["get", "running", 2, ["work", "retry", "work"]],
    ["pause", "waiting", 1, ["wait"]],
  ]);
  expect(tree[2]?.to).toBeNull();
});

test("ends open steps with their run, and shows where it failed", () => {
  const tree = stepTree(
    runOf(
      [
        [0, "steps.pause", { status: "waiting" }],
        [10, "steps.group.bad", { status: "failed", code: "not_found" }],
      ],
      40,
      "failed",
    ),
  );
  expect(tree.map(({ label, status, to }) => [label, status, (to ?? 0) - begin])).toEqual([
    ["pause", "failed", 40],
    ["group", "failed", 10],
  ]);
});

test("puts an agent's calls inside the answer that made them, and its runs beside", () => {
  const tree = stepTree(
    runOf(
      [
        [10, "model 1", done(10)],
        [20, "tool 1.1, runs_create, approval", { status: "waiting", approvalId: "appr_1" }],
        [30, "tool 1.1, runs_create", { status: "sent", requestId: "req_1" }],
        [50, "tool 1.1, runs_create", done(20)],
      ],
      60,
    ),
    [
      {
        id: "run_1",
        name: null,
        serviceId: "managed-memory",
        operationId: "put",
        status: "queued",
        createdAt: at(40),
        finishedAt: null,
        chargedCredits: 0,
      },
    ],
  );
  expect(treeRows(tree, new Map()).map(({ node, depth }) => [depth, node.label])).toEqual([
    [1, "model 1"],
    [2, "runs_create"],
    [3, "approval"],
    [3, "managed-memory put"],
  ]);
});

test("closes steps with many neighbours at first, and keeps the scale of a running run steady", () => {
  const entries = Array.from({ length: 1000 }, (_, nth): Entry => [nth, `steps.each[${nth}].send`, done(1)]);
  const tree = stepTree(runOf(entries, 1000));
  expect(treeRows(tree, new Map())).toHaveLength(1001);
  expect(treeRows(tree, new Map([["steps.each[7]", true]]))).toHaveLength(1002);
  expect(treeRows(tree, new Map([["steps.each", false]]))).toHaveLength(1);
  expect([scaleOf(1200, true), scaleOf(1400, true), scaleOf(1600, true), scaleOf(1600, false)]).toEqual([
    1500, 1500, 2000, 1600,
  ]);
});

test("keeps what a person opened and closed while the tree grows", () => {
  const opened = new Map([
    ["steps.each[0]", true],
    ["steps.each[1]", false],
  ]);
  const linesOf = (items: number) => {
    const entries = Array.from(
      { length: items },
      (_, nth): Entry => [nth, `steps.each[${nth}].send`, done(1)],
    );
    return treeRows(stepTree(runOf(entries, null, "running")), opened).map(({ node, open }) => [
      node.label,
      open,
    ]);
  };
  const kept = [
    ["each", true],
    ["item 1", true],
    ["send", null],
    ["item 2", false],
  ];
  expect(linesOf(3).slice(0, 5)).toEqual([...kept, ["item 3", true]]);
  expect(linesOf(30).slice(0, 5)).toEqual([...kept, ["item 3", false]]);
});

test("shows branches, and a failure that was caught, as parts of their steps", () => {
  const failed = { status: "failed", code: "service_failed" };
  const tree = stepTree(
    runOf(
      [
        [0, "steps.order", done(0)],
        [1, "steps.order.both", done(0)],
        [2, "steps.order.both[stock].ask", { status: "waiting", approvalId: "appr_1" }],
        [3, "steps.order.both[card].charge", failed],
        [4, "steps.order.both[stock].ask", { status: "cancelled" }],
        [9, "steps.order[catch].refund", done(4)],
        [20, "steps.order[finally].unlock", done(5)],
      ],
      30,
    ),
  );
  expect(treeRows(tree, new Map()).map(({ node, depth }) => [depth, node.label, node.status])).toEqual([
    [1, "order", "succeeded"],
    [2, "both", "failed"],
    [3, "stock", "cancelled"],
    [4, "ask", "cancelled"],
    [3, "card", "failed"],
    [4, "charge", "failed"],
    [2, "catch", "succeeded"],
    [3, "refund", "succeeded"],
    [2, "finally", "succeeded"],
    [3, "unlock", "succeeded"],
  ]);
});

test("calls the rounds of a while iterations, and those of a map items", () => {
  const loop = { id: "poll", type: "while", steps: [{ id: "ask", type: "http" }] };
  const workflow = { name: "Loops", steps: [loop, { id: "each", type: "map", steps: [loop] }] };
  const entries: Entry[] = [
    [0, "steps.poll[0].ask", done(0)],
    [1, "steps.poll[1].ask", done(0)],
    [2, "steps.each[0].poll[0].ask", done(0)],
  ];
  const tree = stepTree(runOf(entries, 10), [], workflow);
  expect(treeRows(tree, new Map()).map(({ node, depth }) => [depth, node.label])).toEqual([
    [1, "poll"],
    [2, "iteration 1"],
    [3, "ask"],
    [2, "iteration 2"],
    [3, "ask"],
    [1, "each"],
    [2, "item 1"],
    [3, "poll"],
    [4, "iteration 1"],
    [5, "ask"],
  ]);
});

const childRun = (id: string, finished: number | null, chargedCredits = 0) => ({
  ...runOf([[45, "steps.letter", done(3, 2)]], finished),
  id,
  parentId: "run_1",
  name: "Write",
  serviceId: "managed-workflows",
  operationId: "execute",
  createdAt: at(40),
  chargedCredits,
});

test("puts the steps of an opened child run inside it, and says what is missing", () => {
  const parent = { ...runOf([[30, "steps.make", { ...done(5), runId: "run_2" }]], 35), id: "run_1" };
  const tree = stepTree(parent, [childRun("run_2", 60, 2)]);
  const linesOf = (opened: OpenedRun | null, open = true) => {
    const steps = opened ? withOpened(tree, new Map([["run_2", opened]])) : tree;
    return treeRows(steps, new Map([["run_2", open]])).map(({ node, depth, open }) => [
      depth,
      node.label,
      open,
    ]);
  };
  expect(linesOf(null, false)).toEqual([
    [1, "make", true],
    [2, "Write", false],
  ]);
  const loading = { run: undefined, created: undefined, workflow: null, failed: false };
  expect(linesOf(loading).at(-1)).toEqual([3, "Loading its steps…", null]);
  expect(linesOf({ ...loading, failed: true }).at(-1)).toEqual([3, "Its steps could not be loaded.", null]);
  const run = childRun("run_2", 60, 2);
  const created = { runs: [childRun("run_3", null)], nextCursor: "more" };
  expect(linesOf({ ...loading, run, created }).slice(2)).toEqual([
    [3, "Write", false],
    [3, "letter", null],
    [3, "It started more runs than are shown here.", null],
  ]);
  const without = { run: { ...run, timeline: [] }, created: { runs: [], nextCursor: null } };
  expect(linesOf({ ...loading, ...without }).at(-1)).toEqual([3, "It has no steps.", null]);

  const both = new Map([
    ["run_2", { ...loading, run, created }],
    ["run_2/run_3", { ...loading, run: childRun("run_3", null), created: { runs: [], nextCursor: null } }],
  ]);
  const deepest = findStep(withOpened(tree, both), "run_2/run_3/steps.letter");
  expect(deepest).toMatchObject({ name: "steps.letter", inRun: "run_3", credits: 2, from: begin + 42 });
  expect(runsAround("run_2/run_3/steps.letter")).toEqual(["run_2", "run_2/run_3"]);
  expect([runAt("run_2/run_3"), runAt("run_2/steps.letter"), runAt("steps.letter")]).toEqual([
    "run_3",
    null,
    null,
  ]);
});

test("ends a step with its own work, though the run that it created goes on", () => {
  const parent = { ...runOf([[30, "steps.make", { ...done(5), runId: "run_2" }]], 35), id: "run_1" };
  const [make] = stepTree(parent, [childRun("run_2", null)]);
  expect(make).toMatchObject({ from: begin + 25, to: begin + 30, credits: 0 });
});
