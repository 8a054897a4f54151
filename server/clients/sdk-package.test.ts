import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/defined.ts";
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

/** A guide that shows the SDK, with its programs. */
const guides = guidesOf(api.origin).filter(
  ({ path, blocks }) => path === "/docs/typescript" || blocks.some(({ type }) => type === "samples"),
);

/** The programs of a guide as one; viem's own types are not what is tested, nor are other packages. */
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

// The package itself is compiled by the project's own, newer one.
test("compiles strictly with TypeScript 5, without the types of Node.js", () => {
  const compiler = join(root, "server/testing/openapi-client/node_modules/typescript/bin/tsc");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "use.ts"), USE);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: false,
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    module: "nodenext",
    noEmit: true,
    types: [],
  };
  const config = join(folder, "tsconfig.json");
  const files = guides.map((guide) => `${guide.path.split("/").at(-1)}.ts`);
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ["use.ts", ...files] }));
  for (const [nth, file] of files.entries())
    writeFileSync(join(folder, file), programOf(guides[nth] as Page));
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, "--project", config], {
    encoding: "utf8",
  });
  expect(stdout + stderr).toBe("");
});

test("runs as it is packed", async () => {
  const { key } = await api.createRootKey();
  const script = join(folder, "use.mjs");
  writeFileSync(
    script,
    USE.replace(/^declare.*$/m, "")
      .replace(", type Project", "")
      .replace(": Project", "")
      .replaceAll(": unknown", ""),
  );
  // Not spawnSync: the platform answers from this process.
  const { execFile } = await import("node:child_process");
  const shown = await new Promise((resolve, reject) =>
    execFile(
      process.execPath,
      [script],
      { env: { NODE_ENV: "test", API_KEY: key, PLATFORM_URL: api.origin } },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    ),
  );
  expect(JSON.parse(String(shown))).toEqual(["Packed", 1, true, "function", "function"]);
});
