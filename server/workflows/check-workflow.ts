import type { Issue } from "#server/operation/errors.ts";
import { issuesOf } from "#server/operation/input.ts";
import { issueText } from "#server/operation/issue-text.ts";
import { checkTarget } from "./check-target.ts";
import { parsePiece, type Reference } from "./expressions.ts";
import { type Step, WORKFLOW_LIMITS, Workflow } from "./schema.ts";
import { piecesOf, textsIn } from "./template.ts";

/** What an expression can see where it stands. */
interface Scope {
  /** The ids of the steps that come before. */
  before: ReadonlySet<string>;
  /** Whether it stands inside a map. */
  mapped: boolean;
}

/** Everything that is wrong with a workflow, by paths within it; nothing where it can be executed. */
export function checkWorkflow(workflow: unknown): Issue[] {
  const parsed = Workflow.safeParse(workflow, { error: issueText });
  if (!parsed.success)
    return issuesOf(parsed.error, "").map(({ path, message }) => ({
      path: path.replace(/^\./, ""),
      message,
    }));
  return findFaults(parsed.data);
}

/** What is wrong with a workflow beyond its form. */
export function findFaults(workflow: Workflow): Issue[] {
  const issues: Issue[] = [];
  const ids = new Map<string, string>();
  const bytes = new TextEncoder().encode(JSON.stringify(workflow)).length;
  if (bytes > WORKFLOW_LIMITS.maximumBytes)
    issues.push({
      path: "",
      message: `The workflow has ${bytes} bytes; at most ${WORKFLOW_LIMITS.maximumBytes}.`,
    });
  const after = checkSteps(workflow.steps, "steps", 1, { before: new Set(), mapped: false });
  checkTexts(workflow.output, "output", { before: after, mapped: false });
  if (ids.size > WORKFLOW_LIMITS.maximumSteps)
    issues.push({
      path: "steps",
      message: `${ids.size} steps in all; at most ${WORKFLOW_LIMITS.maximumSteps}.`,
    });
  return issues;

  /** Checks steps in their order; answers the ids that may be referred to after them. */
  function checkSteps(steps: Step[], path: string, depth: number, scope: Scope): Set<string> {
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
      for (const id of checkStep(step, here, depth, { before, mapped: scope.mapped })) before.add(id);
      before.add(step.id);
    }
    return before;
  }

  /** Checks a step's texts and the steps inside it; answers the ids that it makes known beside its own. */
  function checkStep(step: Step, path: string, depth: number, scope: Scope): Iterable<string> {
    if (step.type === "map") {
      checkTexts(step.items, `${path}.items`, scope);
      checkSteps(step.steps, `${path}.steps`, depth + 1, { ...scope, mapped: true });
      return [];
    }
    if (step.type === "branch") {
      const known = step.cases.flatMap(({ when, steps }, nth) => {
        checkTexts(when, `${path}.cases.${nth}.when`, scope);
        return [...checkSteps(steps, `${path}.cases.${nth}.steps`, depth + 1, scope)];
      });
      return [...known, ...checkSteps(step.else ?? [], `${path}.else`, depth + 1, scope)];
    }
    const { id: _, type: __, ...fields } = step;
    for (const [name, value] of Object.entries(fields)) checkTexts(value, `${path}.${name}`, scope);
    return [];
  }

  function checkTexts(value: unknown, path: string, scope: Scope) {
    for (const { text, path: where } of textsIn(value, path))
      for (const piece of piecesOf(text)) {
        if (piece.type === "text") continue;
        const { fault, references = [] } = parsePiece(piece);
        if (fault)
          issues.push({ path: where, message: `${fault.message}, at character ${fault.character}.` });
        for (const reference of references) checkReference(reference, where, scope);
      }
  }

  function checkReference([name, child]: Reference, path: string, { before, mapped }: Scope) {
    if (name === "steps" && child !== null && !before.has(child))
      issues.push({ path, message: `No step "${child}" comes before this one.` });
    else if ((name === "item" || name === "index") && !mapped)
      issues.push({ path, message: `${name} is only known inside a map.` });
    else if (!["input", "steps", "item", "index"].includes(name))
      issues.push({ path, message: `Unknown name "${name}"; there are input, steps, item and index.` });
  }
}
