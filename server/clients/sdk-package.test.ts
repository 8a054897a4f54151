import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { gzipSync } from "node:zlib";
import { publint } from "publint";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { guidesOf } from "#server/docs/guides.ts";
import { codeOf, type Page } from "#server/docs/page.ts";
import { startApi } from "#server/testing/api.ts";
import { packClient } from "./pack-client.ts";

const api = await startApi();
const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "sdk-package-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sdk = join(folder, "node_modules/@managed-services/sdk");
const response = await fetch(`${api.origin}/clients/sdk.tgz`);
const bytes = Buffer.from(await response.arrayBuffer());
writeFileSync(join(folder, "sdk.tgz"), bytes);
mkdirSync(sdk, { recursive: true });
const unpacked = spawnSync("tar", ["-xzf", "sdk.tgz", "--strip-components=1", "-C", sdk], { cwd: folder });
const modules = readdirSync(join(sdk, "dist"), { recursive: true, encoding: "utf8" });

test("is served by each installation, the same bytes each time", async () => {
  expect([response.status, response.headers.get("content-type"), unpacked.status]).toEqual([
    200,
    "application/gzip",
    0,
  ]);
  expect((await packClient("sdk")).equals(bytes)).toBe(true);
  const etag = defined(response.headers.get("etag"));
  const again = await fetch(`${api.origin}/clients/sdk.tgz`, { headers: { "if-none-match": etag } });
  expect(again.status).toBe(304);
  expect((await fetch(`${api.origin}/clients/other.tgz`)).status).toBe(404);
  expect((await fetch(`${api.origin}/clients/sdk.tgz`, { method: "POST" })).status).toBe(405);
});

test("is at most 15 KB of JavaScript, compressed, and needs no other package", () => {
  const code = modules
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(join(sdk, "dist", name)));
  expect(gzipSync(Buffer.concat(code)).byteLength).toBeLessThanOrEqual(15 * 1024);
  const manifest = JSON.parse(readFileSync(join(sdk, "package.json"), "utf8"));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect([manifest.dependencies, manifest.peerDependencies, manifest.version]).toEqual([
    undefined,
    undefined,
    version,
  ]);
});

test("has nothing that publint finds fault with", async () => {
  const tarball = new Uint8Array(bytes).buffer;
  const { messages } = await publint({ pkgDir: "package", pack: { tarball }, strict: true });
  expect(messages).toEqual([]);
});

test("requires Node 20, and is compiled for its features", () => {
  const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));
  expect(read(join(sdk, "package.json")).engines).toEqual({ node: ">=20" });
  const { target, lib } = read(join(root, "clients/typescript/tsconfig.json")).compilerOptions;
  expect([target, lib[0]]).toEqual(["ES2022", "ES2023"]);
});

const USE = `
import { NotFoundError, Platform, type Project } from "@managed-services/sdk";
import { verifyWebhook } from "@managed-services/sdk/webhooks";
import { payWith } from "@managed-services/sdk/x402";

declare const process: { env: Record<string, string | undefined> };
export const platform = new Platform({ apiKey: process.env["API_KEY"] ?? "", baseUrl: process.env["PLATFORM_URL"] ?? "" });
const made: Project = await platform.projects.create({ name: "Packed" });
const { items } = await platform.projects.list({ status: "active", limit: 5 });
const missing = await platform.projects.read("proj_none").catch((error: unknown) => error instanceof NotFoundError);
console.log(JSON.stringify([made.name, items.length, missing, typeof verifyWebhook, typeof payWith]));
`;

writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
writeFileSync(join(folder, "use.ts"), USE);

/** The guides with programs that use the SDK. */
const guides = guidesOf(api.origin).filter(
  ({ path, blocks }) => path === "/docs/typescript" || blocks.some(({ type }) => type === "samples"),
);

