import { setTimeout as sleep } from "node:timers/promises";
import { ALL_SCOPES } from "#server/testing/api.ts";
import { createRandom } from "#server/testing/random.ts";
import type { Area, AreaContext, StartedArea } from "./area.ts";
import { agents, startScriptedModel } from "./areas/agents.ts";
import { charges } from "./areas/charges.ts";
import { databases } from "./areas/databases.ts";
import { startEventEndpoint } from "./areas/event-endpoint.ts";
import { events } from "./areas/events.ts";
import { flow } from "./areas/flow.ts";
import { keys } from "./areas/keys.ts";
import { limits } from "./areas/limits.ts";
import { orders } from "./areas/orders.ts";
import { places } from "./areas/places.ts";
import { projects } from "./areas/projects.ts";
import { reads } from "./areas/reads.ts";
import { runs } from "./areas/runs.ts";
import { sends } from "./areas/sends.ts";
import { sentEvents } from "./areas/sent-events.ts";
import { startServicePeer } from "./areas/service-peer.ts";
import { storedWorkflows } from "./areas/stored-workflows.ts";
import { swaps } from "./areas/swaps.ts";
import { topUps } from "./areas/top-ups.ts";
import { transfers } from "./areas/transfers.ts";
import { triggers } from "./areas/triggers.ts";
import { uploads } from "./areas/uploads.ts";
import { createClient } from "./client.ts";
import { makeFaults, startFaults } from "./faults.ts";
import { startInstallation } from "./installation.ts";
import { checkAudit } from "./invariants/audit.ts";
import { checkBlobs } from "./invariants/blobs.ts";
import { checkDelivered, deliveries } from "./invariants/events.ts";
import { checkKeptBytes } from "./invariants/kept-bytes.ts";
import { checkLedger } from "./invariants/ledger.ts";
import { checkDeadlocks, checkLogs, checkPrograms, checkSessions } from "./invariants/remains.ts";

interface TortureOptions {
  seed: number;
  seconds: number;
  /** The number of concurrent callers. */
  callers: number;
  callPauseMs: [least: number, most: number];
  faultPauseMs: [least: number, most: number];
  /** The areas to call and the faults to apply; all if undefined. */
  areas?: readonly string[] | undefined;
  faults?: readonly string[] | undefined;
  /** How long background work may take after everything is healed, and how long no unresolved call becomes resolved. */
  quietMs: number;
}

interface TortureReport {
  /** How often each response was given while faults were applied, and how often each fault was. */
  answers: ReadonlyMap<string, number>;
  faults: ReadonlyMap<string, number>;
  /** The seconds after the last fault until no call was in doubt and nothing was running. */
  quietAfter: number;
  /** The seconds until no call was in doubt, and the activity that took longest after that. */
  settledAfter: number;
  last: string;
  /** Broken promises. */
  broken: string[];
  /** The folder with the processes' logs, deleted if no promise was broken. */
  folder: string;
}

