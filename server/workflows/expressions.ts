import jsonata from "jsonata";
import { WORKFLOW_LIMITS } from "./limits.ts";
import type { Piece } from "./template.ts";

/** A reference of an expression to its scope: `["steps", "greet"]`, `["input"]`. */
export type Reference = readonly [name: string, child: string | null];

/** The references of an expression, or its fault. `character` counts from 1 in the whole text. */
export type ParsedExpression =
  | { references: Reference[]; fault?: undefined }
  | { references?: undefined; fault: { message: string; character: number } };

/** More than any expression that a person writes. */
const MAX_DOTS = 250;

/** Parses an expression of a text without evaluating it. */
export function parsePiece({ type, value, position }: Piece): ParsedExpression {
  const most = WORKFLOW_LIMITS.maximumExpressionCharacters;
  if (type === "unclosed") return { fault: { message: "A {% that no %} closes", character: position - 1 } };
  if (value.length > most)
    return { fault: { message: `An expression of more than ${most} characters`, character: position + 1 } };
  // The parser's time grows with the square of a path's steps.
  if (value.split(".").length > MAX_DOTS)
    return {
      fault: { message: `An expression with ${MAX_DOTS} dots or more`, character: position + 1 },
    };
  try {
    const references: Reference[] = [];
    collect(jsonata(value).ast(), true, references);
    return { references };
  } catch (reason) {
    if (reason instanceof RangeError)
      return { fault: { message: "Nested too deeply", character: position + 1 } };
    // jsonata reports where the token ends that it could not take.
    const { message, position: end = 1 } = reason as { message: string; position?: number };
    return { fault: { message: message.replace(/\.+$/, ""), character: position + end } };
  }
}

/** A node of jsonata's tree, typed for the fields that are read. */
interface Node {
  type?: string;
  value?: unknown;
  steps?: Node[];
}

/** The fields of a node or path step that are evaluated on the node's selection, not on the scope. */
const ON_SELECTION = new Set(["stages", "predicate", "group", "terms", "pattern", "update", "delete"]);

/** Collects references; `outside`: the node is evaluated on the scope itself. */
function collect(node: unknown, outside: boolean, found: Reference[]): void {
  if (Array.isArray(node)) for (const child of node) collect(child, outside, found);
  if (typeof node !== "object" || node === null || Array.isArray(node)) return;
  const { type, steps } = node as Node;
  if (type === "path" && steps) {
    const reference = referenceOf(steps, outside);
    if (reference) found.push(reference);
    for (const [nth, step] of steps.entries()) collect(step, outside && nth === 0, found);
  }
  for (const [field, child] of Object.entries(node))
    if (field !== "steps" || type !== "path") collect(child, outside && !ON_SELECTION.has(field), found);
}

/**
 * Returns the reference at the beginning of a path: `$$` always stands for the scope, `$` and a bare name only if
 * nothing was selected yet.
 */
function referenceOf(steps: Node[], outside: boolean): Reference | null {
  const [first] = steps;
  const explicit = first?.type === "variable" && (first.value === "$" || (first.value === "" && outside));
  const [name, child] = explicit ? steps.slice(1) : outside ? steps : [];
  if (name?.type !== "name") return null;
  return [String(name.value), child?.type === "name" ? String(child.value) : null];
}
