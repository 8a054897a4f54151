import { setImmediate } from "node:timers/promises";
import type { Issue } from "#server/operation/errors.ts";
import { issuesOf } from "#server/operation/input.ts";
import { issueText } from "#server/operation/issue-text.ts";
import { checkTarget } from "./check-target.ts";
import { parsePiece, type Reference } from "./expressions.ts";
import { type Step, WORKFLOW_LIMITS, Workflow } from "./schema.ts";
import { piecesOf, textsIn } from "./template.ts";

/** How long expressions are parsed in one go. */
const SLICE_MS = 10;

/** What an expression can see where it stands. */
interface Scope {
  /** The ids of the steps that come before. */
  before: ReadonlySet<string>;
  /** Whether it stands inside a map. */
  mapped: boolean;
  /** Whether it stands in a step that is called back. */
  called?: boolean;
}

/** Everything that is wrong with a workflow, by paths within it; nothing where it can be executed. */
export async function checkWorkflow(workflow: unknown): Promise<Issue[]> {
  const parsed = Workflow.safeParse(workflow, { error: issueText });
  if (!parsed.success)
    return issuesOf(parsed.error, "").map(({ path, message }) => ({
      path: path.replace(/^\./, ""),
      message,
    }));
  return findFaults(parsed.data);
}

/** What is wrong with a workflow beyond its form. Others' calls go on between the expressions. */
export async function findFaults(workflow: Workflow): Promise<Issue[]> {
  const bytes = new TextEncoder().encode(JSON.stringify(workflow)).length;
  if (bytes > WORKFLOW_LIMITS.maximumBytes)
    return [
      { path: "", message: `The workflow has ${bytes} bytes; at most ${WORKFLOW_LIMITS.maximumBytes}.` },
    ];
  const issues: Issue[] = [];
  const ids = new Map<string, string>();
  let until = performance.now() + SLICE_MS;
  const after = await checkSteps(workflow.steps, "steps", 1, { before: new Set(), mapped: false });
  await checkTexts(workflow.output, "output", { before: after, mapped: false });
  if (ids.size > WORKFLOW_LIMITS.maximumSteps)
    issues.push({
      path: "steps",
      message: `${ids.size} steps in all; at most ${WORKFLOW_LIMITS.maximumSteps}.`,
    });
  return issues;

  /** Checks steps in their order; answers the ids that may be referred to after them. */
  async function checkSteps(steps: Step[], path: string, depth: number, scope: Scope): Promise<Set<string>> {
    const before = new Set(scope.before);
    if (depth > WORKFLOW_LIMITS.maximumDepth) {
      issues.push({ path, message: `Nested deeper than ${WORKFLOW_LIMITS.maximumDepth} levels.` });
      return before;
    }
    for (const [nth, step] of steps.entries()) {
      const here = `${path}.${nth}`;
      const taken = ids.get(step.id);
      if (taken)
        issues.push({ path: `${here}.id`, message: `The id "${step.id}" is that of ${taken} already.` });
      else ids.set(step.id, here);
      issues.push(...checkTarget(step, here));
      const known = await checkStep(step, here, depth, { before, mapped: scope.mapped });
      for (const id of known) before.add(id);
      before.add(step.id);
    }
    return before;
  }

  /** Checks a step's texts and the steps inside it; answers the ids that it makes known beside its own. */
  async function checkStep(step: Step, path: string, depth: number, scope: Scope): Promise<Iterable<string>> {
    if (step.type === "map") {
      await checkTexts(step.items, `${path}.items`, scope);
      await checkSteps(step.steps, `${path}.steps`, depth + 1, { ...scope, mapped: true });
      return [];
    }
    if (step.type === "branch") {
      const known: string[] = [];
      for (const [nth, { when, steps }] of step.cases.entries()) {
        await checkTexts(when, `${path}.cases.${nth}.when`, scope);
        known.push(...(await checkSteps(steps, `${path}.cases.${nth}.steps`, depth + 1, scope)));
      }
      return [...known, ...(await checkSteps(step.else ?? [], `${path}.else`, depth + 1, scope))];
    }
    const { id: _, type: __, ...fields } = step;
    const called = step.type === "http" && step.callback !== undefined;
    for (const [name, value] of Object.entries(fields))
      await checkTexts(value, `${path}.${name}`, { ...scope, called });
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

  function checkReference([name, child]: Reference, path: string, { before, mapped, called }: Scope) {
    if (name === "steps" && child !== null && !before.has(child))
      issues.push({ path, message: `No step "${child}" comes before this one.` });
    else if ((name === "item" || name === "index") && !mapped)
      issues.push({ path, message: `${name} is only known inside a map.` });
    else if (name === "callback") {
      if (!called) issues.push({ path, message: "callback is only known in an http step that has one." });
    } else if (!["input", "steps", "item", "index"].includes(name))
      issues.push({ path, message: `Unknown name "${name}"; there are input, steps, item and index.` });
  }
}
