import { and, eq } from "drizzle-orm";
import { ledgerHolds, ledgerTransactions } from "#db/schema/ledger.ts";
import { memories } from "#db/schema/memory.ts";
import type { Random } from "#server/testing/random.ts";
import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";
import type { ServicePeer } from "./service-peer.ts";

const CREDITS_PER_DAY = 400;
/** The number of concurrent calls that test the daily limit. */
const AT_ONCE = 8;
const CREDITS = 1_000_000;

/**
 * Charged calls of an operator's service and of one of the platform's own, with several keys, one of which has a limit.
 */
export const charges = (peer: ServicePeer): Area => ({
  name: "charges",
  weight: 6,
  async start({ client, installation, createAccount, marker }) {
    const { accountId, key } = await createAccount(CREDITS);
    const limited = await client.must({
      method: "POST",
      path: "/v1/api-keys",
      key,
      headers: { "idempotency-key": marker("limited") },
      body: {
        label: "Limited",
        scopes: ["services:invoke"],
        limits: { "services.invoke": { creditsPerDay: CREDITS_PER_DAY } },
      },
    });
    const outside: Call[] = [];
    const inside: Call[] = [];

    async function countWords(random: Random, caller: string, most: number) {
      const name = marker("charge");
      const input = { text: [name, ...Array(random.between(0, most)).fill("word")].join(" ") };
      const path = "/v1/services/example-desk/invoke";
      const body = { operationId: "count", input };
      outside.push(await client.write(random, name, { method: "POST", path, key: caller, body }));
    }

    return {
      async call(random) {
        if (random.chance(0.04)) {
          await Promise.all(Array.from({ length: AT_ONCE }, () => countWords(random, limited.secret, 49)));
          return;
        }
        const caller = random.chance(0.1) ? limited.secret : key;
        if (random.chance(0.6)) return countWords(random, caller, 9);
        const name = marker("charge");
        const input = { content: name };
        const path = "/v1/services/managed-memory/invoke";
        const body = { operationId: "put", input };
        inside.push(await client.write(random, name, { method: "POST", path, key: caller, body }));
      },

      async check() {
        const { db } = installation.database;
        const rows = await db.select().from(memories).where(eq(memories.accountId, accountId));
        const usage = await db
          .select({ id: ledgerTransactions.id })
          .from(ledgerTransactions)
          .where(and(eq(ledgerTransactions.accountId, accountId), eq(ledgerTransactions.kind, "usage")));
        const holds = await db
          .select()
          .from(ledgerHolds)
          .where(and(eq(ledgerHolds.accountId, accountId), eq(ledgerHolds.state, "open")));
        const answered = [...outside, ...inside].filter(({ outcome }) => outcome === "answered");
        const charged = (calls: Call[]) => calls.reduce((sum, { answer }) => sum + answer.chargedCredits, 0);
        const { balance } = await client.must({ method: "GET", path: "/v1/credits/balance", key });
        const spent = CREDITS - balance.totalCredits;
        const byLimited = charged(answered.filter((call) => call.key === limited.secret));
        const made = rows.map(({ content, id }) => ({ marker: content, id }));
        return [
          ...checkMadeOnce(inside, made, ({ answer }) => answer.result.memory.id),
          ...checkEffects(outside, peer),
          ...holds.map(({ amount, requestId }) => {
            const call = outside.find(({ attempts }) =>
              attempts.some((attempt) => attempt.endsWith(`${requestId}`)),
            );
            const about = call ? `${call.marker} (${call.outcome}: ${call.attempts.join("; ")})` : requestId;
            return `${amount} credits are set aside for ${about}, which is over.`;
          }),
          ...(spent === charged(answered)
            ? []
            : [`${charged(answered)} credits were charged, and ${spent} are gone.`]),
          ...(usage.length === answered.length
            ? []
            : [`${answered.length} calls were charged, in ${usage.length} transactions.`]),
          ...(byLimited <= CREDITS_PER_DAY
            ? []
            : [`A key spent ${byLimited} credits, and was allowed ${CREDITS_PER_DAY} a day.`]),
        ];
      },
    };
  },
});

/**
 * Checks that the service has executed each successful call under one idempotency key, for the credits that the
 * platform charged.
 */
function checkEffects(calls: readonly Call[], { effects }: ServicePeer): string[] {
  const byMarker = Map.groupBy(effects.values(), ({ marker }) => marker);
  return calls.flatMap(({ marker, outcome, answer }) => {
    const found = byMarker.get(marker) ?? [];
    const [effect] = found;
    if (found.length > 1) return [`The service did ${marker} under ${found.length} idempotency keys.`];
    if (outcome !== "answered") return [];
    if (!effect) return [`${marker} was answered, and the service has not done it.`];
    const { chargedCredits } = answer;
    return chargedCredits === effect.credits
      ? []
      : [`${marker} was charged ${chargedCredits} credits; the service said ${effect.credits}.`];
  });
}
