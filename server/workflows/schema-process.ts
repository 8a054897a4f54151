import type { Issue } from "#server/operation/errors.ts";
import {
  compile,
  EVERY_FAULT_LEVELS,
  hasMoreLevels,
  issueOf,
  type JsonSchema,
  MAX_ISSUES,
} from "#server/services/compile-schema.ts";
import { messageOf } from "#server/thrown.ts";
import { readLines } from "./read-lines.ts";

/** What the process is asked, as a line of JSON: whether this is a schema, and what is wrong with the value, if there is one. */
export interface SchemaTask {
  schema: JsonSchema;
  value?: unknown;
}

/** What it answers, as a line of JSON. */
export interface SchemaVerdict {
  /** Why the schema can't be used. */
  fault?: string;
  /** What is wrong with the value. */
  issues?: Issue[];
}

/** Beyond so much text only the first fault of a value is looked for. */
const EVERY_FAULT_CHARACTERS = 65_536;
const MESSAGE_CHARACTERS = 500;
/** Without a task for so long it ends. */
const IDLE_MILLISECONDS = 300_000;

function judge(line: string): SchemaVerdict {
  const { schema, value } = JSON.parse(line) as SchemaTask;
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
// Code that broke out of what ajv makes of a schema finds no way to other hosts.
for (const name of ["process", "fetch", "WebSocket", "EventSource"]) Reflect.deleteProperty(globalThis, name);

const idle = setTimeout(exit, IDLE_MILLISECONDS);
readLines(stdin, Number.POSITIVE_INFINITY, (line) => {
  stdout.write(`${JSON.stringify(judge(line ?? ""))}\n`);
  idle.refresh();
});
stdout.write("ready\n");
