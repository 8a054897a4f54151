import { tmpdir } from "node:os";
import { join } from "node:path";
import { accounts } from "../../db/schema/accounts.ts";
import { createDoor } from "../boot/door.ts";
import { grantCredits } from "../credits/post-credits.ts";
import { newId } from "../ids.ts";
import { createCreditToken } from "../keys/credit-tokens.ts";
import { operations } from "../operations.ts";
import { type Settings, startPlatform } from "../platform.ts";
import { testSettings } from "../testing/settings.ts";
import { handleV1 } from "../transports/http.ts";
import { postTo } from "./post-to.ts";

interface BenchApi {
  settings?: Partial<Settings>;
  /** What answers beside the API. */
  lanes?: Parameters<typeof createDoor>[0]["lanes"];
}

/** The platform of a measurement's own process, with its API on loopback. */
export async function startBenchApi(databaseUrl: string, { settings, lanes }: BenchApi = {}) {
  const baseUrl = "http://localhost";
  const platform = await startPlatform(
    testSettings(join(tmpdir(), "bench-blobs"), { baseUrl, ...settings }),
    databaseUrl,
    operations,
  );
  const door = createDoor({ baseUrl, lanes: { "/v1": handleV1, ...lanes } });
  const port = await door.listen(0, "127.0.0.1");
  const post = postTo(port);

  return {
    platform,
    port,
    post,
    /** A new account, and what its key is sent by. */
    async createKey(
      scopes: string[],
      { credits = 0, ...choices }: { credits?: number; limits?: object } = {},
    ) {
      const accountId = newId("account");
      const token = await platform.database.db.transaction(async (tx) => {
        await tx.insert(accounts).values({ id: accountId, name: "Bench" });
        if (credits > 0)
          await grantCredits(tx, { accountId, credits, reference: accountId, description: "Bench" });
        return createCreditToken(tx, accountId);
      });
      const body = { label: "Bench", scopes, ...choices };
      const { secret } = await post("/api-keys", { "x-service-credit-token": token }, body);
      return { accountId, headers: { authorization: `Bearer ${secret}` } };
    },
    async close() {
      await door.close(1000);
      await platform.close();
    },
  };
}
