import { setImmediate } from "node:timers/promises";
import type { Issue } from "#server/operation/errors.ts";
import { issuesOf } from "#server/operation/input.ts";
import { issueText } from "#server/operation/issue-text.ts";
import { checkTarget } from "./check-target.ts";
import { parsePiece, type Reference } from "./expressions.ts";
import { WORKFLOW_LIMITS } from "./limits.ts";
import { type Step, Workflow } from "./schema.ts";
import { piecesOf, textsIn } from "./template.ts";

/** How long expressions are parsed before other calls get a turn. */
const SLICE_MS = 10;

/** The names that an expression can read at its place, beside the input. */
interface Scope {
  /** The ids of earlier steps. */
  before: ReadonlySet<string>;
  /** Names that are known at some places only. */
  names: ReadonlySet<string>;
}

/** The places where these names are known. */
const PLACES = new Map([
  ["item", "inside a map"],
  ["index", "inside a map or a while step"],
  ["last", "inside a while step"],
  ["error", "inside the catch of a try step"],
  ["callback", "in an http step that has one"],
]);

/** Returns every fault of a workflow, by path; none if it can be executed. */
export async function checkWorkflow(workflow: unknown): Promise<Issue[]> {
  const parsed = Workflow.safeParse(workflow, { error: issueText });
  if (!parsed.success)
    return issuesOf(parsed.error, "").map(({ path, message }) => ({
      path: path.replace(/^\./, ""),
      message,
    }));
  return findFaults(parsed.data);
}

/**
 * Returns faults of a workflow beyond its form; `isStored` exempts faults that stored workflows may have. Yields to
 * other calls between expressions.
 */
export async function findFaults(workflow: Workflow, isStored = false): Promise<Issue[]> {
  const bytes = new TextEncoder().encode(JSON.stringify(workflow)).length;
  if (bytes > WORKFLOW_LIMITS.maximumBytes)
    return [
      { path: "", message: `The workflow has ${bytes} bytes; at most ${WORKFLOW_LIMITS.maximumBytes}.` },
    ];
  const issues: Issue[] = [];
  const ids = new Map<string, string>();
  let count = 0;
  let until = performance.now() + SLICE_MS;
  const after = await checkSteps(workflow.steps, "steps", 1, { before: new Set(), names: new Set() });
  await checkTexts(workflow.output, "output", { before: after, names: new Set() });
  if (count > WORKFLOW_LIMITS.maximumSteps)
    issues.push({
      path: "steps",
      message: `${count} steps in all; at most ${WORKFLOW_LIMITS.maximumSteps}.`,
    });
  return issues;

  /** Checks steps in order; returns the ids that later steps may refer to. */
  async function checkSteps(steps: Step[], path: string, depth: number, scope: Scope): Promise<Set<string>> {
    const before = new Set(scope.before);
    if (steps.length > 0 && depth > WORKFLOW_LIMITS.maximumDepth) {
      issues.push({ path, message: `Nested deeper than ${WORKFLOW_LIMITS.maximumDepth} levels.` });
      return before;
    }
    for (const [nth, step] of steps.entries()) {
      const here = `${path}.${nth}`;
      count += 1;
      takeId(step.id, here);
      issues.push(...checkTarget(step, here, isStored));
      const known = await checkStep(step, here, depth, { ...scope, before });
      for (const id of known) before.add(id);
      before.add(step.id);
    }
    return before;
  }

  /** Ids are unique within the workflow: steps and branches are known by them. */
  function takeId(id: string, path: string): void {
    const usedBy = ids.get(id);
    if (usedBy) issues.push({ path: `${path}.id`, message: `The id "${id}" is that of ${usedBy} already.` });
    else ids.set(id, path);
  }

  /** Checks a step's texts and nested steps; returns the ids that it adds beside its own. */
  async function checkStep(step: Step, path: string, depth: number, scope: Scope): Promise<Iterable<string>> {
    const inside = (steps: Step[], list: string, within: Scope) =>
      checkSteps(steps, `${path}.${list}`, depth + 1, within);
    const knowing = (...names: string[]): Scope => ({ ...scope, names: new Set([...scope.names, ...names]) });

    switch (step.type) {
      case "map":
        await checkTexts(step.items, `${path}.items`, scope);
        await inside(step.steps, "steps", knowing("item", "index"));
        return [];
      case "while":
        await checkTexts(step.when, `${path}.when`, knowing("index", "last"));
        await inside(step.steps, "steps", knowing("index", "last"));
        return [];
      case "branch": {
        const known: string[] = [];
        for (const [nth, { when, steps }] of step.cases.entries()) {
          await checkTexts(when, `${path}.cases.${nth}.when`, scope);
          known.push(...(await inside(steps, `cases.${nth}.steps`, scope)));
        }
        return [...known, ...(await inside(step.else ?? [], "else", scope))];
      }
      case "parallel": {
        const known: string[] = [];
        for (const [nth, { id, steps }] of step.branches.entries()) {
          takeId(id, `${path}.branches.${nth}`);
          known.push(...(await inside(steps, `branches.${nth}.steps`, scope)));
        }
        return known;
      }
      case "try": {
        if (!step.catch && !step.finally)
          issues.push({ path: `${path}.catch`, message: "Send catch, finally or both." });
        const tried = await inside(step.steps, "steps", scope);
        const caught = { ...knowing("error"), before: tried };
        const before = await inside(step.catch?.steps ?? [], "catch.steps", caught);
        return inside(step.finally ?? [], "finally", { ...scope, before });
      }
    }
    const { id: _, type: __, ...fields } = step;
    const called = step.type === "http" && step.callback ? knowing("callback") : scope;
    for (const [name, value] of Object.entries(fields)) await checkTexts(value, `${path}.${name}`, called);
    return [];
  }

  async function checkTexts(value: unknown, path: string, scope: Scope) {
    for (const { text, path: where } of textsIn(value, path))
      for (const piece of piecesOf(text)) {
        if (piece.type === "text") continue;
        if (performance.now() > until) {
          await setImmediate();
          until = performance.now() + SLICE_MS;
        }
        const { fault, references = [] } = parsePiece(piece);
        if (fault)
          issues.push({ path: where, message: `${fault.message}, at character ${fault.character}.` });
        for (const reference of references) checkReference(reference, where, scope);
      }
  }

  function checkReference([name, child]: Reference, path: string, { before, names }: Scope) {
    if (name === "input" || names.has(name)) return;
    const place = PLACES.get(name);
    if (name === "steps") {
      if (child !== null && !before.has(child))
        issues.push({ path, message: `No step "${child}" comes before this one.` });
    } else if (place) issues.push({ path, message: `${name} is only known ${place}.` });
    else
      issues.push({
        path,
        message: `Unknown name "${name}"; there are input, steps, ${[...PLACES.keys()].join(", ")}.`,
      });
  }
}
