import type { Run } from "#app/(console)/runs/queries.ts";
import { routes } from "#components/routes.ts";

/** A step to draw, read leniently, because unfinished workflows are drawn too. */
export type DrawnStep = {
  id: string;
  type: string;
  /** The step's action, in a few words. */
  what: string;
  /** The steps inside it, in lists with titles. */
  inside: { title: string; steps: DrawnStep[] }[];
};

export type DrawnWorkflow = { name: string; steps: DrawnStep[] };

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const textOf = (value: unknown) =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

/** Returns the drawable parts of any JSON value. */
export function drawnWorkflow(value: unknown): DrawnWorkflow {
  const { name, steps } = fieldsOf(value);
  return { name: textOf(name) || "Workflow", steps: drawnSteps(steps) };
}

function drawnSteps(value: unknown): DrawnStep[] {
  if (!Array.isArray(value)) return [];
  return value.map((step) => {
    const fields = fieldsOf(step);
    const { id, type } = fields;
    return { id: textOf(id), type: textOf(type), what: whatOf(fields), inside: insideOf(fields) };
  });
}

function whatOf(step: Fields): string {
  const words: Record<string, unknown[]> = {
    invoke: [step.serviceId, step.operationId],
    operation: [step.operation],
    http: [step.method, step.url, step.callback ? "and wait to be called back" : ""],
    wait: [step.seconds, typeof step.seconds === "number" ? "s" : ""],
    await: ["for", eventsOf(step.events)],
    approval: [step.summary],
    artifact: [step.name],
    run: [step.name, typeof step.version === "number" ? `version ${step.version}` : ""],
    map: ["for each of", step.items],
    while: ["while", step.when],
  };
  return (words[textOf(step.type)] ?? []).map(textOf).filter(Boolean).join(" ");
}

function eventsOf(events: unknown): string {
  return listOf(events)
    .map(fieldsOf)
    .map(({ name, key }) => [name, key].map(textOf).filter(Boolean).join(" "))
    .join(" or ");
}

function insideOf(step: Fields): DrawnStep["inside"] {
  const { type, else: otherwise, concurrency, steps, maxIterations, finally: last } = step;
  const handler = fieldsOf(step.catch);
  const list = (title: string, steps: unknown) => ({ title, steps: drawnSteps(steps) });
  switch (type) {
    case "map":
      return [list(`${textOf(concurrency)} at a time`, steps)];
    case "while":
      return [list(`at most ${textOf(maxIterations)} times`, steps)];
    case "parallel":
      return listOf(step.branches)
        .map(fieldsOf)
        .map(({ id, steps }) => list(textOf(id), steps));
    case "try":
      return [
        list("try", steps),
        ...(step.catch === undefined ? [] : [list(caughtBy(handler.on), handler.steps)]),
        ...(last === undefined ? [] : [list("finally", last)]),
      ];
    case "branch":
      return [
        ...listOf(step.cases)
          .map(fieldsOf)
          .map(({ when, steps }) => list(`when ${textOf(when)}`, steps)),
        ...(otherwise === undefined ? [] : [list("else", otherwise)]),
      ];
    default:
      return [];
  }
}

function caughtBy(codes: unknown): string {
  return codes === undefined ? "catch" : `catch ${listOf(codes).map(textOf).join(" or ")}`;
}

/** Returns the page that runs it again: the editor for an inline workflow, otherwise the form of its operation. */
export function againPage(run: Run): string {
  const page = sentWorkflow(run) === null ? routes.runs : routes.workflows;
  return page.create({ from: run.id });
}

/** Returns the workflow that was sent inline with a run; null for any other run. */
export function sentWorkflow({ serviceId, operationId, input }: Run): unknown {
  const isSent = serviceId === "managed-workflows" && operationId === "execute";
  return isSent ? fieldsOf(input).workflow : null;
}

/** Returns a step of a workflow's source without the steps inside it: `steps.each[3].letter`. */
export function stepIn(workflow: unknown, path: string): unknown {
  const found = findStep(workflow, path);
  if (!found) return null;
  const inside = ["steps", "cases", "else", "branches", "catch", "finally"];
  return Object.fromEntries(Object.entries(found).filter(([name]) => !inside.includes(name)));
}

/** Returns the type of a workflow's step; empty if there is no step at this path. */
export function typeIn(workflow: unknown, path: string): string {
  return textOf(findStep(workflow, path)?.type);
}

function findStep(workflow: unknown, path: string): Fields | null {
  if (path.endsWith("]")) return null;
  const ids = path
    .split(".")
    .slice(1)
    .map((part) => part.replace(/\[[^\]]*\]$/, ""));
  let steps = fieldsOf(workflow).steps;
  let found: Fields | null = null;
  for (const id of ids) {
    found =
      listOf(steps)
        .map(fieldsOf)
        .find((step) => step.id === id) ?? null;
    if (!found) return null;
    steps = [
      ...listOf(found.steps),
      ...listOf(found.cases).flatMap((one) => listOf(fieldsOf(one).steps)),
      ...listOf(found.else),
      ...listOf(found.branches).flatMap((one) => listOf(fieldsOf(one).steps)),
      ...listOf(fieldsOf(found.catch).steps),
      ...listOf(found.finally),
    ];
  }
  return found;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
