import { generateKeyPairSync } from "node:crypto";
import { Secrets } from "../env/secrets.ts";
import type { Settings } from "../platform.ts";

const GB = 1024 ** 3;

/** The mnemonic from which the accounts of every test's chain are derived. */
export const TEST_MNEMONIC = "test test test test test test test test test test test junk";

/** The same in all processes of a test, as in an installation. */
const archiveSigningKey = Secrets.shape.ARCHIVE_SIGNING_KEY.parse(Buffer.alloc(32, 1).toString("base64"));

/** Returns the settings of a test's or benchmark's platform; `folder` stores its blobs. */
export function testSettings(folder: string, changed: Partial<Settings> = {}): Settings {
  return {
    production: false,
    baseUrl: "http://platform.test",
    cell: "00",
    role: "all",
    release: { version: "1.2.3", commit: "0123abc" },
    fingerprintSecrets: ["test"],
    authSecrets: ["test"],
    sessions: { lastSeconds: 30 * 86_400, idleSeconds: 7 * 86_400 },
    sealingKeys: [new Uint8Array(32)],
    vault: { keys: () => [new Uint8Array(32)] },
    sandbox: true,
    signupCredits: 0,
    auditSigningKey: generateKeyPairSync("ed25519").privateKey,
    archiveSigningKey,
    receiptSigningKey: generateKeyPairSync("ed25519").privateKey,
    trustedArchiveKeys: [],
    auditRetentionMonths: 13,
    auditArchiveMonths: 1,
    blobs: { folder },
    storage: {
      filesBytes: 20 * GB,
      artifactsBytes: 10 * GB,
      transfersBytes: 8 * GB,
      resultsBytes: GB,
      databaseBytes: GB,
      runsBytes: 10 * GB,
      eventsBytes: 2 * GB,
      memoriesBytes: 2 * GB,
      workflowsBytes: GB,
    },
    networkFees: { maxNetworkFeeUsd: "25", dailyNetworkFeeUsd: "100" },
    tenantClusters: [],
    chains: [],
    payments: { treasury: null, facilitator: null },
    sandboxMnemonic: TEST_MNEMONIC,
    model: null,
    modelTimeoutSeconds: 10,
    oauth: { registration: true, documents: true },
    mail: null,
    ...changed,
  };
}
