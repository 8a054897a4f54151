import type { ClientEvmSigner } from "@x402/evm";

export interface Purchase {
  creditedUsd: number;
  creditedCredits: number;
  receiptId: string;
}

const PATH = "/api/bytes/credits/x402/top-up";
const PENDING_MS = 1000;
const PENDING_TRIES = 60;

/**
 * Buys credits by x402: requests the offer, and has the payer sign exactly that. The returned function pays; repeated,
 * it sends the same payment under the same idempotency key, so that nothing is paid twice. Both throw the API's
 * envelope.
 */
export async function signPurchase(
  amountUsd: number,
  payer: ClientEvmSigner,
): Promise<() => Promise<Purchase>> {
  const idempotencyKey = crypto.randomUUID();
  const send = (headers: Record<string, string>) =>
    fetch(PATH, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": idempotencyKey, ...headers },
      body: JSON.stringify({ amountUsd }),
    });

  const asked = await send({});
  const challenge = asked.headers.get("payment-required");
  if (challenge === null) throw await asked.json();
  const [{ decodePaymentRequiredHeader, encodePaymentSignatureHeader }, { x402Client }, { ExactEvmScheme }] =
    await Promise.all([
      import("@x402/core/http"),
      import("@x402/core/client"),
      import("@x402/evm/exact/client"),
    ]);
  // The challenge comes from our own server, for exactly the typed amount.
  const client = x402Client.fromConfig({
    schemes: [{ network: "eip155:*", client: new ExactEvmScheme(payer) }],
    spendControls: false,
  });
  const payment = await client.createPaymentPayload(decodePaymentRequiredHeader(challenge));
  const headers = { "payment-signature": encodePaymentSignatureHeader(payment) };
  return async () => {
    for (let tries = 0; ; tries++) {
      const paid = await send(headers);
      if (paid.status !== 409 || tries === PENDING_TRIES) return envelopeOf(paid);
      // The chain has not confirmed the payment yet; repeating the same call checks again and pays nothing more.
      await new Promise((done) => setTimeout(done, PENDING_MS));
    }
  };
}

async function envelopeOf(response: Response): Promise<Purchase> {
  const body = await response.json();
  if (!body.ok) throw body;
  return body;
}
