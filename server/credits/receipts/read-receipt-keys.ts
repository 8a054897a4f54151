import { z } from "zod";
import { receiptKeys } from "#db/schema/payments.ts";
import { operation } from "#server/operation/operation.ts";
import { receiptKey } from "./sign-receipt.ts";

/** Served at the root by a handler of its own: the public keys of receipts, including earlier ones. */
export const readReceiptKeys = operation({
  id: "credits.receipts.keys.read",
  method: "GET",
  path: "/.well-known/jwks.json",
  summary: "Read the keys that receipts are signed with",
  scope: null,
  output: z.object({
    keys: z.array(z.record(z.string(), z.string())).describe("Public keys (RFC 7517)."),
  }),

  async handler({ db }) {
    const [current, used] = await Promise.all([receiptKey(), db.select().from(receiptKeys)]);
    const earlier = used.filter(({ kid }) => kid !== current.kid);
    return { keys: [current, ...earlier].map(({ jwk }) => jwk) };
  },
});
