import { messageOf } from "#server/base/thrown.ts";
import type { Issue } from "#server/operation/errors.ts";
import {
  compile,
  EVERY_FAULT_LEVELS,
  hasMoreLevels,
  issueOf,
  type JsonSchema,
  MAX_ISSUES,
} from "#server/services/compile-schema.ts";
import { readLines } from "./read-lines.ts";

/** A task of the process, as a line of JSON: check a schema and, if there is one, a value. */
export interface SchemaTask {
  schema: JsonSchema;
  value?: unknown;
}

/** The answer, as a line of JSON. */
export interface SchemaVerdict {
  /** Why the schema cannot be used. */
  fault?: string;
  /** The faults of the value. */
  issues?: Issue[];
}

/** Beyond this size only the first fault of a value is searched. */
const EVERY_FAULT_CHARACTERS = 65_536;
const MESSAGE_CHARACTERS = 500;
/** The process ends after this time without a task. */
const IDLE_MILLISECONDS = 300_000;

function judge(line: string): SchemaVerdict {
  const { schema, value }: SchemaTask = JSON.parse(line);
  try {
    const everyFault = line.length <= EVERY_FAULT_CHARACTERS && !hasMoreLevels(value, EVERY_FAULT_LEVELS);
    const validate = compile(schema, everyFault);
    if ("$async" in validate) return { fault: "$async schemas judge nothing at once; leave $async out" };
    if (value === undefined || validate(value)) return { issues: [] };
    const issues = (validate.errors ?? []).slice(0, MAX_ISSUES).map(issueOf);
    return {
      issues: issues.map(({ path, message }) => ({ path: shortened(path), message: shortened(message) })),
    };
  } catch (reason) {
    return { fault: shortened(messageOf(reason)) };
  }
}

const shortened = (text: string) => text.slice(0, MESSAGE_CHARACTERS).toWellFormed();

const { stdin, stdout } = process;
const exit = process.exit.bind(process);
// Code that escaped from ajv's compiled schema could reach no other host.
for (const name of ["process", "fetch", "WebSocket", "EventSource"]) Reflect.deleteProperty(globalThis, name);

const idle = setTimeout(exit, IDLE_MILLISECONDS);
readLines(stdin, Number.POSITIVE_INFINITY, (line) => {
  stdout.write(`${JSON.stringify(judge(line ?? ""))}\n`);
  idle.refresh();
});
stdout.write("ready\n");
