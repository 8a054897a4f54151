import { setTimeout as sleep } from "node:timers/promises";
import { connect, deadlineOf } from "#db/connect.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { currentMs, currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { idOf } from "#server/base/ids.ts";
import { log } from "#server/base/log.ts";
import { createPolling } from "#server/base/polling.ts";
import { span, telemetry } from "#server/base/telemetry.ts";
import type { SealSecret } from "#server/operation/seal.ts";
import { type Attempted, attemptDelivery, unsent } from "./attempt.ts";
import { createAttemptWriter, type OnFailure } from "./attempt-writer.ts";
import { type Due, Endpoint, type Target } from "./endpoint.ts";
import { openSecret, signedHeaders, signingKey } from "./secrets.ts";
import { openHeaders } from "./settings/headers.ts";
import { thinBody } from "./thin-body.ts";

export interface DelivererOptions {
  /** A direct address of the database, past any transaction pooler. */
  url: string;
  /**
   * The worker's name, for which it holds a session lock; when the worker dies, its endpoints are released to others.
   */
  workerId: string;
  sealingKeys: SealSecret;
  allowLoopback: boolean;
  /** Called with each account that has a delivery in progress or a newly stored attempt. */
  onChange?(accountId: string): void;
  onFailure: OnFailure;
}

const POLL_MS = 250;
/** How often the endpoints of dead workers are released. */
const DEAD_MS = 1000;
const STATEMENT_MS = 20_000;
const MAX_ENDPOINTS = 500;
const MAX_IN_FLIGHT = 512;
const MAX_OF_ACCOUNT = 128;

/**
 * Sends due deliveries until it is stopped. One worker at a time sends to an endpoint, and serves its endpoints in
 * turn. A delivery whose result could not be stored is sent again, with the same `webhook-id`.
 */
