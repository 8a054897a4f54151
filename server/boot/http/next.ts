import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { sourceFolder } from "../../base/source-folder.ts";
import type { Env } from "../../env/read-env.ts";

/**
 * Gives Next.js the settings that the build has resolved, as its standalone servers do: to read next.config.ts, it
 * would load 100 MB of compilers.
 */
function useBuiltConfig() {
  const file = join(sourceFolder(), ".next/required-server-files.json");
  const { config } = JSON.parse(readFileSync(file, "utf8"));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}

/** Prepares Next.js: the built pages in production, otherwise the sources, compiled on demand. */
export async function startNext({ baseUrl, port, production }: Env) {
  Object.assign(process.env, { NEXT_TELEMETRY_DISABLED: "1", NEXTAUTH_URL: baseUrl });
  const dev = !production;
  if (production) useBuiltConfig();
  // With this variable, `node --watch` has child processes report their modules, which Next.js mistakes for its
  // workers' results.
  delete process.env.WATCH_REPORT_DEPENDENCIES;
  // Loaded late, since a worker does not need its 60 MB.
  const { default: next } = await import("next");
  const app = next({ dir: sourceFolder(), dev, port, quiet: true });
  await app.prepare();
  const handle = app.getRequestHandler();
  return {
    dev,
    handle: (message: IncomingMessage, answer: ServerResponse) => handle(message, answer),
    close: () => app.close(),
  };
}
