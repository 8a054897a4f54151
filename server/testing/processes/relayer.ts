import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxAccounts } from "#server/providers/chain/sandbox/accounts.ts";
import { startRelayer } from "#server/swaps/relayer/relayer.ts";
import { TEST_MNEMONIC } from "../settings.ts";
import { startProcessPlatform } from "./start-process-platform.ts";

// A relayer as a separate process, for tests that kill it: `node relayer.ts DATABASE_URL CHAINS`.
const [url = "", chains = "[]"] = process.argv.slice(2);
await startProcessPlatform(url, join(tmpdir(), "relayer-blobs"), { chains: JSON.parse(chains) });
startRelayer({ directUrl: url, account: sandboxAccounts(TEST_MNEMONIC).relayer });
