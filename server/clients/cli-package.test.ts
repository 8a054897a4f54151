import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLinePage } from "#server/docs/guides/command-line.ts";
import { apiOperations } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { installByNpm } from "#server/testing/cli.ts";
import { openApiDocument } from "#server/transports/openapi/document.ts";
import { GLOBAL, OF_OPERATIONS } from "../../clients/cli/src/arguments.ts";
import { kebab, signatureOf, WORDS } from "../../clients/cli/src/commands.ts";
import { generateCli } from "./cli-commands.ts";
import type { Document } from "./typescript-sdk.ts";

const api = await startApi();
const cli = await installByNpm(api.origin);
const root = join(import.meta.dirname, "../..");

test("the generated table matches the registry", () => {
  const text = generateCli(openApiDocument(apiOperations, "") as unknown as Document, apiOperations);
  const file = readFileSync(join(root, "clients/cli/src/generated/commands.ts"), "utf8");
  expect(file === text, "Run `npm run openapi`.").toBe(true);
});

test("has a command for every operation, and no field that an option hides", () => {
  expect([...WORDS.values()].sort()).toEqual(apiOperations.map(({ operationId }) => operationId).sort());
  const options = [...Object.keys(GLOBAL), ...Object.keys(OF_OPERATIONS), "wait"];
  const hidden = [...WORDS.values()].flatMap((id) =>
    Object.keys(signatureOf(id).command.fields)
      .filter((name) => options.includes(kebab(name)))
      .map((name) => `${id} ${name}`),
  );
  expect(hidden).toEqual([]);
});

test("the guide names commands that there are, with fields that they have", async () => {
  const lines = commandLinePage(api.origin).blocks.flatMap((block) =>
    block.type === "code" ? block.text.split("\n").filter((line) => line.startsWith("msp ")) : [],
  );
  expect(lines.length).toBeGreaterThan(10);
  const { run } = cli.computer();
  for (const line of lines) {
    const [command = ""] = line.slice(4).split(" > ");
    const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, one, two, three]) => one ?? two ?? three ?? "",
    );
    const { code, stderr } = await run([...words, "--help"]);
    expect([line, code, stderr]).toEqual([line, 0, ""]);
  }
});

test("compiles strictly by its own settings", () => {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const args = ["--project", join(root, "clients/cli"), "--noEmit", "--skipDefaultLibCheck"];
  expect(spawnSync(process.execPath, [compiler, ...args], { encoding: "utf8" }).stdout).toBe("");
});

test("is installed by npm without another package, in the version of the installation", async () => {
  const manifest = JSON.parse(readFileSync(join(cli.package, "package.json"), "utf8"));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect([manifest.version, manifest.dependencies]).toEqual([version, undefined]);
  expect(await cli.computer().run(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test("explains itself: all commands, those of a resource, and each one", async () => {
  const { run } = cli.computer();
  const [all, resource, one, own] = await Promise.all(
    [["help"], ["projects"], ["projects", "create", "--help"], ["runs", "create", "--help"]].map((args) =>
      run(args),
    ),
  );
  expect(all?.stdout).toContain("msp login");
  for (const id of WORDS.keys()) expect(all?.stdout).toContain(id.split(" ")[0]);
  expect(resource?.stdout).toContain("msp projects archive PROJECT-ID");
  expect(one?.stdout).toMatch(/--name TEXT .*Needed\.[\s\S]*--description TEXT .*May be null\./);
  expect(own?.stdout).toMatch(/--wait[\s\S]*|--input JSON/);
  expect([all, resource, one, own].map((ran) => ran?.code)).toEqual([0, 0, 0, 0]);
});
