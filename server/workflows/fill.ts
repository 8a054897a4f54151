import { createHash } from "node:crypto";
import { currentMs } from "#server/base/clock.ts";
import type { RunContext } from "#server/runs/run-context.ts";
import { evaluate } from "./evaluate.ts";
import type { Fill, Frame, WorkflowInput } from "./frame.ts";
import { hasExpressions, textsIn } from "./template.ts";

/** Returns the function that evaluates the run's templates: every replay gets the same values. */
export function fillerOf(run: RunContext<WorkflowInput>): Fill {
  // All attempts at a step use the same time.
  const moments = new Map<string, Promise<number>>();

  function momentOf(where: string): Promise<number> {
    const known = moments.get(where) ?? run.note(`${where}:now`, async () => currentMs());
    moments.set(where, known);
    return known;
  }

  return async function fill(template, path, frame, field = "") {
    if (!hasExpressions(template)) return template;
    const where = `${path}${field}`;
    const now = tellsTime(template) ? await momentOf(where) : 0;
    const seed = createHash("sha256").update(`${run.id}:${where}`).digest().readInt32BE();
    const scope = () => writeScope(run.input.input, frame);
    const task = { template, path: where, scope, now, seed };
    return evaluate(run.caller.accountId, task).catch((reason) =>
      // Thrown within the step, so that timeline and error name it.
      run.step(path, async () => {
        throw reason;
      }),
    );
  };
}

/** The serialised JSON of values that many expressions read. */
const written = new WeakMap<object, string>();

/**
 * Returns a value's JSON, serialised once: otherwise a list of a thousand items would be serialised a thousand times.
 */
function write(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  let json = written.get(value);
  if (json === undefined) {
    json = JSON.stringify(value);
    written.set(value, json);
  }
  return json;
}

/** Returns an object's JSON from that of its fields; undefined fields are left out. */
function writeObject(fields: Record<string, string | undefined>): string {
  const parts = Object.entries(fields).map(([name, json]) => json && `${JSON.stringify(name)}:${json}`);
  return `{${parts.filter(Boolean).join(",")}}`;
}

/** Returns the scope of expressions as JSON. */
function writeScope(
  input: unknown,
  { steps, item, index, last, error, callback }: Omit<Frame, "deadline" | "bounds">,
): string {
  const outputs = Object.entries(steps).map(([id, output]) => [id, write(output)]);
  return writeObject({
    input: write(input),
    steps: writeObject(Object.fromEntries(outputs)),
    item: write(item),
    index: write(index),
    last: write(last),
    error: write(error),
    callback: write(callback),
  });
}

function tellsTime(template: unknown): boolean {
  return textsIn(template, "").some(({ text }) => /\$(now|millis|eval)\b/.test(text));
}
