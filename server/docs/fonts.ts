import { readFileSync } from "node:fs";
import { join } from "node:path";
import { log } from "#server/base/log.ts";
import { sourceFolder } from "#server/base/source-folder.ts";

/** The console's font files, by the paths under which the reference requests them. */
const FILES = {
  "/docs/geist.woff2": "@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
  "/docs/geist-mono.woff2": "@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2",
};

/** Reads the fonts of the reference; if they are not installed, browsers use system fonts. */
export function readFonts(): [path: string, bytes: Buffer][] {
  try {
    return Object.entries(FILES).map(([path, file]) => [
      path,
      readFileSync(join(sourceFolder(), "node_modules", file)),
    ]);
  } catch (error) {
    log.warn("The reference is shown in the system's fonts: its own are not installed.", { error });
    return [];
  }
}
