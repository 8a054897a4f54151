import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Plugin, rolldown } from "rolldown";

/** The programs of tests, and the operators' commands. */
const SOURCES = ["processes", "../boot/commands"].map((path) => join(import.meta.dirname, path));
/** Below the packages, which stay where they are found from. */
const BUNDLES = fileURLToPath(new URL("../../node_modules/.cache/test-programs/", import.meta.url));

/** Packages that load files beside their own modules. */
const UNBUNDLED = [/^@node-rs\/argon2/, /^solc/, /^tiny-secp256k1/];

/** Keeps the addresses of the sources, whose modules read files beside them. */
const keepAddresses: Plugin = {
  name: "keep-addresses",
  transform: {
    filter: { id: { exclude: /\/node_modules\// }, code: /import\.meta/ },
    handler: (code, id) =>
      code
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(id))),
  },
};

/**
 * Bundles the programs that the tests start some three hundred times: reading 1900 modules takes half of such a start.
 * Sets `TEST_PROGRAMS` to the bundles' folder, from which `processPath` and `commandPath` take them; returns a function
 * that removes it.
 */
export async function bundlePrograms(): Promise<() => void> {
  mkdirSync(BUNDLES, { recursive: true });
  const folder = join(BUNDLES, String(process.pid));
  const programs = SOURCES.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const bundle = await rolldown({
    input: programs.filter((path) => !path.endsWith(".test.ts")),
    platform: "node",
    external: UNBUNDLED,
    plugins: [keepAddresses],
  });
  await bundle.write({ dir: folder, entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await bundle.close();
  process.env.TEST_PROGRAMS = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
