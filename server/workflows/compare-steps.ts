import { defined } from "#server/defined.ts";
import type { Issue } from "#server/operation/errors.ts";
import type { Step, Workflow } from "./schema.ts";

interface Place {
  /** Within the workflow. */
  path: string;
  id: string;
  type: Step["type"];
  /** The outermost map that it stands in. */
  map: string | null;
}

/** The steps in the order in which they are written, those inside a step after it. */
function* placesOf(steps: readonly Step[], path: string, map: string | null): Generator<Place> {
  for (const [nth, step] of steps.entries()) {
    const here = `${path}.${nth}`;
    yield { path: here, id: step.id, type: step.type, map };
    if (step.type === "map") yield* placesOf(step.steps, `${here}.steps`, map ?? step.id);
    if (step.type !== "branch") continue;
    for (const [which, { steps }] of step.cases.entries())
      yield* placesOf(steps, `${here}.cases.${which}.steps`, map);
    yield* placesOf(step.else ?? [], `${here}.else`, map);
  }
}

/** The id of the step that a path of the journal names: `send` of `steps.each[3].send`; null where it is none. */
function idIn(stepPath: string): string | null {
  if (!stepPath.startsWith("steps.")) return null;
  return defined(stepPath.split(".").at(-1)).replace(/\[\d+\]$/, "");
}

/**
 * The first step whose output a retry from a step keeps though it is another one than it was: those before that step and, where
 * it stands in a map, all of the map, as other items have come further.
 */
export function compareSteps(before: Workflow, now: Workflow, fromStep: string): Issue[] {
  const [was, is] = [before, now].map(({ steps }) => [...placesOf(steps, "steps", null)]) as [
    Place[],
    Place[],
  ];
  const id = idIn(fromStep);
  const at = id === null ? was.length : was.findIndex((place) => place.id === id);
  const map = was[at]?.map ?? null;
  const kept = (places: Place[]) =>
    places.filter((place, nth) => nth <= at || (map !== null && place.map === map));
  const [keptBefore, keptNow] = [kept(was), kept(is)];
  for (let nth = 0; nth < Math.max(keptBefore.length, keptNow.length); nth++) {
    const [one, other] = [keptBefore[nth], keptNow[nth]];
    const isSame = one?.path === other?.path && one?.id === other?.id;
    // The step itself is done again, as whatever it has become, unless other items of its map keep theirs.
    if (isSame && (one?.type === other?.type || (nth === at && map === null))) continue;
    return [{ path: (other ?? one)?.path ?? "steps", message: messageOf(one, other, fromStep) }];
  }
  return [];
}

function messageOf(one: Place | undefined, other: Place | undefined, fromStep: string): string {
  const nameOf = ({ id, type }: Place) => `"${id}" (${type})`;
  const difference = !other
    ? `${nameOf(defined(one))} is missing here`
    : one
      ? `${nameOf(other)} stands where ${nameOf(one)} stood`
      : `${nameOf(other)} is new here`;
  return `${difference}, but a retry from ${fromStep} keeps what was done up to it. Leave those steps with their id, type and order, or retry from an earlier one.`;
}
