import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { SettingsError } from "#server/env/settings-error.ts";
import { EXAMPLE_MANIFEST } from "#server/testing/operator-services.ts";
import { loadServices } from "./load-services.ts";

const folder = mkdtempSync(join(tmpdir(), "services-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("reads the operator's services at start, none where there is no manifest", () => {
  expect(loadServices(EXAMPLE_MANIFEST.pathname).map(({ id }) => id)).toEqual(["example-desk"]);
  expect(loadServices(undefined)).toEqual([]);
});

test.each([
  ["is not there", undefined, "SERVICES_FILE can't be read: ENOENT"],
  ["is no JSON", "{", "It is no JSON"],
  ["has an unknown field", '{ "services": [], "version": 1 }', 'Unrecognized key: "version"'],
  ["has no service that is whole", '{ "services": [{}] }', "services.0.signingSecret"],
])("refuses to start on a manifest that %s, saying so as of any setting", (_, text, expected) => {
  const file = join(folder, "services.json");
  rmSync(file, { force: true });
  if (text !== undefined) writeFileSync(file, text);
  expect(() => loadServices(file)).toThrow(SettingsError);
  expect(() => loadServices(file)).toThrow(expected);
});
