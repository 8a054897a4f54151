import { join } from "node:path";
import { createHttpServer } from "#server/boot/http-server.ts";
import { startWork } from "#server/boot/work.ts";
import { operations } from "#server/operations.ts";
import { startPlatform } from "#server/start-platform.ts";
import { handleV1 } from "#server/transports/http.ts";
import { testSettings } from "../settings.ts";

// A cell's web and worker in one process: `node cell-process.ts DATABASE_URL CELL FOLDER NUMBER...` prints its port. The
// numbers stand for its secrets, the newest first.
const [url = "", cell = "00", folder = "", ...numbers] = process.argv.slice(2);
const secret = (number: string) => new Uint8Array(32).fill(Number(number));
const platform = await startPlatform(
  testSettings(join(folder, "blobs"), {
    cell,
    baseUrl: `http://${cell.toLowerCase()}.platform.test`,
    fingerprintSecrets: numbers as [string, ...string[]],
    sealingKeys: numbers.map(secret) as [Uint8Array, ...Uint8Array[]],
  }),
  url,
  operations,
);
await platform.changes.listen(url);
await startWork(platform, { databaseUrl: url, directUrl: url }, []);
const server = createHttpServer({
  baseUrl: platform.settings.baseUrl,
  handlers: { "/v1": handleV1, "/health": handleV1 },
});
console.log(await server.listen(0, "127.0.0.1"));
