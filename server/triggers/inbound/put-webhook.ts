import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { inboundWebhooks } from "#db/schema/triggers.ts";
import { invalid } from "#server/operation/errors.ts";
import { type SentWebhook, SIGNATURE_HEADER } from "./schema.ts";
import { newAddress, secretColumns } from "./secrets.ts";

interface Owner {
  accountId: string;
  triggerId: string;
}

/** The inbound webhook of a trigger. */
export const webhookOf = ({ accountId, triggerId }: Owner) =>
  and(eq(inboundWebhooks.accountId, accountId), eq(inboundWebhooks.triggerId, triggerId));

/**
 * Stores the inbound webhook of a locked trigger. Its address stays the same as long as it has one; without a webhook,
 * the address ends.
 */
export async function putWebhook(
  tx: Transaction,
  owner: Owner,
  sent: SentWebhook | undefined,
): Promise<void> {
  if (!sent) return void (await tx.delete(inboundWebhooks).where(webhookOf(owner)));
  const { scheme, secret, headerName, requestsPerMinute } = sent;
  const [existing] = await tx
    .select({ scheme: inboundWebhooks.scheme })
    .from(inboundWebhooks)
    .where(webhookOf(owner));
  const content = {
    scheme,
    requestsPerMinute,
    headerName: scheme === "hmac_sha256" ? (headerName ?? SIGNATURE_HEADER).toLowerCase() : null,
    ...secretOf(owner, { scheme, secret, keeps: existing?.scheme === scheme }),
  };
  if (existing) await tx.update(inboundWebhooks).set(content).where(webhookOf(owner));
  else await tx.insert(inboundWebhooks).values({ ...owner, ...newAddress(owner), ...content });
}

/** Returns the columns of the secret; none if it stays unchanged. */
function secretOf(
  owner: Owner,
  { scheme, secret, keeps }: Pick<SentWebhook, "scheme" | "secret"> & { keeps: boolean },
) {
  if (scheme === "none") return { secret: null, secretFingerprint: null };
  if (secret !== undefined) return secretColumns(owner, secret);
  if (keeps) return {};
  throw invalid(
    "body.input.on.webhook.secret",
    `The scheme ${scheme} needs it: send the provider's signing secret.`,
  );
}
