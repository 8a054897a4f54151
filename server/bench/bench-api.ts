import { tmpdir } from "node:os";
import { join } from "node:path";
import { accounts } from "../../db/schema/accounts.ts";
import { createDoor } from "../boot/door.ts";
import { newId } from "../ids.ts";
import { createCreditToken } from "../keys/credit-tokens.ts";
import { operations } from "../operations.ts";
import { startPlatform } from "../platform.ts";
import { testSettings } from "../testing/settings.ts";
import { handleV1 } from "../transports/http.ts";

/** The platform of a measurement's own process, with its API on loopback. */
export async function startBenchApi(databaseUrl: string, settings: Parameters<typeof testSettings>[1]) {
  const baseUrl = "http://localhost";
  const platform = await startPlatform(
    testSettings(join(tmpdir(), "bench-blobs"), { baseUrl, ...settings }),
    databaseUrl,
    operations,
  );
  const door = createDoor({ baseUrl, lanes: { "/v1": handleV1 } });
  const port = await door.listen(0, "127.0.0.1");

  async function post(path: string, headers: Record<string, string>, body: unknown) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": newId("request"), ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  return {
    platform,
    post,
    /** A new account, and what its key is sent by. */
    async createKey(scopes: string[]) {
      const accountId = newId("account");
      const token = await platform.database.db.transaction(async (tx) => {
        await tx.insert(accounts).values({ id: accountId, name: "Bench" });
        return createCreditToken(tx, accountId);
      });
      const { secret } = await post(
        "/api-keys",
        { "x-service-credit-token": token },
        { label: "Bench", scopes },
      );
      return { accountId, headers: { authorization: `Bearer ${secret}` } };
    },
    async close() {
      await door.close(1000);
      await platform.close();
    },
  };
}
