import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { openChains } from "#server/providers/chain/chains.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { startHostile, writeForEver } from "#server/testing/hostile-peer.ts";
import { createPayer, paidOn, signPayment, topUp } from "#server/testing/payments.ts";

const chain = await startTestChain();
const { chains = [], payments } = await paidOn(chain);
let connected: (socket: Socket) => void = (socket) => socket.destroy();
const peer = await startHostile((socket) => connected(socket));
const api = await startApi({
  settings: { chains, payments: { treasury: payments?.treasury ?? null, facilitator: peer.url } },
});

const OK = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const sized = (body: string) => `${OK}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

test.each<[string, typeof connected]>([
  ["hangs up", (socket) => socket.destroy()],
  [
    "never ends its answer",
    (socket) => {
      socket.write(`${OK}\r\n`);
      writeForEver(socket, Buffer.alloc(64 * 1024, " "));
    },
  ],
  [
    "leads elsewhere",
    (socket) => socket.end(`HTTP/1.1 307 T\r\nlocation: ${peer.url}\r\ncontent-length: 0\r\n\r\n`),
  ],
  ["answers JSON without end", (socket) => socket.end(sized("[".repeat(30_000)))],
  ["answers another thing", (socket) => socket.end(sized('{"isValid":"yes"}'))],
])("charges nothing where the facilitator %s, naming its setting", async (_, speak) => {
  connected = speak;
  const { key } = await api.createRootKey();
  const { payment } = await signPayment(api, chain, { key, payer: await createPayer(chain) });
  const { status, body } = await topUp(api, { key, payment });
  expect([status, body.error]).toMatchObject([
    503,
    { code: "service_unavailable", operationState: "not_started", retryable: true },
  ]);
  expect(body.error.message).toContain("FACILITATOR_URL");
});

test("reports why a facilitator refuses a payment, if the reason is a code", async () => {
  const { key } = await api.createRootKey();
  const { payment } = await signPayment(api, chain, { key, payer: await createPayer(chain) });
  for (const [reason, expected] of [
    ["insufficient_funds", /insufficient_funds/],
    ["x".repeat(60_000), /it is not valid/],
    ["\u0000\r\nset-cookie: a", /it is not valid/],
  ] as const) {
    connected = (socket) => socket.end(sized(JSON.stringify({ isValid: false, invalidReason: reason })));
    const { status, body } = await topUp(api, { key, payment });
    expect([status, body.error]).toMatchObject([402, { message: expect.stringMatching(expected) }]);
  }
});

test("names the setting without which nothing can be bought", async () => {
  const { key } = await api.createRootKey();
  const { settings } = api.platform;
  const refusal = async () => {
    const { status, body } = await topUp(api, { key });
    return [status, body.error.message];
  };
  Object.assign(api.platform, { facilitator: null });
  expect(await refusal()).toEqual([503, "Credits can't be bought here: FACILITATOR_URL is not set."]);
  Object.assign(settings, { payments: { treasury: null, facilitator: null } });
  expect(await refusal()).toEqual([503, "Credits can't be bought here: TREASURY_ADDRESS is not set."]);
  Object.assign(api.platform, { chains: openChains([]) });
  expect(await refusal()).toEqual([503, "Credits can't be bought here: CHAINS is not set."]);
});
