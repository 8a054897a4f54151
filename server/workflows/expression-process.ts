import jsonata from "jsonata";
import { parseKeepingDigits } from "#server/operation/json-text.ts";
import { randomNumbers } from "./random-numbers.ts";
import { readLines } from "./read-lines.ts";
import { piecesOf } from "./template.ts";

/** A task of the process, as a line of JSON: replace the expressions in `template` by values. */
export interface Task {
  template: unknown;
  /** The template's path, for messages about faults. */
  path: string;
  /** The scope of expressions: `{ input, steps, item, index, last, error }`. */
  scope: unknown;
  /** The time of `$now()` and `$millis()`: a replay must see the first attempt's time. */
  now: number;
  /** The seed of `$random()` and `$shuffle()`, for the same reason. */
  seed: number;
}

/** The answer, as a line of JSON. Without `fault`, the value is `value`, which is undefined if nothing was selected. */
export interface Evaluated {
  value?: unknown;
  fault?: { path: string; message: string; limit: boolean };
}

/** The maximum size of an answer; beyond it, a fault. */
const MAXIMUM_CHARACTERS = Number(process.argv[2]);
/** The process ends after this time without a task. */
const IDLE_MILLISECONDS = 300_000;

/** The maximum number of nested calls, and of elements in a sequence. */
const LIMITS = { stack: 500, sequence: 100_000 };
const BEYOND_LIMIT = ["D1011", "D1012", "D2014", "D2015"];

async function evaluate(expression: string, { scope, now }: Task): Promise<unknown> {
  const compiled = jsonata(expression, LIMITS);
  compiled.assign("millis", () => now);
  compiled.registerFunction(
    "now",
    (picture, zone) => jsonata("$fromMillis(now, picture, zone)").evaluate({ now, picture, zone }),
    "<s?s?:s>",
  );
  // Transforms work on a clone; JSONata's own cloning rounds numbers to 15 digits.
  compiled.registerFunction("clone", copyOf, "<(oa)-:o>");
  return copyOf(await compiled.evaluate(scope));
}

/** Returns plain JSON, without functions and without the marks that jsonata leaves on its lists. */
function copyOf(value: unknown): unknown {
  const json = JSON.stringify(value);
  return json === undefined ? undefined : parseKeepingDigits(json);
}

async function fill(template: unknown, path: string, task: Task): Promise<unknown> {
  if (typeof template === "string") return fillText(template, path, task);
  if (typeof template !== "object" || template === null) return template;
  const filled: [string, unknown][] = [];
  for (const [key, child] of Object.entries(template))
    filled.push([key, await fill(child, `${path}.${key}`, task)]);
  if (Array.isArray(template)) return filled.map(([, value]) => value ?? null);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

/**
 * Returns the value of a lone expression; among other text, expressions become text: nothing as "", objects as JSON.
 */
async function fillText(text: string, path: string, task: Task): Promise<unknown> {
  const pieces = piecesOf(text);
  const values: unknown[] = [];
  for (const { type, value, position } of pieces)
    values.push(
      type === "expression"
        ? await evaluate(value, task).catch((reason) => {
            throw faultOf(reason, path, position);
          })
        : value,
    );
  if (pieces.length === 1) return values[0];
  return values
    .map((value) => (typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)))
    .join("");
}

function faultOf(reason: unknown, path: string, begin: number): Evaluated["fault"] {
  const { code, message, position } = reason as { code?: string; message?: string; position?: number };
  const where = position === undefined ? "" : `, at character ${begin + position}`;
  return {
    path,
    message: `${String(message ?? reason).replace(/\.+$/, "")}${where}.`,
    // A text beyond the engine's maximum length throws a RangeError.
    limit: reason instanceof RangeError || (code !== undefined && BEYOND_LIMIT.includes(code)),
  };
}

async function answer(line: string): Promise<string> {
  const task = parseKeepingDigits<Task>(line);
  Math.random = randomNumbers(task.seed);
  const evaluated: Evaluated = await fill(task.template, task.path, task).then(
    (value) => ({ value }),
    (fault) => ({ fault }),
  );
  const json = JSON.stringify(evaluated);
  if (json.length <= MAXIMUM_CHARACTERS) return json;
  const message = `The value has more than ${MAXIMUM_CHARACTERS} characters.`;
  return JSON.stringify({ fault: { path: task.path, message, limit: true } } satisfies Evaluated);
}

const idle = setTimeout(() => process.exit(), IDLE_MILLISECONDS);
readLines(process.stdin, Number.POSITIVE_INFINITY, async (line) => {
  process.stdout.write(`${await answer(line ?? "")}\n`);
  idle.refresh();
});
process.stdout.write("ready\n");
