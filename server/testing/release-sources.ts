import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sources } from "#server/boot/migrate.ts";
import { onCleanup } from "./cleanup.ts";

/** Later than every migration of the template, since migrations are ordered by time. */
const FIRST = Date.now();

/** Returns the sources of a release with these migrations after those of the template, and without functions. */
export function releaseWith(...migrations: string[]): Sources {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  onCleanup(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "meta"));
  const entries = migrations.map((text, idx) => {
    const tag = `000${idx}_test`;
    writeFileSync(join(folder, `${tag}.sql`), text);
    return { idx, version: "7", when: FIRST + idx, tag, breakpoints: true };
  });
  const journal = { version: "7", dialect: "postgresql", entries };
  writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify(journal));
  return { migrations: folder, functions: join(folder, "none") };
}
