import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
// By its path: this folder is a package of its own, which knows nothing of the platform's short names.
import { startApi } from "../api.ts";
import { useTypedClient } from "./calls.ts";

const api = await startApi();
const here = fileURLToPath(new URL(".", import.meta.url));
const document = join(here, "../../transports/openapi.json");
const operationCount = Object.values(JSON.parse(readFileSync(document, "utf8")).paths).flatMap((item) =>
  Object.keys(item as object),
).length;
const folder = mkdtempSync(join(tmpdir(), "openapi-client-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns a program's error output; nothing if it succeeds. */
function run(program: string, ...args: string[]) {
  const { stdout, stderr, status } = spawnSync(program, args, { encoding: "utf8" });
  return status === 0 ? "" : `${stdout}${stderr}`;
}
const tool = (name: string) => join(here, "node_modules/.bin", name);

/** Returns the errors of the compilers of the generators' workspace and of the project. */
function compile(files: string[], paths: Record<string, string[]>, more: object = {}) {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    module: "esnext",
    moduleResolution: "bundler",
    types: [],
    paths,
    ...more,
  };
  const config = join(folder, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  return [tool("tsc"), join(here, "../../../node_modules/.bin/tsc")].map((tsc) =>
    run(tsc, "--project", config),
  );
}

/** The lines of a file, and those that are neither empty nor comments. */
function linesOf(file: string) {
  const all = readFileSync(join(folder, file), "utf8").trimEnd().split("\n");
  const code = all.filter((line) => line.trim() !== "" && !/^\s*(\/\*\*|\*|\/\/)/.test(line));
  return { all: all.length, code: code.length };
}

test("openapi-typescript makes types of the document, against which a client compiles", () => {
  expect(run(tool("openapi-typescript"), document, "--output", join(folder, "api.d.ts"))).toBe("");
  const complaints = compile([join(here, "calls.ts"), "api.d.ts"], { "openapi-types": ["./api.d.ts"] });
  expect(complaints).toEqual(["", ""]);
});

test("its types are at most 96 lines an operation, 71 without comments, and what stands in bodies has a name", () => {
  const { all, code } = linesOf("api.d.ts");
  expect(all).toBeLessThanOrEqual(96 * operationCount);
  expect(code).toBeLessThanOrEqual(71 * operationCount);
  const text = readFileSync(join(folder, "api.d.ts"), "utf8");
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

test("@hey-api/openapi-ts makes a client of the document that compiles strictly with its callers", () => {
  expect(run(process.execPath, join(here, "run-hey-api.mjs"), document, join(folder, "hey-api"))).toBe("");
  const complaints = compile(
    [join(here, "hey-api-calls.ts"), ...readdirSync(join(folder, "hey-api")).filter(isSource).map(inFolder)],
    { "hey-api-types": ["./hey-api/index.ts"], "hey-api-types/*": ["./hey-api/*.ts"] },
    // Its own runtime does not compile with it.
    { exactOptionalPropertyTypes: false },
  );
  expect(complaints).toEqual(["", ""]);
});

const isSource = (name: string) => name.endsWith(".ts");
const inFolder = (name: string) => `hey-api/${name}`;

test("its types are at most 95 lines an operation, 46 without comments, and no name is told apart by a number", () => {
  const { all, code } = linesOf("hey-api/types.gen.ts");
  expect(all).toBeLessThanOrEqual(95 * operationCount);
  expect(code).toBeLessThanOrEqual(46 * operationCount);
  const text = readFileSync(join(folder, "hey-api/types.gen.ts"), "utf8");
  expect(text).toContain("body: CreateProject;");
  expect(text).toContain("200: ProjectList;");
  expect(text).toContain("'4XX': Failure;");
  expect(text).toContain("code: ErrorCode;");
  expect(text).toContain("status?: RunStatus;");
  expect(text.match(/^export type \w+\d\b|unknown & unknown/gm) ?? []).toEqual([]);
});
