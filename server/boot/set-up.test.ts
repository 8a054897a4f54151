import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { portOf } from "./processes.ts";

const folder = mkdtempSync(join(tmpdir(), "set up "));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PACKAGE = `@foundry-rs/anvil-${process.platform}-riscv64`;

/** Runs set-up in a tree with nothing to install, as on a processor for which the lock file has no chain node. */
async function setUp(registry: string, { writesPackage = true } = {}) {
  const boot = join(folder, "server/boot");
  mkdirSync(boot, { recursive: true });
  for (const name of ["set-up", "find-anvil", "find-browser", "patch-driver"])
    cpSync(join(import.meta.dirname, `${name}.mjs`), join(boot, `${name}.mjs`));
  for (const path of ["db/driver-patches.mjs", "db/connection-patches.mjs", "node_modules/postgres"])
    cpSync(join(import.meta.dirname, "../..", path), join(folder, path), { recursive: true });
  const optionalDependencies = { "@foundry-rs/anvil-linux-amd64": "1.7.1" };
  if (writesPackage) writeFileSync(join(folder, "package.json"), JSON.stringify({ optionalDependencies }));
  const asOther = "data:text/javascript,Object.defineProperty(process,'arch',{value:'riscv64'})";
  // npm puts the tree's own programs on the path, including this machine's node.
  const path = process.env.PATH?.split(delimiter).filter((entry) => !entry.includes("node_modules"));
  const child = spawn(process.execPath, ["--import", asOther, join(boot, "set-up.mjs"), "install"], {
    env: {
      NODE_ENV: "test",
      PATH: path?.join(delimiter),
      HOME: folder,
      npm_config_registry: registry,
      npm_config_cache: join(folder, "cache"),
    },
  });
  const [printed, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { code, printed };
}

/** Writes a lock file whose only package is this machine's database driver, packed with a source map. */
function lockDriver() {
  const packed = join(folder, "driver/package");
  cpSync(join(import.meta.dirname, "../../node_modules/postgres"), packed, { recursive: true });
  writeFileSync(join(packed, "src/index.js.map"), "{}");
  const archive = join(folder, "postgres.tgz");
  spawnSync("tar", ["-czf", archive, "-C", join(folder, "driver"), "package"]);
  const { version } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));
  const dependencies = { postgres: `file:postgres.tgz` };
  const locked = { version, resolved: `file:postgres.tgz` };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "tree", dependencies }));
  writeFileSync(
    join(folder, "package-lock.json"),
    JSON.stringify({
      name: "tree",
      lockfileVersion: 3,
      requires: true,
      packages: { "": { name: "tree", dependencies }, "node_modules/postgres": locked },
    }),
  );
}

/** Starts a package registry with the chain's node for that machine. */
async function startRegistry() {
  const packed = join(folder, "packed/package");
  mkdirSync(join(packed, "bin"), { recursive: true });
  writeFileSync(join(packed, "package.json"), JSON.stringify({ name: PACKAGE, version: "1.7.1" }));
  writeFileSync(join(packed, "bin/anvil"), "#!/bin/sh\n", { mode: 0o755 });
  const archive = join(folder, "anvil.tgz");
  spawnSync("tar", ["-czf", archive, "-C", join(folder, "packed"), "package"]);
  const server = createServer((request, answer) => {
    if (request.url?.endsWith(".tgz")) return answer.end(readFileSync(archive));
    const dist = { tarball: `http://${request.headers.host}/anvil.tgz` };
    const versions = { "1.7.1": { name: PACKAGE, version: "1.7.1", dist } };
    answer.setHeader("content-type", "application/json");
    answer.end(JSON.stringify({ name: PACKAGE, "dist-tags": { latest: "1.7.1" }, versions }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${portOf(server)}`, close: () => server.close() };
}

test("continues if there is no chain node for the machine, and fetches it if there is one", async () => {
  const without = await setUp("http://127.0.0.1:9");
  expect(without.code).toBe(0);
  expect(without.printed).toContain(`${PACKAGE} could not be installed`);
  const registry = await startRegistry();
  const fetched = await setUp(registry.url);
  registry.close();
  expect(fetched.code).toBe(0);
  expect(readFileSync(join(folder, "node_modules", PACKAGE, "bin/anvil"), "utf8")).toBe("#!/bin/sh\n");
  expect((await setUp("http://127.0.0.1:9")).printed).toBe("");
});

test("installs no source maps, which only development needs", async () => {
  await setUp("http://127.0.0.1:9");
  lockDriver();
  const installed = await setUp("http://127.0.0.1:9", { writesPackage: false });
  expect(installed.printed).toContain("Installing packages: ");
  expect(readdirSync(join(folder, "node_modules/postgres/src"))).toContain("index.js");
  expect(readdirSync(join(folder, "node_modules/postgres/src"))).not.toContain("index.js.map");
});
