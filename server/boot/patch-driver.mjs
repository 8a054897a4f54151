// Plain JavaScript for Node 20, without dependencies: set-up runs it.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FILES, PATCHES_DIGEST, patched, VERSION } from "../../db/driver-patches.mjs";

const driver = fileURLToPath(new URL("../../node_modules/postgres", import.meta.url));

/** Replaces a file by a new one, which others may have linked. */
function replace(path, text) {
  const next = `${path}.${process.pid}`;
  writeFileSync(next, text);
  renameSync(next, path);
}

/** Patches the installed postgres.js; keeps the shipped files beside it, for patches that change. */
export function patchDriver() {
  const { version } = JSON.parse(readFileSync(join(driver, "package.json"), "utf8"));
  if (version !== VERSION)
    throw new Error(`postgres ${version} is installed, and db/driver-patches.mjs is for ${VERSION}.`);
  const mark = `// Patched: ${PATCHES_DIGEST}\n`;
  for (const folder of ["src", "cjs/src"]) {
    for (const name of FILES) {
      const path = join(driver, folder, name);
      const text = readFileSync(path, "utf8");
      if (text.startsWith(mark)) continue;
      const shipped = `${path}.shipped`;
      const original = existsSync(shipped) ? readFileSync(shipped, "utf8") : text;
      if (!existsSync(shipped)) replace(shipped, original);
      replace(path, mark + patched(name, original));
    }
  }
}

// npm runs it after each installation.
if (process.argv[1] === fileURLToPath(import.meta.url)) patchDriver();
