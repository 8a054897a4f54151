import { expect, test } from "vitest";
import { unique } from "#server/testing/api.ts";
import { RESERVE, RESERVED, startOperatorServices } from "#server/testing/peer-services.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";

const { api, peer, serve, briefIds } = await startOperatorServices();

test("pauses a service that fails repeatedly, and resumes when it works", async () => {
  const desk = await serve(() => "reset" as never);
  const status = async () => {
    const { services } = (await api.send("GET", "/v1/services?limit=100", { key: desk.key })).body;
    return services.find(({ id }: { id: string }) => id === desk.serviceId).status;
  };
  for (let call = 0; call < 5; call++) expect((await desk.invoke()).body.error.code).toBe("service_failed");
  expect(await status()).toBe("degraded");
  const open = await desk.invoke();
  expect(open.body.error).toMatchObject({ code: "service_unavailable", operationState: "not_started" });
  expect(open.headers.get("retry-after")).toBe("2");
  expect(desk.received()).toHaveLength(5);
  desk.behave(() => ({ body: RESERVED }));
  await expect.poll(async () => (await desk.invoke()).status, { interval: 500 }).toBe(200);
  expect(await status()).toBe("available");
});

test("runs an operation durably: sent again where its answer was lost, charged as reported", async () => {
  let lost = true;
  const desk = await serve(() => {
    if (lost) {
      lost = false;
      return "reset" as never;
    }
    return { body: { words: 3 }, headers: { "x-service-credits-charged": "3" } };
  });
  const body = { label: "Desk", provider: "desk", authType: "bearer", secret: "outside-secret" };
  const connection = await api.send("POST", "/v1/connections", {
    key: desk.key,
    body: { ...body, allowedHosts: [peer.host] },
  });
  const worker = await startRuns(api);
  const created = await createRun(api, desk.key, {
    serviceId: desk.serviceId,
    operationId: "count",
    input: { text: "three short words" },
    connectionId: connection.body.connection.id,
    maxAttempts: 2,
  });
  const run = await runWith(api, desk.key, created.body.run.id, "succeeded");
  await worker.stop();
  expect(run).toMatchObject({ result: { words: 3 }, chargedCredits: 3, attempt: 2 });
  const calls = desk.received();
  expect(calls.map(({ headers }) => headers["idempotency-key"])).toEqual(Array(2).fill(`${run.id}:call`));
  expect(calls.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill("Bearer outside-secret"));
  expect(await desk.balance()).toMatchObject({ availableCredits: 97, reservedCredits: 0 });
});

test("uses an approval up with the effect, and gives it back where nothing happened", async () => {
  const desk = await serve(() => ({ status: 503 }), { from: briefIds });
  const action = { serviceId: desk.serviceId, operationId: "cancel", input: { id: "r-1" } };
  const { serviceId: _, ...cancel } = action;
  expect((await desk.invoke(cancel)).body.error.code).toBe("approval_required");
  const asked = await api.send("POST", "/v1/approvals/service-actions", { key: desk.key, body: action });
  const { id: approvalId, payloadHash } = asked.body.approval;
  const decision = { decision: "approve", payloadHash };
  await api.send("POST", `/v1/approvals/${approvalId}`, { key: desk.key, body: decision });
  const approved = { ...cancel, approvalId };
  expect((await desk.invoke(approved)).body.error.code).toBe("service_unavailable");
  desk.behave(() => "hang" as never);
  const call = { idempotencyKey: unique("approved") };
  expect((await desk.invoke(approved, call)).body.error.code).toBe("service_timeout");
  expect((await desk.invoke(approved)).body.error).toMatchObject({ status: 409, code: "state_conflict" });
  desk.behave(() => ({ body: { cancelled: true } }));
  expect((await desk.invoke(approved, call)).body.result).toEqual({ cancelled: true });
  const again = await desk.invoke(approved);
  expect(again.body.error).toMatchObject({ status: 409, code: "state_conflict" });
});

test("lends a connection's credential to a service whose host is listed, and refuses others by name", async () => {
  const desk = await serve(() => ({ body: RESERVED }));
  const connect = async (allowedHosts: string[]) => {
    const body = {
      label: "Desk",
      provider: "desk",
      authType: "bearer",
      secret: "outside-secret",
      allowedHosts,
    };
    return (await api.send("POST", "/v1/connections", { key: desk.key, body })).body.connection.id;
  };
  const [listed, other] = [await connect([peer.host]), await connect(["api.example.com"])];
  expect((await desk.invoke({ ...RESERVE, connectionId: listed })).status).toBe(200);
  const run = { serviceId: desk.serviceId, ...RESERVE, connectionId: other };
  for (const refused of [
    await desk.invoke({ ...RESERVE, connectionId: other }),
    await api.send("POST", "/v1/runs", { key: desk.key, body: run }),
  ])
    expect(refused.body.error).toMatchObject({
      status: 400,
      code: "invalid_request",
      operationState: "not_started",
      issues: [
        {
          path: "body.connectionId",
          message: `Connection ${other} is bound to api.example.com, and the service is at ${peer.host}.`,
        },
      ],
    });
  expect(desk.received().map(({ headers }) => headers.authorization)).toEqual(["Bearer outside-secret"]);
  const missing = await desk.invoke({ ...RESERVE, connectionId: "conn_nothing" });
  expect(missing.body.error).toMatchObject({ status: 404, code: "not_found" });
  await api.send("PATCH", `/v1/connections/${listed}`, { key: desk.key, body: { status: "disabled" } });
  const disabled = await desk.invoke({ ...RESERVE, connectionId: listed });
  expect(disabled.body.error).toMatchObject({ status: 409, code: "state_conflict" });
  expect(desk.received()).toHaveLength(1);
});
