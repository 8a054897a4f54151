import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Env } from "../env/read-env.ts";
import { sourceFolder } from "../source-folder.ts";

/**
 * The settings as the build has resolved them, which Next.js takes in place of next.config.ts, as its standalone servers
 * do: to read that it would load its compilers, 100 MB of them.
 */
function useBuiltConfig() {
  const file = join(sourceFolder(), ".next/required-server-files.json");
  const { config } = JSON.parse(readFileSync(file, "utf8"));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}

/** Gets Next.js ready: the built pages in production, else the sources, compiled as they are asked for. */
export async function startNext({ baseUrl, port, production }: Env) {
  Object.assign(process.env, { NEXT_TELEMETRY_DISABLED: "1", NEXTAUTH_URL: baseUrl });
  const dev = !production;
  if (production) useBuiltConfig();
  // By this `node --watch` has forked processes report what they load, which Next.js takes for its workers' answers.
  delete process.env.WATCH_REPORT_DEPENDENCIES;
  // Loaded late, since a worker has no use for its 60 MB.
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
