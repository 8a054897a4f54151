import { and, eq, isNotNull } from "drizzle-orm";
import { apiKeys } from "#db/schema/keys.ts";
import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";

interface Child {
  id: string;
  secret: string;
  /** When its revocation was confirmed, on the callers' clock. */
  revokedAt: number | null;
  busy: boolean;
}

/** Child keys are created, used and revoked; once a revocation is confirmed, the key is refused. */
export const keys: Area = {
  name: "keys",
  weight: 3,
  async start({ client, installation, createAccount, marker, report }) {
    const { accountId, key: root, keyId } = await createAccount();
    const made: Call[] = [];
    const revocations: Call[] = [];
    const known: Child[] = [];

    return {
      async call(random) {
        const what = random.fraction();
        if (known.length === 0 || what < 0.25) {
          const label = marker("key");
          const body = { label, scopes: ["projects:read", "credits:read"] };
          const call = await client.write(random, label, {
            method: "POST",
            path: "/v1/api-keys",
            key: root,
            body,
          });
          made.push(call);
          if (call.outcome !== "answered") return;
          const { apiKey, secret } = call.answer;
          known.push({ id: apiKey.id, secret, revokedAt: null, busy: false });
          return;
        }
        const child = random.pick(known);
        if (what < 0.85 || child.busy) {
          const answer = await client.send(
            { method: "GET", path: "/v1/projects", key: child.secret },
            random,
          );
          const isLate = child.revokedAt !== null && answer !== null && answer.began > child.revokedAt;
          if (isLate && answer.status !== 401 && answer.status !== 503)
            report(`The revoked key ${child.id} was answered ${answer.status}.`);
          if (answer?.status === 401 && !child.busy)
            report(`The key ${child.id}, which nobody revoked, was answered 401.`);
          return;
        }
        child.busy = true;
        const path = `/v1/api-keys/${child.id}`;
        const call = await client.write(random, marker("revoke"), { method: "DELETE", path, key: root });
        revocations.push(call);
        if (call.outcome === "answered") child.revokedAt = performance.now();
        // A refused revocation has changed nothing; the outcome of an unknown one is unknown.
        if (call.outcome === "refused") child.busy = false;
      },

      async check() {
        const { db } = installation.database;
        const rows = await db.select().from(apiKeys).where(eq(apiKeys.accountId, accountId));
        const children = rows
          .filter(({ id }) => id !== keyId)
          .map(({ label, id }) => ({ marker: label, id }));
        const revoked = await db
          .select({ id: apiKeys.id })
          .from(apiKeys)
          .where(and(eq(apiKeys.accountId, accountId), isNotNull(apiKeys.revokedAt)));
        const asked = revocations.filter(({ outcome }) => outcome === "answered");
        const due = new Set(asked.map(({ path }) => path.split("/").at(-1)));
        const is = new Set(revoked.map(({ id }) => id));
        const kept = [...due].filter((id) => !is.has(id as string));
        const lost = [...is].filter((id) => !due.has(id));
        return [
          ...checkMadeOnce(made, children, ({ answer }) => answer.apiKey.id),
          ...kept.map((id) => `The key ${id} was revoked, and lives.`),
          ...lost.map((id) => `The key ${id} is revoked, and nobody revoked it.`),
        ];
      },
    };
  },
};
