import { sign as signAsGitHub } from "@octokit/webhooks-methods";
import { isValidSlackRequest } from "@slack/bolt";
import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { deliver, putInbound } from "#server/testing/inbound.ts";
import { storeWorkflow } from "#server/testing/stored-workflows.ts";
import { runsOf, setClock, startTriggers, triggersDo } from "#server/testing/triggers.ts";
import { GITHUB_SECRET, VENDORS } from "#server/testing/webhook-vendors.ts";

const api = await startApi();
const worker = await startTriggers(api);
afterAll(() => worker.stop());

type Headers = Record<string, string>;

const nowIn = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

test.each(Object.entries(VENDORS))(
  "accepts deliveries signed by %s, each once, as its own library does",
  async (_, vendor) => {
    const { key } = await createPayingKey(api, 100);
    await storeWorkflow(api, key, "follow", [{ id: "pause", type: "wait", seconds: 0 }]);
    const start = { serviceId: "managed-workflows", operationId: "start", input: { name: "follow" } };
    const { id, address } = await putInbound(api, key, vendor.webhook, { start });
    const first = await vendor.send(unique("delivery"), nowIn(0));
    const second = await vendor.send(unique("delivery"), nowIn(-290));
    for (const delivery of [first, first, second]) {
      const { body, headers } = delivery;
      expect(await vendor.accepts(vendor.webhook.secret, delivery)).toBe(true);
      const taken = await deliver(api, address, body, headers);
      expect([taken.status, taken.body]).toEqual([202, { ok: true }]);
    }
    await expect.poll(() => runsOf(api, key, id)).toHaveLength(2);
    const [run] = await runsOf(api, key, id);
    const { event } = run.input.input;
    expect(event).toMatchObject({ name: vendor.name, data: JSON.parse(first.body), headers: vendor.shown });
    expect(Object.keys(event.headers)).not.toContain(vendor.signature);
    const { trigger, ticks } = await triggersDo(api, key, "get", { name: "inbound" });
    expect(ticks).toHaveLength(2);
    expect(trigger.on.webhook.rejectedDeliveries).toBe(0);
  },
);

test.each(Object.entries(VENDORS))(
  "refuses deliveries not signed by %s with the secret, as its own library does, and stores nothing",
  async (_, vendor) => {
    const { key } = await createPayingKey(api, 100);
    const other = `${vendor.webhook.secret.slice(0, -4)}AAA=`;
    const foreign = await putInbound(api, key, { ...vendor.webhook, secret: other }, { name: "foreign" });
    const { address, id } = await putInbound(api, key, vendor.webhook);
    const { body, headers } = await vendor.send(unique("delivery"), nowIn(0));
    const unsigned = Object.fromEntries(
      Object.entries(headers).filter(([name]) => name !== vendor.signature),
    );
    const attempts: [string, string, Headers][] = [
      [foreign.address, body, headers],
      [address, `${body} `, headers],
      [address, body, unsigned],
      [address, body, { ...unsigned, [vendor.signature]: "" }],
      [address, body, { ...unsigned, [vendor.signature]: "v1,x sha256=00 v0=00 t=1,v1=00" }],
    ];
    if (vendor.isTimed) {
      const old = await vendor.send(unique("delivery"), nowIn(-310));
      attempts.push([address, old.body, old.headers]);
    }
    for (const [to, sent, signed] of attempts) {
      const secret = to === address ? vendor.webhook.secret : other;
      expect(await vendor.accepts(secret, { body: sent, headers: signed })).toBe(false);
    }
    // Some libraries accept deliveries that were signed ahead of time.
    const ahead = await vendor.send(unique("delivery"), nowIn(310));
    if (vendor.isTimed) attempts.push([address, ahead.body, ahead.headers]);
    for (const [to, sent, signed] of attempts) {
      const refused = await deliver(api, to, sent, signed);
      expect([refused.status, refused.body.error.code]).toEqual([401, "signature_invalid"]);
      expect(refused.headers.get("www-authenticate")).toBe(null);
    }
    const { trigger, ticks } = await triggersDo(api, key, "get", { name: "inbound" });
    expect(trigger.on.webhook.rejectedDeliveries).toBe(attempts.length - 1);
    expect(ticks).toEqual([]);
    expect(await runsOf(api, key, id)).toEqual([]);
  },
);

test("answers GitHub's ping, and starts nothing", async () => {
  const { key } = await createPayingKey(api, 100);
  const { address } = await putInbound(api, key, { scheme: "github", secret: GITHUB_SECRET });
  const body = JSON.stringify({ zen: "Keep it logically awesome.", hook_id: 1 });
  const ping = { "x-github-event": "ping", "x-github-delivery": unique("delivery") };
  const signature = await signAsGitHub(GITHUB_SECRET, body);
  const signed = await deliver(api, address, body, { ...ping, "x-hub-signature-256": signature });
  expect([signed.status, signed.body]).toEqual([202, { ok: true }]);
  expect((await deliver(api, address, body, ping)).status).toBe(401);
  expect((await triggersDo(api, key, "get", { name: "inbound" })).ticks).toEqual([]);
});

