import { eq, sql } from "drizzle-orm";
import { inboundWebhooks, triggers } from "#db/schema/triggers.ts";
import { batched } from "#server/base/batch.ts";
import { newId, toUuid } from "#server/base/ids.ts";
import { isDatabaseGone } from "#server/operation/faults.ts";
import { toStored } from "#server/operation/payload.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { platform } from "#server/platform.ts";
import type { Delivery } from "./read-delivery.ts";
import { tokenHashOf } from "./secrets.ts";

/** The webhook of an address. */
export type AddressedWebhook = NonNullable<Awaited<ReturnType<typeof findWebhook>>>;

/** Returns the webhook whose address has this token, with the database's time. */
export async function findWebhook(token: string) {
  const hash = tokenHashOf(token);
  const [found] = await platform()
    .database.db.select({
      accountId: inboundWebhooks.accountId,
      triggerId: inboundWebhooks.triggerId,
      scheme: inboundWebhooks.scheme,
      headerName: inboundWebhooks.headerName,
      secret: inboundWebhooks.secret,
      conditions: triggers.conditions,
      nowMs: sql<number>`(extract(epoch from trigger_clock()) * 1000)::float8`,
    })
    .from(inboundWebhooks)
    .innerJoin(
      triggers,
      sql`${triggers.accountId} = ${inboundWebhooks.accountId} and ${eq(triggers.id, inboundWebhooks.triggerId)}`,
    )
    .where(
      sql`(${inboundWebhooks.tokenHash} = ${hash} or ${inboundWebhooks.previousTokenHash} = ${hash})
        and is_address(${inboundWebhooks}, ${hash})`,
    );
  return found && { ...found, tokenHash: hash };
}

/** The outcome of a delivery. */
interface DeliveryOutcome {
  outcome: "taken" | "repeated" | "passed" | "limited" | "crowded" | "full" | "gone" | "unjudged";
  retrySeconds: number | null;
}

interface Taking {
  webhook: AddressedWebhook;
  delivery: Delivery;
  /** True if conditions apply, for which it is parsed once more. */
  judged: boolean;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

function rowOf({ webhook, delivery, judged }: Taking, nth: number) {
  const { name, headers, data, reference } = delivery;
  const id = newId("sentEvent");
  // The provider has chosen no privacy tier, and a delivery may contain anything: it is sealed.
  const stored = (part: "data" | "headers", value: unknown) =>
    base64(toStored({ id, privacyTier: "strict" }, part, value));
  return {
    nth,
    account: toUuid("account", webhook.accountId),
    trigger: toUuid("trigger", webhook.triggerId),
    token: webhook.tokenHash,
    id: toUuid("sentEvent", id),
    name,
    reference,
    data: stored("data", data),
    headers: stored("headers", headers),
    event: judged ? { name, headers, data } : null,
  };
}

/** Stores deliveries in one transaction; if one of them fails, each alone, so that none fails because of another. */
async function takeAll(takings: Taking[]): Promise<PromiseSettledResult<DeliveryOutcome>[]> {
  try {
    const rows = await platform().database.db.execute<{
      outcome: DeliveryOutcome["outcome"];
      retry_seconds: number | null;
    }>(
      sql`select outcome, retry_seconds from take_deliveries(${JSON.stringify(takings.map(rowOf))}::jsonb, ${platform().settings.storage.eventsBytes}::bigint) order by n`,
    );
    return rows.map(({ outcome, retry_seconds: retrySeconds }) => ({
      status: "fulfilled",
      value: { outcome, retrySeconds },
    }));
  } catch (reason) {
    if (takings.length === 1 || isDatabaseGone(reason))
      return takings.map(() => ({ status: "rejected", reason }));
    return (await Promise.all(takings.map((taking) => takeAll([taking])))).flat();
  }
}

// Deliveries of a trigger are stored in sequence: a batch takes its lock and a connection once for many.
const take = batched(takeAll, { name: "deliveries", inFlight: 2, size: 16, most: 500 });

/** Stores a delivery with a valid signature, and has its trigger start a run. */
export async function takeDelivery(webhook: AddressedWebhook, delivery: Delivery): Promise<DeliveryOutcome> {
  let judged = webhook.conditions !== null;
  for (;;) {
    const settled = await take({ webhook, delivery, judged });
    if (settled.status === "rejected") throw settled.reason;
    const { outcome } = settled.value;
    if (outcome === "taken") publishChange(platform().database.db, webhook.accountId, "triggers");
    // Conditions were added since the webhook was looked up.
    if (outcome !== "unjudged") return settled.value;
    judged = true;
  }
}

/** Counts a delivery with an invalid signature. */
export const countRejected = batched(
  async (webhooks: AddressedWebhook[]) => {
    const counted = webhooks.map(({ accountId, triggerId }) => ({
      account: toUuid("account", accountId),
      trigger: toUuid("trigger", triggerId),
    }));
    await platform().database.db.execute(sql`select count_rejected(${JSON.stringify(counted)}::jsonb)`);
    return webhooks.map(() => undefined);
  },
  { inFlight: 1, size: 1000, most: 10_000 },
);
