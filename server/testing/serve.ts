import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startSealer } from "#server/audit/seal-events.ts";
import { createDoor } from "#server/boot/door.ts";
import { operations } from "#server/operations.ts";
import { startPlatform } from "#server/platform.ts";
import { tenantCluster } from "#server/providers/tenants/cluster.ts";
import { loadServices } from "#server/services/load-services.ts";
import { handleV1 } from "#server/transports/http.ts";
import { testSettings } from "./settings.ts";

// The platform's API as a process of its own, with its sealer, for tests that kill it; prints its port.
// `node serve.ts DATABASE_URL [BLOBS] [TENANTS_URL] [--services FILE]`: with the services of a manifest.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { services: { type: "string" } },
});
const [url = "", folder = join(tmpdir(), "serve-blobs"), tenants] = positionals;
const { settings } = await startPlatform(
  testSettings(folder, {
    tenantClusters: tenants ? [tenantCluster("embedded", () => tenants)] : [],
    services: loadServices(values.services),
  }),
  url,
  operations,
);
startSealer(url);
const door = createDoor({ baseUrl: settings.baseUrl, lanes: { "/v1": handleV1 } });
console.log(await door.listen(0, "127.0.0.1"));