// The example in Slack's documentation, and other bodies signed with the same secret at the same time.
const SLACK = { scheme: "slack", secret: "8f742231b10e8888abcd99yyyzzz85a5" };
const SLACK_AT = 1_531_420_618;
const SLACK_COMMAND =
  "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
const SLACK_CHALLENGE =
  '{"type":"url_verification","challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}';
const SLACK_MESSAGE = '{"type":"event_callback","event_id":"Ev08MFMKH6","event":{"type":"message"}}';
const slack = (signature: string, type = "application/json") => ({
  "content-type": type,
  "x-slack-request-timestamp": String(SLACK_AT),
  "x-slack-signature": `v0=${signature}`,
});

/** Returns whether Slack's own library accepts a delivery that arrives this many seconds after it was signed. */
const slackAccepts = (body: string, headers: ReturnType<typeof slack>, seconds: number) =>
  isValidSlackRequest({
    signingSecret: SLACK.secret,
    body,
    headers: { ...headers, "x-slack-request-timestamp": SLACK_AT },
    nowMilliseconds: (SLACK_AT + seconds) * 1000,
  });

test("accepts the example of Slack's documentation, as Slack's library does, and answers its challenge", async () => {
  await setClock(api, new Date((SLACK_AT + 60) * 1000));
  const { key } = await createPayingKey(api, 100);
  await storeWorkflow(api, key, "follow", [{ id: "pause", type: "wait", seconds: 0 }]);
  const start = { serviceId: "managed-workflows", operationId: "start", input: { name: "follow" } };
  const { id, address } = await putInbound(api, key, SLACK, { start });
  const challenge = slack("2b617e8d1eba789c3e90a54b772adadfc772137987c87d3c1e4129005632e406");
  const greeted = await deliver(api, address, SLACK_CHALLENGE, challenge);
  expect([greeted.status, greeted.body]).toEqual([
    200,
    { challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P" },
  ]);
  expect((await deliver(api, address, SLACK_CHALLENGE)).status).toBe(401);
  const command = slack(
    "a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    "application/x-www-form-urlencoded",
  );
  expect((await deliver(api, address, SLACK_COMMAND, command)).status).toBe(202);
  expect(slackAccepts(SLACK_CHALLENGE, challenge, 60)).toBe(true);
  expect(slackAccepts(SLACK_COMMAND, command, 60)).toBe(true);
  const message = slack("9beb9ac62f693a2de78816ab27b7910fa8673cfdfa8d37a6fa8485bc1c81a42b");
  for (let nth = 0; nth < 2; nth++)
    expect((await deliver(api, address, SLACK_MESSAGE, message)).status).toBe(202);
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(2);
  const events = (await runsOf(api, key, id)).map(({ input }) => input.input.event);
  expect(events).toMatchObject([
    { name: "webhook", data: { command: "/webhook-collect", user_name: "roadrunner" } },
    { name: "message", data: { event_id: "Ev08MFMKH6" } },
  ]);
  await setClock(api, new Date((SLACK_AT + 301) * 1000));
  expect((await deliver(api, address, SLACK_MESSAGE, message)).status).toBe(401);
  expect([300, 301].map((seconds) => slackAccepts(SLACK_MESSAGE, message, seconds))).toEqual([true, false]);
  await setClock(api, 0);
});

test.each([
  [
    "others, in base64",
    { scheme: "hmac_sha256" },
    { "x-signature": "3iAHlxiF+KWklozuu0fUjtwGPYi7VL0zaHFGh+wCjkg=" },
    "webhook",
  ],
  [
    "others, in hex",
    { scheme: "hmac_sha256", headerName: "X-Shop-Sum" },
    { "x-shop-sum": "sha256=de2007971885f8a5a4968ceebb47d48edc063d88bb54bd3368714687ec028e48" },
    "webhook",
  ],
])("takes a delivery signed by %s", async (_, webhook, headers, name) => {
  const { key } = await createPayingKey(api, 100);
  await storeWorkflow(api, key, "follow", [{ id: "pause", type: "wait", seconds: 0 }]);
  const start = { serviceId: "managed-workflows", operationId: "start", input: { name: "follow" } };
  const secret = "shpss_8f742231b10e8888";
  const { id, address } = await putInbound(api, key, { ...webhook, secret }, { start });
  const body = '{"id":820982911946154508}';
  for (let nth = 0; nth < 2; nth++) expect((await deliver(api, address, body, headers)).status).toBe(202);
  expect((await deliver(api, address, `${body}\n`, headers)).status).toBe(401);
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(1);
  const { event } = (await runsOf(api, key, id))[0].input.input;
  expect(event).toMatchObject({ name, data: { id: "820982911946154508" } });
  expect(JSON.stringify(event.headers)).not.toContain("3iAHlxiF");
});
