import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpServer } from "../boot/http/http-server.ts";
import { operations } from "../operations.ts";
import type { Settings } from "../platform.ts";
import { startPlatform } from "../start-platform.ts";
import { testSettings } from "../testing/settings.ts";
import { handleV1 } from "../transports/http.ts";
import { createKey } from "./create-key.ts";
import { postTo } from "./post-to.ts";

interface BenchApi {
  settings?: Partial<Settings>;
  /** Handlers of other paths than the API's. */
  handlers?: Parameters<typeof createHttpServer>[0]["handlers"];
}

/** Starts the platform of a benchmark's own process, with its API on loopback. */
export async function startBenchApi(databaseUrl: string, { settings, handlers }: BenchApi = {}) {
  const baseUrl = "http://localhost";
  const platform = await startPlatform(
    testSettings(join(tmpdir(), "bench-blobs"), { baseUrl, ...settings }),
    databaseUrl,
    operations,
  );
  const server = createHttpServer({ baseUrl, handlers: { "/v1": handleV1, ...handlers } });
  const port = await server.listen(0, "127.0.0.1");
  const post = postTo(port);

  return {
    platform,
    port,
    post,
    createKey: (scopes: string[], choices?: Parameters<typeof createKey>[3]) =>
      createKey(platform.database.db, post, scopes, choices),
    async close() {
      await server.close(1000);
      await platform.close();
    },
  };
}
