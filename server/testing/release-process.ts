import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sources } from "#server/boot/migrate.ts";
import { startNode } from "./children.ts";
import { onCleanup } from "./cleanup.ts";

const moduleOf = (name: string) => JSON.stringify(new URL(`../boot/${name}`, import.meta.url).href);

/** Starts a release in a process of its own, which migrates, builds and ends; returns the process and its log. */
export function startRelease(url: string, sources: Sources) {
  const folder = mkdtempSync(join(tmpdir(), "release-process-"));
  onCleanup(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "log");
  const program = `import { migrate } from ${moduleOf("migrate.ts")};
    import { startIndexBuilds } from ${moduleOf("migrations/build-indexes.ts")};
    await migrate(${JSON.stringify(url)}, { sources: ${JSON.stringify(sources)} });
    await startIndexBuilds(${JSON.stringify(url)}, ${JSON.stringify(sources.migrations)}).done;`;
  const child = startNode(["--input-type=module", "--eval", program], { log: openSync(file, "a") });
  const lines = () => readFileSync(file, "utf8").trim().split("\n").filter(Boolean);
  return { child, log: (): Record<string, unknown>[] => lines().map((line) => JSON.parse(line)) };
}