export function startDeliverer(options: DelivererOptions) {
  const { workerId, sealingKeys, allowLoopback } = options;
  const sql = connect(options.url, {
    max: CONNECTIONS.webhookDeliverer,
    deadline: deadlineOf(STATEMENT_MS),
    // Losing these writes in a crash only leads to repeated deliveries, which can happen anyway.
    connection: { synchronous_commit: "off" },
  });
  const writer = createAttemptWriter(sql, {
    onStored(batch) {
      for (const { due } of batch) busy.delete(due.id);
      publishChanges(batch.map(({ due }) => due));
    },
    onFailure: options.onFailure,
  });
  const endpoints = new Map<string, Endpoint>();
  /** The deliveries that are being sent or not stored yet. */
  const busy = new Set<string>();
  const ofAccount = new Map<string, number>();
  const aborter = new AbortController();
  let inFlight = 0;
  let stopping = false;
  let releasedDeadAt = Number.NEGATIVE_INFINITY;

  const polling = createPolling({
    turn,
    pauseMs: POLL_MS,
    failing: "Deliveries could not be fetched; it is tried again.",
  });

  async function claim(): Promise<void> {
    const room = MAX_ENDPOINTS - endpoints.size;
    if (room <= 0) return;
    const rows = await sql<{ account_id: string; webhook_id: string }[]>`
      select * from claim_endpoints(${workerId}, ${Math.min(room, 100)})`;
    for (const { account_id, webhook_id } of rows)
      endpoints.set(webhook_id, new Endpoint(account_id, webhook_id));
  }

  /** Fetches deliveries for every endpoint with fewer waiting than it could send. Returns whether any was due. */
  async function fetchDue(): Promise<boolean> {
    const now = currentMs();
    const hungry = [...endpoints.values()].flatMap((endpoint) => {
      const most = endpoint.wanted(now);
      return most > 0 ? [{ endpoint, most }] : [];
    });
    if (hungry.length === 0) return false;
    const skipped = [...busy, ...hungry.flatMap(({ endpoint }) => endpoint.waiting.map(({ id }) => id))];
    const rows = await sql<Due[]>`
      select * from due_deliveries(${workerId}, ${hungry.map(({ endpoint }) => endpoint.accountId)}::uuid[],
        ${hungry.map(({ endpoint }) => endpoint.webhookId)}::uuid[], ${hungry.map(({ most }) => most)}::int[],
        ${skipped}::uuid[])`;
    publishChanges(rows);
    const byEndpoint = Map.groupBy(rows, (row) => row.webhook_id);
    for (const { endpoint } of hungry) endpoint.fill(byEndpoint.get(endpoint.webhookId) ?? [], now, targetOf);
    return rows.length > 0;
  }

  function publishChanges(those: readonly Due[]): void {
    for (const account of new Set(those.map(({ account_id }) => account_id)))
      options.onChange?.(idOf("account", account));
  }

  function targetOf({ account_id, webhook_id, url, secret, previous_secret, headers }: Due): Target | null {
    const owner = { accountId: idOf("account", account_id), id: idOf("webhook", webhook_id) };
    try {
      const keys = [secret, previous_secret].flatMap((sealed) =>
        sealed ? signingKey(openSecret(sealingKeys, owner, sealed)) : [],
      );
      return { url: defined(url), keys, headers: openHeaders(sealingKeys, owner, headers) };
    } catch (error) {
      log.error("The secret or the headers of a webhook could not be opened.", {
        webhookId: owner.id,
        error,
      });
      return null;
    }
  }

  /** Starts attempts for one endpoint after the other in turn, while there are free places. */
  function send(): void {
    for (const endpoint of endpoints.values()) {
      if (inFlight >= MAX_IN_FLIGHT) return;
      if (!sendOne(endpoint)) continue;
      // Moves the endpoint to the end, so that this loop reaches it again later.
      endpoints.delete(endpoint.webhookId);
      endpoints.set(endpoint.webhookId, endpoint);
    }
  }

  function sendOne(endpoint: Endpoint): boolean {
    if (stopping || (ofAccount.get(endpoint.accountId) ?? 0) >= MAX_OF_ACCOUNT) return false;
    const due = endpoint.take(currentMs());
    if (due) void attempt(endpoint, due);
    return due !== undefined;
  }

  async function attempt(endpoint: Endpoint, due: Due): Promise<void> {
    const full = inFlight === MAX_IN_FLIGHT - 1;
    busy.add(due.id);
    inFlight += 1;
    ofAccount.set(due.account_id, (ofAccount.get(due.account_id) ?? 0) + 1);
    const attempted = await span(
      "deliver",
      () => ({
        attributes: {
          "platform.event.id": idOf("webhookEvent", due.event_id),
          "platform.event.type": due.event,
          "platform.delivery.id": idOf("delivery", due.id),
        },
      }),
      () => sendSigned(endpoint, due),
    );
    telemetry.metrics?.deliveryAttempted(
      attempted.succeeded ? "succeeded" : attempted.answered ? "refused" : "unanswered",
      attempted.attempt.durationMs,
    );
    inFlight -= 1;
    ofAccount.set(due.account_id, (ofAccount.get(due.account_id) ?? 1) - 1);
    endpoint.done(attempted, currentMs());
    // An attempt that a stop interrupted counts as not sent; another worker sends it.
    if (!aborter.signal.aborted) writer.add({ due, attempted });
    // If all places were taken, the free place goes to the next endpoint in turn.
    if (full) send();
    else sendOne(endpoint);
    if (endpoint.wanted(currentMs()) > 0) polling.wake();
  }

  async function sendSigned(endpoint: Endpoint, due: Due): Promise<Attempted> {
    const { target } = endpoint;
    if (!target) return unsent();
    const at = currentTime();
    const payload = due.thin ? thinBody(due.payload) : due.payload;
    const signed = { eventId: idOf("webhookEvent", due.event_id), event: due.event, payload };
    const headers = { ...target.headers, ...signedHeaders(signed, target.keys, at) };
    return attemptDelivery(target.url, headers, payload, { signal: aborter.signal, allowLoopback, at });
  }

  async function release(those: Endpoint[]): Promise<void> {
    if (those.length === 0) return;
    for (const { webhookId } of those) endpoints.delete(webhookId);
    await sql`select release_endpoints(${workerId}, ${those.map((one) => one.accountId)}::uuid[],
      ${those.map((one) => one.webhookId)}::uuid[])`;
  }

  /** Returns whether any deliveries were due. */
  async function turn(): Promise<boolean> {
    if (performance.now() - releasedDeadAt > DEAD_MS) {
      releasedDeadAt = performance.now();
      await sql`select release_dead_endpoints(${workerId}, ${[...endpoints.keys()]}::uuid[])`;
    }
    await claim();
    const found = await fetchDue();
    send();
    await release([...endpoints.values()].filter(({ webhookId, idle }) => idle && !writer.holds(webhookId)));
    return found;
  }
  polling.start();

  return {
    /** Polls now instead of after the pause. */
    wakeUp: polling.wake,
    /** Waits for running attempts, at most for as long as an endpoint has to respond, and releases the rest. */
    async stop() {
      stopping = true;
      await polling.stop();
      const giveUp = setTimeout(() => aborter.abort(), 10_000);
      while (inFlight > 0) await sleep(20);
      clearTimeout(giveUp);
      await writer.settled();
      await release([...endpoints.values()]).catch((error) =>
        log.warn("Endpoints could not be given back; others take them when this process is gone.", { error }),
      );
      await sql.end({ timeout: 5 });
    },
  };
}
