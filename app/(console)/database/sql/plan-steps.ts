/** A step of a plan, as `explain (format json)` returns it. */
export type Step = {
  "Node Type": string;
  "Total Cost": number;
  "Plan Rows": number;
  "Actual Total Time"?: number;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  Plans?: Step[];
} & Record<string, unknown>;

/** The properties that narrow or order the rows of a step. */
const DETAILS = [
  "Sort Key",
  "Index Cond",
  "Recheck Cond",
  "Hash Cond",
  "Merge Cond",
  "Join Filter",
  "Filter",
];

/** Describes a step and its objects in words. */
export function nameOf(step: Step): string {
  const index = step["Index Name"] === undefined ? "" : ` by ${String(step["Index Name"])}`;
  const relation = step["Relation Name"] ?? step["CTE Name"] ?? step["Function Name"];
  return `${step["Node Type"]}${index}${relation === undefined ? "" : ` on ${String(relation)}`}`;
}

/** Returns the conditions of a step, one a line. */
export const detailsOf = (step: Step): string[] =>
  DETAILS.filter((name) => step[name] !== undefined).map((name) => `${name}: ${String(step[name])}`);

const allOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(allOf)];

const actionOf = (step: Step) => [nameOf(step), ...detailsOf(step)].join("\n");

/**
 * Pairs the steps of two plans that do the same, wherever they stand: a step that was inserted changes no other.
 * Returns the pairs in both directions; a step without a pair is new in its plan.
 */
export function pairsOf(one: Step, other: Step): Map<Step, Step> {
  const left = Map.groupBy(allOf(one), actionOf);
  const pairs = new Map<Step, Step>();
  for (const step of allOf(other)) {
    const same = left.get(actionOf(step))?.shift();
    if (!same) continue;
    pairs.set(step, same);
    pairs.set(same, step);
  }
  return pairs;
}
