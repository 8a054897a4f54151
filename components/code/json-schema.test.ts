import { CompletionContext } from "@codemirror/autocomplete";
import { json } from "@codemirror/lang-json";
import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { z } from "zod";
import { completeBySchema, type JsonSchema } from "#components/code/json-schema.ts";
import { Workflow } from "#server/workflows/schema.ts";

const schema = z.toJSONSchema(Workflow, { io: "input" }) as JsonSchema;

/**
 * Returns the editor state with its text completely parsed; on a busy machine the editor would parse the rest later.
 */
function parsed(state: EditorState): EditorState {
  ensureSyntaxTree(state, state.doc.length, 60_000);
  return state.update({}).state;
}

/** Returns the completions at `|` in a workflow with these steps. */
function offered(steps: string): string[] {
  const text = `{ "name": "Form", "steps": [${steps}] }`;
  const at = text.indexOf("|");
  const state = parsed(EditorState.create({ doc: text.replace("|", ""), extensions: [json()] }));
  const result = completeBySchema(schema)(new CompletionContext(state, at, true));
  return (result?.options ?? []).map(({ label }) => label).sort();
}

const common = ["id", "retry", "timeoutSeconds"];

test.each([
  ["parallel", ["branches", "concurrency"]],
  ["try", ["catch", "finally", "steps"]],
  ["while", ["maxIterations", "steps", "when"]],
  ["run", ["input", "name", "version"]],
])("completes the fields of a step %s, and of no other type", (type, fields) => {
  expect(offered(`{ "type": "${type}", | }`)).toEqual([...common, ...fields].sort());
});

test.each([
  ["a branch", '{ "type": "parallel", "branches": [{ | }] }', ["id", "steps"]],
  ["a catch", '{ "type": "try", "catch": { | } }', ["on", "steps"]],
])("completes the fields of %s", (_, steps, fields) => {
  expect(offered(steps)).toEqual(fields);
});

test.each([
  ["a branch", '{ "type": "parallel", "branches": [{ "steps": [{ "type": "run", | }] }] }'],
  ["a catch", '{ "type": "try", "catch": { "steps": [{ "type": "run", | }] } }'],
  ["a loop", '{ "type": "while", "steps": [{ "type": "run", | }] }'],
])("completes the steps inside %s", (_, steps) => {
  expect(offered(steps)).toEqual([...common, "input", "name", "version"].sort());
});
