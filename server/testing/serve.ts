import { generateKeyPairSync } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSealer } from "#server/audit/seal-events.ts";
import { createDoor } from "#server/boot/door.ts";
import { operations } from "#server/operations.ts";
import { startPlatform } from "#server/platform.ts";
import { tenantCluster } from "#server/providers/tenants/cluster.ts";
import { handleV1 } from "#server/transports/http.ts";

// The platform's API as a process of its own, with its sealer, for tests that kill it: `node serve.ts DATABASE_URL [BLOBS] [TENANTS_URL]`; prints its port.
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
    auditRetentionMonths: 13,
    blobs: { folder: process.argv[3] ?? join(tmpdir(), "serve-blobs") },
    tenantClusters: process.argv[4] ? [tenantCluster("embedded", () => process.argv[4] as string)] : [],
    model: null,
    modelTimeoutSeconds: 10,
  },
  process.argv[2] as string,
  operations,
);
startSealer(process.argv[2] as string);
const door = createDoor({ baseUrl, lanes: { "/v1": handleV1 } });
console.log(await door.listen(0, "127.0.0.1"));
