import { Webhook } from "standardwebhooks";
import { messageOf } from "#server/base/thrown.ts";
import { startPeer } from "#server/testing/peer.ts";
import { createRandom } from "#server/testing/random.ts";
import type { AreaContext } from "../area.ts";

/** An event as the customer's endpoint received it. */
interface DeliveredEvent {
  id: string;
  type: string;
  sequence: number;
  // biome-ignore lint/suspicious/noExplicitAny: areas look into an event's data.
  data: any;
  /** The body, byte for byte the same in every delivery. */
  payload: string;
}

/**
 * Starts a customer's endpoint for events, which refuses some deliveries at first, or hangs up. Faulty deliveries go to
 * `report`.
 */
export async function startEventEndpoint(seed: number, report: (fault: string) => void) {
  const random = createRandom(seed);
  const accounts = new Map<string, { secret: string | null; events: Map<string, DeliveredEvent> }>();
  const refused = new Set<string>();

  const peer = await startPeer(({ path, headers, body }) => {
    const account = accounts.get(path.slice(1));
    if (!account) return { status: 404 };
    const event = JSON.parse(body);
    if (random.chance(0.01) && !refused.has(event.id)) {
      refused.add(event.id);
      return random.chance(0.5) ? "reset" : { status: 500 };
    }
    if (account.secret) {
      try {
        new Webhook(account.secret).verify(body, headers as Record<string, string>);
      } catch (error) {
        report(`The delivery of ${event.id} is not signed: ${messageOf(error)}`);
      }
    }
    const before = account.events.get(event.id);
    if (before && before.payload !== body)
      report(`The event ${event.id} came as ${body} after ${before.payload}.`);
    if (event.id !== headers["webhook-id"]) report(`${headers["webhook-id"]} was the id of ${event.id}.`);
    account.events.set(event.id, { ...event, payload: body });
    return {};
  });

  return {
    /** Subscribes the endpoint to all events of a key's account. */
    async subscribe(client: AreaContext["client"], accountId: string, key: string) {
      const events = new Map<string, DeliveredEvent>();
      const account = { secret: null as string | null, events };
      accounts.set(accountId, account);
      const { secret } = await client.must({
        method: "POST",
        path: "/v1/webhooks",
        key,
        headers: { "idempotency-key": `subscribe:${accountId}` },
        body: { url: `${peer.origin}/${accountId}`, events: ["*"] },
      });
      account.secret = secret;
    },
    accounts,
    /** Returns the events received about an account, by the resource that `resourceOf` finds in an event. */
    about(accountId: string, resourceOf: (event: DeliveredEvent) => string | undefined) {
      const events = [...(accounts.get(accountId)?.events.values() ?? [])];
      return Map.groupBy(events, (event) => resourceOf(event) ?? "");
    },
  };
}

export type EventEndpoint = Awaited<ReturnType<typeof startEventEndpoint>>;

/** Checks that exactly these events have arrived about a resource, numbered without a gap. */
export function checkEvents(
  about: string,
  events: readonly DeliveredEvent[] = [],
  due: readonly string[],
): string[] {
  const sorted = events.toSorted((one, two) => one.sequence - two.sequence);
  const types = sorted.map(({ type }) => type).toSorted();
  const isWhole = sorted.every(({ sequence }, place) => sequence === place + 1);
  if (isWhole && JSON.stringify(types) === JSON.stringify(due.toSorted())) return [];
  const came = sorted.map(({ type, sequence }) => `${sequence} ${type}`).join(", ");
  return [`The events of ${about} were ${came || "none"}, not ${due.join(", ") || "none"}.`];
}
