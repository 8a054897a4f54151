import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
// By its path: this folder is a package of its own, which knows nothing of the platform's short names.
import { startApi } from "../api.ts";
import { useTypedClient } from "./calls.ts";

const api = await startApi();
const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "openapi-client-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a tool of this workspace complains of; nothing where it succeeds. */
function run(tool: string, ...args: string[]) {
  const { stdout, stderr, status } = spawnSync(join(here, "node_modules/.bin", tool), args, {
    encoding: "utf8",
  });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

test("openapi-typescript makes types of the document, against which a client compiles", () => {
  const document = join(here, "../../transports/openapi.json");
  expect(run("openapi-typescript", document, "--output", join(folder, "api.d.ts"))).toBe("");
  const compilerOptions = {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "esnext",
    moduleResolution: "bundler",
    types: [],
    paths: { "openapi-types": ["./api.d.ts"] },
  };
  const config = join(folder, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [join(here, "calls.ts"), "api.d.ts"] }));
  expect(run("tsc", "--project", config)).toBe("");
});

test("the types are at most 82 lines an operation, and what stands in bodies has a name", () => {
  const text = readFileSync(join(folder, "api.d.ts"), "utf8");
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !/^\s*(\/\*\*|\*)/.test(line));
  const operations = text.slice(text.indexOf("export interface operations {"));
  const count = operations.match(/^ {4}"?[\w.]+"?: \{$/gm)?.length ?? 0;
  expect(lines.length).toBeLessThanOrEqual(82 * count);
  expect(text).toContain('"application/json": components["schemas"]["CreateProject"];');
  expect(text).toContain('"application/json": components["schemas"]["ProjectList"];');
  expect(text).toContain('id: components["schemas"]["ProjectId"];');
  expect(text.match(/"application\/json": \{/g) ?? []).toEqual([]);
});

test("openapi-fetch calls the running server as the types say", async () => {
  const { key } = await api.createRootKey();
  expect(await useTypedClient(api.origin, key)).toEqual({
    status: "active",
    names: ["Typed"],
    next: null,
    code: "not_found",
    ok: false,
    refused: 400,
    apiVersion: "v1",
  });
});