/** Applies faults to an installation for a time, heals it, and checks its promises. */
export async function torture(options: TortureOptions): Promise<TortureReport> {
  const { seed } = options;
  const broken = new Set<string>();
  const report = (fault: string) => void broken.add(fault);
  const peer = await startServicePeer(seed);
  const endpoint = await startEventEndpoint(seed, report);
  const model = await startScriptedModel();
  const installation = await startInstallation({
    services: [peer.service],
    modelUrl: model.baseUrl,
    report,
  });
  const { webs, chain, farChain } = installation;
  const origins = () => webs.map(({ origin }) => origin).filter((origin) => origin !== null);
  const client = createClient({ origins, report });
  await installation.untilReady();

  let markers = 0;
  const context: AreaContext = {
    client,
    installation,
    report,
    marker: (name) => `${name}-${++markers}`,
    async createAccount(credits = 0) {
      const { accountId, creditToken } = await installation.createAccount("Tortured", credits);
      const { apiKey, secret } = await client.must({
        method: "POST",
        path: "/v1/api-keys",
        headers: { "x-service-credit-token": creditToken, "idempotency-key": `root:${accountId}` },
        body: { label: "Root", scopes: ALL_SCOPES },
      });
      return { accountId, key: secret, keyId: apiKey.id };
    },
  };
  const all: readonly Area[] = [
    reads,
    projects(endpoint),
    keys,
    charges(peer),
    limits,
    places(peer),
    events(endpoint),
    runs(peer, endpoint),
    storedWorkflows,
    triggers,
    sentEvents,
    flow,
    sends(chain),
    swaps(chain, farChain),
    orders(chain),
    topUps(chain),
    databases,
    transfers,
    uploads,
    agents,
  ];
  const areas = named(all, options.areas, "area");
  const started: { weight: number; area: StartedArea }[] = [];
  for (const area of areas) started.push({ weight: area.weight, area: await area.start(context) });
  // No reorganisation can remove the blocks that they start with.
  for (const { mine, settings } of [chain, farChain]) await mine(settings.finality);

  const chosen = named(makeFaults(installation), options.faults, "fault");
  const faults = startFaults(chosen, createRandom(seed), options.faultPauseMs);
  const deadline = performance.now() + options.seconds * 1000;
  await Promise.all(
    Array.from({ length: options.callers }, async (_, number) => {
      const random = createRandom(seed + 1 + number);
      for (; performance.now() < deadline; await sleep(random.between(...options.callPauseMs)))
        await random.weighted(started).area.call(random);
    }),
  );
  const answers = new Map(client.counts);
  await faults.stop();
  const healedAt = performance.now();
  peer.heal();
  await installation.untilReady();
  // On a slow machine, calls in doubt would wait behind the work that areas start by themselves.
  await Promise.all(started.map(({ area }) => area.calm?.()));
  await client.settle(createRandom(seed), options.quietMs);
  const settledAfter = Math.round((performance.now() - healedAt) / 1000);
  const last = await untilQuiet(
    [...started.map(({ area }) => area), deliveries(installation)],
    options.quietMs,
    report,
  );
  const quietAfter = Math.round((performance.now() - healedAt) / 1000);

  for (const { area } of started) for (const fault of await area.check()) report(fault);
  for (const fault of await checkDelivered(installation, endpoint)) report(fault);
  for (const fault of await checkAudit(installation, client.succeeded)) report(fault);
  for (const name of await installation.stop()) report(`The process ${name} did not stop.`);
  for (const fault of await checkBlobs(installation)) report(fault);
  for (const fault of await checkKeptBytes(installation)) report(fault);
  for (const fault of await checkLedger(installation)) report(fault);
  for (const fault of await checkSessions(installation)) report(fault);
  for (const fault of await checkPrograms(installation)) report(fault);
  for (const fault of checkDeadlocks(installation)) report(fault);
  for (const fault of checkLogs(installation)) report(fault);
  await model.stop();
  await installation.drop({ keepLogs: broken.size > 0 });
  return {
    answers,
    faults: faults.counts,
    quietAfter,
    settledAfter,
    last,
    broken: [...broken],
    folder: installation.folder,
  };
}

/** Returns the items with these names; fails for an unknown name. */
function named<Item extends { name: string }>(
  items: readonly Item[],
  names: readonly string[] | undefined,
  kind: string,
): readonly Item[] {
  const unknown = names?.find((name) => items.every((item) => item.name !== name));
  if (unknown)
    throw new Error(`No ${kind} is called ${unknown}, but ${items.map(({ name }) => name).join(", ")}.`);
  return names ? items.filter(({ name }) => names.includes(name)) : items;
}

/** Waits until no area has anything running, because one area's work may be visible to another. */
async function untilQuiet(
  started: readonly Pick<StartedArea, "pending">[],
  quietMs: number,
  report: (fault: string) => void,
): Promise<string> {
  const deadline = performance.now() + quietMs;
  let last = "nothing";
  for (;;) {
    // A database that was killed often takes long to restart.
    const waiting = await Promise.all(started.map(({ pending }) => pending?.().catch(String)));
    const pending = waiting.filter(Boolean);
    if (pending.length === 0) return last;
    last = pending.join(" ");
    if (performance.now() > deadline) {
      for (const what of pending)
        report(`Not quiet ${quietMs / 1000} s after everything was healed: ${what}`);
      return last;
    }
    await sleep(250);
  }
}
