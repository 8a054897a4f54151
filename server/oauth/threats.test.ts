import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { openSmtp } from "#server/providers/mail/smtp.ts";
import { operatorServices } from "#server/services/operator-services.ts";
import { unique } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { startHttpsPeer } from "#server/testing/https-peer.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { startMailServer } from "#server/testing/mail-server.ts";
import { connectMcp } from "#server/testing/mcp-client.ts";
import { CALLBACK, connectApp, postForm, startOAuthApi } from "#server/testing/oauth.ts";
import { declaredExample } from "#server/testing/operator-services.ts";
import { startPeer } from "#server/testing/peer.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";

const service = await startPeer(() => ({ body: { greeting: "Hello." } }));
const outside = await startPeer(() => ({ body: {} }));
const declared = declaredExample({
  id: "desk",
  signingSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  baseUrl: service.origin,
});
const api = await startOAuthApi(
  { services: operatorServices([declared]) },
  { trustedProxies: ["127.0.0.1"] },
);
await startRuns(api);
const person = await signUpAndIn(api);

test("asks for the person's consent each time, whatever they have allowed the app before", async () => {
  const app = await connectApp(api);
  await app.redeem(await app.allow(person));
  const browse = async (changed = {}) => {
    const address = await app.addressToAsk(changed);
    const answer = await fetch(address, { redirect: "manual", headers: { cookie: person.cookie } });
    return new URL(defined(answer.headers.get("location")));
  };
  const again = await browse();
  expect([again.pathname, again.searchParams.has("code")]).toEqual(["/oauth/consent", false]);
  const requestId = again.searchParams.get("request");
  const { data } = await person.query("apps.requests.read", { requestId });
  expect(data.request.status).toBe("open");
  const silent = await browse({ prompt: "none" });
  expect(silent.searchParams.get("error")).toBe("interaction_required");
});

test("passes an app's token on to no service of the operator and to no connection", async () => {
  const { data } = await person.mutate("connections.create", {
    label: "Outside",
    provider: "peer",
    authType: "bearer",
    secret: "the secret of the connection",
    allowedHosts: [outside.host],
  });
  const scopes = ["services:invoke", "runs:read", "runs:write", "connections:read"];
  const app = await connectApp(api, { resource: "", scope: scopes.join(" ") });
  const { access_token: key } = await app.redeem(await app.allow(person, { scopes }));
  const greet = { operationId: "greet", input: { name: "Ada" } };
  const invoked = await api.send("POST", "/v1/services/desk/invoke", { key, body: greet });
  expect(invoked.status).toBe(200);
  const { call } = await connectMcp(api.origin, key);
  const byTool = { serviceId: "desk", ...greet, idempotencyKey: unique("greet") };
  expect((await call("services_invoke", byTool)).isError).toBe(false);
  const connectionId = data.connection.id;
  const steps = [
    { id: "desk", type: "invoke", serviceId: "desk", ...greet },
    { id: "send", type: "http", connectionId, method: "GET", url: `${outside.origin}/orders` },
  ];
  const made = await createRun(api, key, {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow: { name: "Both", steps } },
  });
  await runWith(api, key, made.body.run.id, "succeeded");
  expect([service.received.length, outside.received.length]).toEqual([3, 1]);
  expect(outside.received[0]?.headers.authorization).toBe("Bearer the secret of the connection");
  for (const request of [...service.received, ...outside.received])
    expect(JSON.stringify(request)).not.toMatch(/svc_o[a-z]t_/);
});

test("mails the person who connected an app its name, its vouching host, and where to revoke it", async () => {
  const { mails, url } = await startMailServer();
  api.platform.mailer = openSmtp({ url, from: "Platform <platform@example.test>" });
  const worker = await startJobs(api);
  const developer = await signInMember(api, person.accountId, "developer");
  const app = await connectApp(api);
  const origin = await startHttpsPeer((_, response) => {
    const document = { client_id, client_name: "Notes", redirect_uris: [CALLBACK] };
    response.end(JSON.stringify(document));
  });
  const client_id = `${origin}/client.json`;
  for (const id of [app.client.client_id, client_id]) {
    const allowed = await app.allow(developer, {}, { client_id: id });
    const redeemed = await postForm(api, "/oauth/token", {
      grant_type: "authorization_code",
      client_id: id,
      code: defined(allowed.searchParams.get("code")),
      redirect_uri: CALLBACK,
      code_verifier: app.verifier,
    });
    expect(redeemed.status).toBe(200);
  }
  const own = () => mails.filter(({ to }) => to.includes(developer.email)).map(({ text }) => text);
  await expect.poll(own).toHaveLength(2);
  const { data } = await developer.query("apps.list");
  for (const [nth, vouched] of [new URL(origin).host, "an unverified app"].entries()) {
    const revoke = `${api.origin}/api-keys/${data.apps[nth].id}`;
    const mail = defined(own().find((text) => text.includes(revoke)));
    expect(mail).toContain("Subject: An app was connected to Managed Services");
    expect(mail).toContain(`Notes (${vouched}) got access to Ada in your name.`);
  }
  await worker.stop();
});

test("has an address wait that asks for access without end, and no other address", async () => {
  const app = await connectApp(api);
  const address = await app.addressToAsk();
  const ask = async (from: string) => {
    const answer = await fetch(address, { redirect: "manual", headers: { "x-forwarded-for": from } });
    const location = new URL(defined(answer.headers.get("location")));
    return location.searchParams.get("error") ?? location.pathname;
  };
  const askByDevice = (from: string) =>
    fetch(`${api.origin}/oauth/device`, {
      method: "POST",
      headers: { "x-forwarded-for": from },
      body: new URLSearchParams({ client_id: "cli" }),
    });
  /** Sends calls, sixty at a time, until one is refused. */
  const flood = async <Answer>(send: () => Promise<Answer>, isRefusal: (answer: Answer) => boolean) => {
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 60 }, send));
      const refused = answers.find(isRefusal);
      if (refused !== undefined) return refused;
    }
    throw new Error("All were answered.");
  };
  await flood(
    () => ask("192.0.2.1"),
    (answer) => answer === "temporarily_unavailable",
  );
  expect(await ask("192.0.2.2")).toBe("/oauth/consent");
  let nth = 0;
  // Every address of a network of 64 bits belongs to one subscriber.
  await flood(
    () => {
      nth += 1;
      return ask(`2001:db8:0:1::${nth.toString(16)}`);
    },
    (answer) => answer === "temporarily_unavailable",
  );
  expect(await ask("2001:db8:0:2::1")).toBe("/oauth/consent");
  const refused = await flood(
    () => askByDevice("192.0.2.3"),
    ({ status }) => status === 429,
  );
  expect((await refused.json()).error).toBe("temporarily_unavailable");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await askByDevice("192.0.2.4")).status).toBe(200);
});
