import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { payInTypeScript } from "#server/docs/guides/top-up.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import {
  askedIn,
  createPayer,
  paidOn,
  signPayment,
  signTransfer,
  topUp,
  usdOf,
} from "#server/testing/payments.ts";

const chain = await startTestChain();
const api = await startApi({ settings: await paidOn(chain) });
const { usd } = chain.settings.contracts;
const treasury = chain.accounts.treasury.address;

/** Creates a key, and a payer for its account. */
async function createBuyer() {
  return { ...(await api.createRootKey()), payer: await createPayer(chain) };
}

const balanceOf = async (key: string) =>
  (await api.send("GET", "/v1/credits/balance", { key })).body.balance.totalCredits;

test("asks for the payment in both versions of x402, the same in a repeat", async () => {
  const { key } = await api.createRootKey();
  const idempotencyKey = unique("asked");
  const first = await topUp(api, { key, amountUsd: 12.34, idempotencyKey });
  expect(first.status).toBe(402);
  expect(askedIn(first)).toMatchObject({
    x402Version: 2,
    resource: { url: "http://platform.test/v1/credits/x402/top-up" },
    accepts: [
      {
        scheme: "exact",
        network: "eip155:31337",
        asset: usd,
        amount: "12340000",
        payTo: treasury,
        maxTimeoutSeconds: 120,
        extra: { name: "Sandbox USD", version: "1" },
      },
    ],
  });
  expect(first.body).toMatchObject({
    ok: false,
    error: { code: "payment_required", operationState: "not_started" },
    x402Version: 1,
    accepts: [
      {
        scheme: "exact",
        network: "eip155:31337",
        asset: usd,
        maxAmountRequired: "12340000",
        payTo: treasury,
        resource: "http://platform.test/v1/credits/x402/top-up",
      },
    ],
  });
  const second = await topUp(api, { key, amountUsd: 12.34, idempotencyKey });
  expect(second.headers.get("payment-required")).toBe(first.headers.get("payment-required"));
  const problem = await api.send("POST", "/v1/credits/x402/top-up", {
    key,
    idempotencyKey,
    body: { amountUsd: 12.34 },
    headers: { accept: "application/problem+json" },
  });
  const { x402Version, accepts } = first.body;
  expect(problem.body).toMatchObject({ code: "payment_required", status: 402, x402Version, accepts });
  expect(problem.body).not.toHaveProperty("ok");
});

test("takes 5 to 500 USD with at most two decimal places, exactly", async () => {
  const { key } = await api.createRootKey();
  for (const [amountUsd, units] of [
    [5, "5000000"],
    [10.1, "10100000"],
    [299.99, "299990000"],
    [500, "500000000"],
  ] as const)
    expect(askedIn(await topUp(api, { key, amountUsd })).requirement.amount).toBe(units);
  for (const amountUsd of [4.99, 5.001, 500.01, -5, 0]) {
    const { status, body } = await topUp(api, { key, amountUsd });
    expect([status, body.error.issues[0].path]).toEqual([400, "body.amountUsd"]);
  }
});

test("credits the stock client's payment, and replays it with and without the payment", async () => {
  const { key, payer } = await createBuyer();
  const before = await usdOf(chain, treasury);
  const client = x402Client.fromConfig({
    schemes: [{ network: "eip155:*", client: new ExactEvmScheme(payer) }],
    spendControls: false,
  });
  let paid: Request | undefined;
  const spy: typeof fetch = (input, init) => {
    paid = new Request(input, init);
    return fetch(paid.clone());
  };
  const idempotencyKey = unique("stock");
  const answer = await wrapFetchWithPayment(spy, client)(`${api.origin}/v1/credits/x402/top-up`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "idempotency-key": idempotencyKey,
      "content-type": "application/json",
    },
    body: JSON.stringify({ amountUsd: 25.5 }),
  });
  const body = await answer.json();
  expect(answer.status).toBe(200);
  expect(body).toMatchObject({
    creditedUsd: 25.5,
    creditedCredits: 25_500,
    balance: { totalCredits: 25_500 },
  });
  expect(answer.headers.get("x-service-paid-agent-receipt")).toBe(body.receiptId);
  const settled = decodePaymentResponseHeader(answer.headers.get("payment-response") ?? "");
  expect(settled).toMatchObject({ success: true, network: "eip155:31337", payer: payer.address });
  expect(
    (await chain.client.getTransactionReceipt({ hash: settled.transaction as `0x${string}` })).status,
  ).toBe("success");
  expect((await usdOf(chain, treasury)) - before).toBe(25_500_000n);

  const payment = defined(paid?.headers.get("payment-signature"));
  const repeats = [{}, { payment }, { payment: "not a payment" }];
  for (const sent of repeats) {
    const again = await topUp(api, { key, amountUsd: 25.5, idempotencyKey, ...sent });
    expect([again.status, again.body]).toEqual([200, body]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("payment-response")).toBe(answer.headers.get("payment-response"));
  }
  expect(await balanceOf(key)).toBe(25_500);
});

test("takes the header of clients that speak version 1", async () => {
  const { key, payer } = await createBuyer();
  const idempotencyKey = unique("legacy");
  const asked = (await topUp(api, { key, idempotencyKey })).body.accepts[0];
  const payload = await signTransfer(chain, payer, { to: asked.payTo, value: asked.maxAmountRequired });
  const { scheme, network } = asked;
  const legacy = Buffer.from(JSON.stringify({ x402Version: 1, scheme, network, payload })).toString("base64");
  const { status, body } = await topUp(api, { key, idempotencyKey, legacy });
  expect([status, body.creditedCredits]).toEqual([200, 25_000]);
});

