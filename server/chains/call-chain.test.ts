import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { afterAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { defined } from "#server/base/defined.ts";
import { portOf } from "#server/boot/processes.ts";
import { operation } from "#server/operation/operation.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { callChain, chainNamed } from "./call-chain.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const chain = await startTestChain();
const passOn: Answer = (request, response) => {
  const headers = { "content-type": "application/json" };
  text(request)
    .then((body) => fetch(chain.settings.rpcUrl, { method: "POST", body, headers }))
    .then(async (answered) => response.writeHead(200, headers).end(await answered.text()))
    .catch(() => response.destroy());
};
const reply =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);

/** A proxy of the chain's node that responds as a test wants. */
let answer = passOn;
const node = createServer((request, response) => answer(request, response));
await new Promise<void>((listening) => node.listen(0, "127.0.0.1", listening));
afterAll(() => {
  node.closeAllConnections();
  node.close();
});

const port = portOf(node);
const rpcUrl = `http://user:KEY1@127.0.0.1:${port}/v2/KEY2?token=KEY3`;
const api = await startApi({
  settings: { chains: [{ ...chain.settings, rpcUrl }] },
  extra: [
    operation({
      id: "test.blocks.read",
      method: "GET",
      path: "/test/blocks/{network}",
      summary: "Read the newest block",
      scope: "wallets:read",
      params: z.object({ network: z.string() }),
      output: z.object({ block: z.number() }),
      async handler({ params }) {
        const named = chainNamed(params.network, "path.network");
        return { block: Number(await callChain(named, (client) => client.getBlockNumber({ cacheTime: 0 }))) };
      },
    }),
  ],
});
const { key } = await api.createRootKey();
const read = (network = "eip155:31337") => api.send("GET", `/v1/test/blocks/${network}`, { key });

/**
 * Makes the node faulty, returns the refusal, and checks that calls succeed again. The time of the first one is short
 * after a silence: on a busy machine it may pass.
 */
async function refusalBy(faulty: Answer) {
  answer = faulty;
  const refused = await read();
  const health = await api.send("GET", "/health");
  answer = passOn;
  await expect.poll(async () => (await read()).status).toBe(200);
  return { ...refused, health: health.body };
}

const unavailable = (message: string) => ({
  status: 503,
  body: {
    ok: false,
    error: { code: "service_unavailable", message, retryable: true, operationState: "not_started" },
  },
});

test("reads through a node that does its part", async () => {
  expect(await read()).toMatchObject({ status: 200, body: { block: expect.any(Number) } });
  await expect
    .poll(async () => (await api.send("GET", "/health")).body)
    .toMatchObject({
      status: "ok",
      chains: [{ network: "eip155:31337", ok: true, blockNumber: expect.any(Number) }],
    });
});

test("refuses a chain that the installation does not have", async () => {
  expect(await read("eip155:1")).toMatchObject({
    status: 400,
    body: {
      error: {
        code: "invalid_request",
        issues: [
          {
            path: "path.network",
            message: "eip155:1 is no chain of this installation; it has eip155:31337.",
          },
        ],
      },
    },
  });
});

// Before the other faults: those of a chain are logged once a minute.
test("never reveals the node's address, which may contain a key, in errors, responses or logs", async () => {
  const logged = vi.spyOn(process.stderr, "write");
  const real = defined(api.platform.chains.all[0]);
  const { client } = real;
  // The sandbox's own address is public; any other chain's is not.
  Object.assign(real, { sandbox: false });
  answer = reply(500, "");
  const [failed] = await Promise.allSettled([client.getBlockNumber({ cacheTime: 0 })]);
  const answers = [await read()];
  answer = (_request, response) => response.destroy();
  answers.push(await read(), await api.send("GET", "/health"));
  answer = passOn;
  answers.push(await api.send("GET", "/v1/health"));
  Object.assign(real, { sandbox: true });
  const [refused] = await Promise.allSettled([client.request({ method: "no_such" as "eth_chainId" })]);
  const shown = inspect([failed, refused, answers, client.chain, logged.mock.calls], { depth: 20 });
  logged.mockRestore();
  expect(shown).toMatch(/answered 500[\s\S]*Method not found[\s\S]*A chain's node failed/);
  expect(shown).not.toMatch(/KEY[123]|127\.0\.0\.1:\d+\/v2/);
});

test("is unavailable while the node is busy, for as long as it asks", async () => {
  const refused = await refusalBy(reply(429, "slow down", { "retry-after": "17" }));
  expect(refused).toMatchObject(unavailable("The chain eip155:31337 (CHAINS) answered 429."));
  expect(refused.headers.get("retry-after")).toBe("17");
  expect(refused.health).toMatchObject({
    ok: true,
    status: "degraded",
    chains: [{ network: "eip155:31337", ok: false, blockNumber: null }],
  });
});

test("is unavailable while the node limits calls inside JSON-RPC", async () => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32005, message: "limit exceeded" } });
  expect(await refusalBy(reply(200, body, { "content-type": "application/json" }))).toMatchObject(
    unavailable("The chain eip155:31337 (CHAINS) refused with code -32005."),
  );
});

test.each([
  [-32602, "BlockOutOfRangeError: block height is 7 but requested was 9"],
  [-32000, "header not found"],
])("is unavailable while the node lacks a block (%s)", async (code, message) => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } });
  expect(await refusalBy(reply(200, body, { "content-type": "application/json" }))).toMatchObject(
    unavailable("The chain eip155:31337 (CHAINS) lacks a block."),
  );
});

test("is unavailable while the node says it is another chain", async () => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" });
  // A node's chain id is read again after a failure, and every half minute.
  answer = reply(500, "");
  await read();
  expect(await refusalBy(reply(200, body, { "content-type": "application/json" }))).toMatchObject(
    unavailable("The chain eip155:31337 (CHAINS) has a node that says it is eip155:1."),
  );
});

test("is unavailable while the node hangs, before its answer or within it", async () => {
  const message = "The chain eip155:31337 (CHAINS) did not answer in time.";
  expect(await refusalBy(() => undefined)).toMatchObject(unavailable(message));
  expect(await refusalBy((_request, response) => response.writeHead(200).write('{"jsonrpc"'))).toMatchObject(
    unavailable(message),
  );
});

test("is unavailable while the node breaks off or talks nonsense", async () => {
  expect(await refusalBy((_request, response) => response.destroy())).toMatchObject(
    unavailable("The chain eip155:31337 (CHAINS) is not available."),
  );
  expect(await refusalBy(reply(200, "<html>"))).toMatchObject(
    unavailable("The chain eip155:31337 (CHAINS) gave an answer that is none."),
  );
});

test("is unavailable while the node's process is gone, and well when it is back", async () => {
  await chain.stop();
  const refused = await read();
  await chain.start();
  expect(refused).toMatchObject(unavailable("The chain eip155:31337 (CHAINS) is not available."));
  expect((await read()).status).toBe(200);
});