/** Returns a guide's programs as one file; types of other packages, such as viem, are not tested. */
function programOf({ path, blocks }: Page): string {
  const shown = path === "/docs/typescript" ? blocks : blocks.filter(({ type }) => type === "samples");
  const programs = codeOf(shown).flatMap(({ language, text }) => (language === "ts" ? text : []));
  const account = 'import("@managed-services/sdk/x402").Payer';
  return programs
    .join("\n")
    .replace(
      /^import .* from "viem\/accounts";$/m,
      `declare function privateKeyToAccount(key: string): ${account};`,
    )
    .replace(
      /^import .* from "node:fs\/promises";$/m,
      "declare function readFile(path: string, encoding: string): Promise<string>;",
    )
    .replace(
      /^import .* from "node:crypto";$/m,
      "declare function randomUUID(): string;\ndeclare function createHmac(hash: string, key: string): { update(text: string): { digest(encoding: string): string } };",
    )
    .replaceAll("process.env", "environment")
    .concat(
      '\ndeclare const environment: Record<"API_KEY" | "CREDIT_TOKEN" | "WEBHOOK_SECRET" | "PAYER_KEY", string | undefined>;\n',
    );
}

const OLD = "server/testing/openapi-client/node_modules/typescript";
const NEW = "node_modules/typescript";

/** Returns the compiler's errors, without those in its own libraries for browsers and ECMAScript. */
function compile(typescript: string, ...args: string[]) {
  const compiler = join(root, typescript, "bin/tsc");
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, ...args, "--skipDefaultLibCheck"], {
    encoding: "utf8",
  });
  return stdout + stderr;
}

function compileFiles(typescript: string, files: string[], options: object) {
  const config = join(folder, "tsconfig.json");
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    noEmit: true,
    types: [],
    ...options,
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  return compile(typescript, "--project", config);
}

test("compiles strictly by its own settings", () => {
  expect(compile(NEW, "--project", join(root, "clients/typescript"), "--noEmit")).toBe("");
});

test("compiles strictly with TypeScript 5, without the types of Node.js, and so do the guides", () => {
  const files = guides.map((guide) => `${guide.path.split("/").at(-1)}.ts`);
  for (const [nth, file] of files.entries())
    writeFileSync(join(folder, file), programOf(defined(guides[nth])));
  const strictly = {
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
  };
  const options = { module: "node16", moduleResolution: "node16", ...strictly };
  expect(compileFiles(OLD, ["use.ts", ...files], options)).toBe("");
});

test.each([
  ["node16", "node16", NEW],
  ["esnext", "bundler", OLD],
  ["esnext", "bundler", NEW],
])(
  "has types for each entry where modules are %s and resolved as %s has it, by %s",
  (module, moduleResolution, typescript) => {
    const lib = ["es2022", "dom", "dom.iterable", "dom.asynciterable"];
    expect(compileFiles(typescript, ["use.ts"], { module, moduleResolution, lib })).toBe("");
  },
);

/** This Node.js, and the others installed on the machine. */
const nodes = [
  ...new Set([
    realpathSync(process.execPath),
    ...(process.env.PATH ?? "")
      .split(delimiter)
      .map((path) => join(path, "node"))
      .filter((path) => existsSync(path))
      .map((path) => realpathSync(path)),
  ]),
];

test("runs as it is packed, by every Node of this machine", async () => {
  const { key } = await api.createRootKey();
  const script = join(folder, "use.mjs");
  writeFileSync(
    script,
    USE.replace(/^declare.*$/m, "")
      .replace(", type Project", "")
      .replace(": Project", "")
      .replaceAll(": unknown", ""),
  );
  // Not spawnSync: the platform responds from this process.
  const { execFile } = await import("node:child_process");
  for (const node of nodes) {
    const shown = await new Promise((resolve, reject) =>
      execFile(
        node,
        [script],
        { env: { NODE_ENV: "test", API_KEY: key, PLATFORM_URL: api.origin } },
        (error, stdout) => (error ? reject(error) : resolve(stdout)),
      ),
    );
    expect(JSON.parse(String(shown))).toEqual(["Packed", expect.any(Number), true, "function", "function"]);
  }
});
