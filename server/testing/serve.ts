import { generateKeyPairSync } from "node:crypto";
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

// The platform's API as a process of its own, with its sealer, for tests that kill it; prints its port.
// `node serve.ts DATABASE_URL [BLOBS] [TENANTS_URL] [--services FILE]`: with the services of a manifest.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { services: { type: "string" } },
});
const [url = "", folder = join(tmpdir(), "serve-blobs"), tenants] = positionals;
const baseUrl = "http://platform.test";
await startPlatform(
  {
    baseUrl,
    fingerprintSecret: "test",
    authSecret: "test",
    sealingKey: new Uint8Array(32),
    sandbox: true,
    signupCredits: 0,
    auditSigningKey: generateKeyPairSync("ed25519").privateKey,
    archiveSigningKey: generateKeyPairSync("ed25519").privateKey,
    trustedArchiveKeys: [],
    auditRetentionMonths: 13,
    blobs: { folder },
    tenantClusters: tenants ? [tenantCluster("embedded", () => tenants)] : [],
    services: loadServices(values.services),
    model: null,
    modelTimeoutSeconds: 10,
  },
  url,
  operations,
);
startSealer(url);
const door = createDoor({ baseUrl, lanes: { "/v1": handleV1 } });
console.log(await door.listen(0, "127.0.0.1"));
