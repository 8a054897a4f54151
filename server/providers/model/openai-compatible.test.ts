import { afterAll, expect, test } from "vitest";
import { parseAnswered } from "#server/operation/json-text.ts";
import { type Asked, type Scripted, startModelServer } from "#server/testing/model-server.ts";
import type { ModelRequest } from "./model.ts";
import { openAiCompatible, trustedFetch } from "./openai-compatible.ts";

let script: (asked: Asked, nth: number) => Scripted = () => ({});
const server = await startModelServer((asked, nth) => script(asked, nth));
afterAll(server.stop);
const modelWithin = (seconds: number) =>
  openAiCompatible({
    baseUrl: server.baseUrl,
    model: "small",
    apiKey: "sk-test",
    fetch: trustedFetch(seconds),
    parse: parseAnswered,
  });
const model = modelWithin(120);

const request: ModelRequest = {
  instructions: "Be brief.",
  messages: [{ role: "user", content: "Which projects are there?" }],
  tools: [
    {
      name: "projects_list",
      description: "List projects",
      inputSchema: { type: "object", properties: { limit: { type: "integer" } } },
    },
  ],
  maxOutputTokens: 100,
};
const ask = (signal = new AbortController().signal) => model.answer(request, signal);

test("asks in OpenAI's streaming form and collects the answer", async () => {
  script = () => ({ text: "There are none at all.", usage: { prompt: 21, completion: 6 } });
  expect(await ask()).toEqual({
    text: "There are none at all.",
    toolCalls: [],
    usage: { inputTokens: 21, outputTokens: 6 },
    finishReason: "stop",
  });
  expect(server.asked.at(-1)).toMatchObject({
    authorization: "Bearer sk-test",
    body: {
      model: "small",
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 100,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Which projects are there?" },
      ],
      tools: [
        {
          type: "function",
          function: { name: "projects_list", parameters: { properties: { limit: { type: "integer" } } } },
        },
      ],
    },
  });
});

test("hands on parallel tool calls, unknown tools and unreadable arguments as they were asked for", async () => {
  script = () => ({
    toolCalls: [
      { name: "projects_list", arguments: { limit: 3 } },
      { name: "wallets_drain", arguments: { all: true } },
      { name: "projects_list", arguments: '{"limit": ' },
    ],
    usage: null,
  });
  const { toolCalls, usage, finishReason } = await ask();
  expect(toolCalls).toEqual([
    { id: expect.any(String), name: "projects_list", input: { limit: 3 }, readable: true },
    { id: expect.any(String), name: "wallets_drain", input: { all: true }, readable: true },
    { id: expect.any(String), name: "projects_list", input: '{"limit": ', readable: false },
  ]);
  expect(finishReason).toBe("tool_calls");
  expect(usage.inputTokens).toBeGreaterThan(20);
  expect(usage.outputTokens).toBeGreaterThan(20);
});

test("hands on numbers with every digit that the model wrote, and no nesting without end", async () => {
  const written = '{"id":9007199254740993,"amount":0.1234567890123456789}';
  script = () => ({
    toolCalls: [
      { name: "projects_list", arguments: written },
      { name: "projects_list", arguments: `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}` },
    ],
  });
  const { toolCalls } = await ask();
  expect(JSON.stringify(toolCalls[0]?.input)).toBe(written);
  expect(toolCalls.map(({ readable }) => readable)).toEqual([true, false]);
});

test.each<[string, Scripted, object]>([
  [
    "asks to wait",
    { status: 429, headers: { "retry-after": "7" } },
    { fault: "limiting", retryAfterSeconds: 7 },
  ],
  [
    "is not able to answer now",
    { status: 503, headers: { "retry-after": "3" } },
    { fault: "unreachable", retryAfterSeconds: 3 },
  ],
  ["fails", { status: 500 }, { fault: "unreachable", retryAfterSeconds: null }],
  ["refuses the credential", { status: 401 }, { fault: "denied" }],
  ["redirects", { status: 302, headers: { location: "http://127.0.0.1:1/" } }, { fault: "broken" }],
  [
    "refuses the request",
    { status: 400, error: "No such model." },
    { fault: "broken", message: "It answered 400: No such model." },
  ],
  ["breaks off", { text: "Half an ans", cut: true }, { fault: "lost" }],
  ["never stops talking", { text: "x".repeat(5_000_000) }, { fault: "broken" }],
])("tells apart an endpoint that %s", async (_, scripted, error) => {
  script = () => scripted;
  await expect(ask()).rejects.toMatchObject({ name: "ModelError", ...error });
});

test("reports a stopped endpoint, and recovers with it", async () => {
  script = () => ({ text: "Back." });
  await server.stop();
  await expect(ask()).rejects.toMatchObject({ fault: "unreachable" });
  await server.start();
  expect(await ask()).toMatchObject({ text: "Back." });
});

test("gives up on an endpoint that hangs, and stops on abort", async () => {
  script = () => ({ hang: true });
  const never = new AbortController().signal;
  await expect(modelWithin(2).answer(request, never)).rejects.toMatchObject({
    fault: "lost",
    message: "No whole answer within 2000 ms.",
  });
  const reason = new Error("Cancelled.");
  const aborter = new AbortController();
  setTimeout(() => aborter.abort(reason), 100);
  await expect(ask(aborter.signal)).rejects.toBe(reason);
});
