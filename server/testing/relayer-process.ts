import { flushCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "#server/operations.ts";
import { sandboxAccounts } from "#server/providers/chain/sandbox/accounts.ts";
import { startPlatform } from "#server/start-platform.ts";
import { startRelayer } from "#server/swaps/relayer/relayer.ts";
import { TEST_MNEMONIC, testSettings } from "./settings.ts";

// A relayer as a separate process, for tests that kill it: `node relayer-process.ts DATABASE_URL CHAINS`.
const [url = "", chains = "[]"] = process.argv.slice(2);
const settings = testSettings(join(tmpdir(), "relayer-blobs"), { chains: JSON.parse(chains) });
await startPlatform(settings, url, operations);
// Flushed at once, because a killed process would lose its compile cache.
flushCompileCache();
startRelayer({ directUrl: url, account: sandboxAccounts(TEST_MNEMONIC).relayer });