test("refuses a payment that is not the one asked for", async () => {
  const { key, payer } = await createBuyer();
  const { requirement, payload, encoded } = await signPayment(api, chain, { key, payer });
  const sent = { x402Version: 2, accepted: requirement, payload };
  const { authorization } = payload;
  const half = await signTransfer(chain, payer, { to: treasury, value: "12500000" });
  const elsewhere = await signTransfer(chain, payer, { to: payer.address, value: "25000000" });
  const lasting = await signTransfer(chain, payer, {
    to: treasury,
    value: "25000000",
    validBefore: Math.floor(Date.now() / 1000) + 3600,
  });
  const unfit = [
    "%%%",
    encoded({ x402Version: 3 }),
    encoded({ ...sent, payload: { signature: payload.signature } }),
    encoded({ ...sent, accepted: { ...requirement, amount: "1" } }),
    encoded({ ...sent, accepted: { ...requirement, payTo: payer.address } }),
    encoded({ ...sent, accepted: { ...requirement, network: "eip155:1" } }),
    encoded({ ...sent, payload: { ...payload, authorization: { ...authorization, value: "1" } } }),
    ...[half, elsewhere, lasting].map((other) => encoded({ ...sent, payload: other })),
  ];
  for (const payment of unfit) {
    const { status, body } = await topUp(api, { key, payment });
    expect([status, body.error.code, body.error.operationState]).toEqual([
      422,
      "payment_invalid",
      "not_started",
    ]);
  }
  const twice = await topUp(api, { key, payment: encoded(sent), legacy: encoded(sent) });
  expect(twice.body.error.code).toBe("payment_invalid");
  expect(await balanceOf(key)).toBe(0);
});

test("requests payment again if it is forged, expired or not covered, and then accepts another", async () => {
  const { key, payer } = await createBuyer();
  const poor = await createPayer(chain, "1");
  const idempotencyKey = unique("refused");
  const good = await signPayment(api, chain, { key, payer });
  const forged = {
    ...good.payload,
    signature: (await signPayment(api, chain, { key, payer })).payload.signature,
  };
  const refused = [
    good.encoded({ x402Version: 2, accepted: good.requirement, payload: forged }),
    (await signPayment(api, chain, { key, payer, validBefore: Math.floor(Date.now() / 1000) - 1 })).payment,
    (await signPayment(api, chain, { key, payer: poor })).payment,
  ];
  for (const payment of refused) {
    const answer = await topUp(api, { key, idempotencyKey, payment });
    expect([answer.status, answer.body.error.code]).toEqual([402, "payment_required"]);
    expect(askedIn(answer).requirement).toEqual(good.requirement);
    expect(askedIn(answer).error).toMatch(/^invalid_exact_evm_/);
  }
  expect(await balanceOf(key)).toBe(0);
  expect((await topUp(api, { key, idempotencyKey, payment: good.payment })).status).toBe(200);
  expect(await balanceOf(key)).toBe(25_000);
});

test("credits a signature once, whichever account presents it again", async () => {
  const { key, payer } = await createBuyer();
  const stranger = await api.createRootKey();
  const { payment } = await signPayment(api, chain, { key, payer });
  expect((await topUp(api, { key, payment })).status).toBe(200);
  for (const other of [key, stranger.key]) {
    const again = await topUp(api, { key: other, payment });
    expect([again.status, again.body.error.code]).toEqual([402, "payment_required"]);
  }
  expect([await balanceOf(key), await balanceOf(stranger.key)]).toEqual([25_000, 0]);
});

test("credits once a payment that is sent three times at once under one idempotency key", async () => {
  const { key, payer } = await createBuyer();
  const idempotencyKey = unique("raced");
  const { payment } = await signPayment(api, chain, { key, payer });
  const answers = await Promise.all([1, 2, 3].map(() => topUp(api, { key, idempotencyKey, payment })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ body }) => body.receiptId)).size).toBe(1);
  expect(await balanceOf(key)).toBe(25_000);
});

test("settles one of three concurrent calls with the same signature, and refuses the others with the reason", async () => {
  const { key, payer } = await createBuyer();
  const before = await usdOf(chain, treasury);
  const { payment } = await signPayment(api, chain, { key, payer });
  // Nothing is mined until all three are submitted.
  await chain.client.setAutomine(false);
  const calls = [1, 2, 3].map(() => topUp(api, { key, payment }));
  const pending = await Promise.race([
    Promise.all([calls[0], calls[1]]),
    Promise.all([calls[0], calls[2]]),
    Promise.all([calls[1], calls[2]]),
  ]);
  expect(pending.map((answer) => [answer?.status, answer?.body.error.code])).toEqual([
    [409, "settlement_pending"],
    [409, "settlement_pending"],
  ]);
  await chain.client.setAutomine(true);
  await chain.mine();
  const answers = await Promise.all(calls);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(await balanceOf(key)).toBe(25_000);
  expect((await usdOf(chain, treasury)) - before).toBe(25_000_000n);
});

test("the guide's program pays, and its repeat pays nothing more", async () => {
  const { key } = await api.createRootKey();
  const payerKey = generatePrivateKey();
  const { address } = privateKeyToAccount(payerKey);
  await chain.fund(address, { usd: "100" });
  const pay = async () => {
    const program = ["--input-type=module", "-e", payInTypeScript(api.origin)];
    const env = { ...process.env, API_KEY: key, PAYER_KEY: payerKey, TOP_UP: `guide-${address}` };
    return (await promisify(execFile)(process.execPath, program, { env })).stdout;
  };
  expect(await pay()).toMatch(/^200 /);
  expect(await pay()).toMatch(/^200 /);
  expect(await balanceOf(key)).toBe(25_000);
  expect(await usdOf(chain, address)).toBe(75_000_000n);
});
