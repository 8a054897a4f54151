import { defined } from "#server/base/defined.ts";
import { portOf } from "#server/boot/processes.ts";
import { operatorServices } from "#server/services/operator-services.ts";
import { startApi } from "./api.ts";
import { onCleanup } from "./cleanup.ts";
import { createPayingKey } from "./credits.ts";
import { createExampleService } from "./example-service/service.ts";
import { declaredExample } from "./operator-services.ts";
import { type Behaviour, startPeer } from "./peer.ts";

export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export const RESERVED = { id: "r-1", item: "chair", quantity: 1 };
export const RESERVE = { operationId: "reserve", input: { item: "chair", quantity: 1 } };

/**
 * Starts the platform with the documented example, and with services whose behaviour each test sets, until the test
 * file ends.
 */
export async function startOperatorServices() {
  const example = createExampleService(SECRET).listen(0, "127.0.0.1");
  onCleanup(() => example.close());
  await new Promise((resolve) => example.once("listening", resolve));

  /** One peer serves many services, so that tests do not share a circuit breaker. */
  const behaviours = new Map<string, Behaviour>();
  const peer = await startPeer((request) => {
    const behave = behaviours.get(request.path.split("/")[1] ?? "");
    return behave ? behave(request) : { status: 404 };
  });
  const ids = Array.from({ length: 40 }, (_, nth) => `peer-${nth}`);
  /** Services with a timeout of a second, for responses that never come. */
  const briefIds = ids.splice(0, 3);
  const declaredPeer = (id: string, timeoutMs: number) =>
    declaredExample({ id, name: id, signingSecret: SECRET, timeoutMs, baseUrl: `${peer.origin}/${id}` });
  const services = [
    declaredExample({
      signingSecret: SECRET,
      baseUrl: `http://127.0.0.1:${portOf(example)}`,
    }),
    ...ids.map((id) => declaredPeer(id, 10_000)),
    ...briefIds.map((id) => declaredPeer(id, 1000)),
  ];
  const api = await startApi({ settings: { services: operatorServices(services) } });
  /** Returns a service with this behaviour, and a key with 100 credits to invoke it with. */
  async function serve(behave: Behaviour, { credits = 100, from = ids } = {}) {
    const serviceId = defined(from.pop());
    behaviours.set(serviceId, behave);
    const root = await createPayingKey(api, credits);
    return {
      ...root,
      serviceId,
      behave: (next: Behaviour) => behaviours.set(serviceId, next),
      invoke: (body: object = RESERVE, options: { idempotencyKey?: string } = {}) =>
        api.send("POST", `/v1/services/${serviceId}/invoke`, { key: root.key, body, ...options }),
      received: () => peer.received.filter(({ path }) => path.startsWith(`/${serviceId}/`)),
      balance: async () => (await api.send("GET", "/v1/credits/balance", { key: root.key })).body.balance,
    };
  }

  return { api, peer, serve, briefIds };
}
