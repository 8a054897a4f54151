import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "#server/base/defined.ts";
import type { TestChain } from "#server/testing/chain.ts";
import type { Random } from "#server/testing/random.ts";
import type { Installation } from "./installation.ts";

/** A fault of the installation, and how it ends. */
export interface Fault {
  name: string;
  weight: number;
  /** Its duration in milliseconds; none if it heals by itself. */
  lasts?: [least: number, most: number];
  /** Its possible targets: each has one fault at a time. */
  targets: readonly string[];
  /** Applies it to a target; returns the function that heals it, unless it heals by itself. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a fault that heals by itself returns nothing.
  strike(target: string, random: Random): (() => unknown) | void;
}

/** How long a node needs for the requests that it has already received. */
const SILENCE_MS = 200;

/** Returns the faults that can be applied to this installation. */
export function makeFaults(installation: Installation): readonly Fault[] {
  const { webs, workers, cluster, tenants, chain, farChain, networks } = installation;
  const processes = new Map([...webs, ...workers].map((process) => [process.name, process]));
  const names = [...processes.keys()];
  const networksOf = (target: string) => defined(networks.get(target));
  return [
    {
      name: "kill a process",
      weight: 8,
      targets: names,
      strike: (target) => void processes.get(target)?.kill(),
    },
    {
      name: "freeze a process",
      weight: 8,
      lasts: [100, 4000],
      targets: names,
      strike: (target) => processes.get(target)?.freeze(),
    },
    {
      name: "set a process's clock",
      weight: 2,
      lasts: [1000, 10_000],
      targets: names.map((name) => `${name}'s clock`),
      strike: (target, random) =>
        processes.get(target.replace("'s clock", ""))?.setClock(random.between(-30_000, 30_000)),
    },
    ...Object.entries({ "the database": cluster, "the tenants' databases": tenants }).flatMap(
      ([target, { kill, freeze, thaw }]): Fault[] => [
        { name: `kill ${target}`, weight: 2, targets: [target], strike: () => void kill() },
        {
          name: `freeze ${target}`,
          weight: 2,
          lasts: [100, 2000],
          targets: [target],
          strike() {
            freeze();
            return thaw;
          },
        },
      ],
    ),
    ...faultsOfChain(installation, "the chain", chain, 2),
    ...faultsOfChain(installation, "the far chain", farChain, 1),
    {
      name: "end a process's connections",
      weight: 3,
      targets: names,
      strike: (target, random) => void random.pick(Object.values(networksOf(target))).reset(),
    },
    {
      // Other processes take over its claims meanwhile; when it continues, it still believes it owns them.
      name: "freeze a process and end its connections",
      weight: 3,
      lasts: [3000, 8000],
      targets: names,
      strike(target) {
        const thaw = processes.get(target)?.freeze();
        for (const network of Object.values(networksOf(target))) network.reset();
        return thaw;
      },
    },
    {
      name: "cut a process off",
      weight: 2,
      lasts: [100, 4000],
      targets: names,
      strike(target, random) {
        const network = networksOf(target)[random.pick(["the database", "the tenants"] as const)];
        network.cut();
        return network.restore;
      },
    },
  ];
}

function faultsOfChain(
  { networks }: Installation,
  name: "the chain" | "the far chain",
  chain: TestChain,
  weight: number,
): Fault[] {
  const ways = [...networks.values()].map((all) => all[name]);
  const targets = [name];
  return [
    {
      name: `freeze ${name}`,
      weight,
      lasts: [100, 4000],
      targets,
      strike() {
        chain.freeze();
        return chain.thaw;
      },
    },
    {
      name: `stop ${name}`,
      weight: weight / 2,
      lasts: [100, 2000],
      targets,
      strike() {
        const stopped = stopChain(chain, ways);
        return async () => (await stopped)();
      },
    },
    {
      name: `cut a process off ${name}`,
      weight,
      lasts: [100, 6000],
      targets,
      strike(_, random) {
        const network = random.pick(ways);
        network.cut();
        return network.restore;
      },
    },
    {
      // Replaces some of the newest blocks by empty ones: fewer than the finality.
      name: `reorganise ${name}`,
      weight: weight / 2,
      targets,
      strike(_, random) {
        void chain.reorganise(random.between(1, 2)).catch(() => undefined);
      },
    },
  ];
}

/** Stops a chain. It is disconnected first, because blocks mined while the state is saved would be saved partially. */
async function stopChain(chain: TestChain, ways: readonly { cut(): void; restore(): void }[]) {
  for (const network of ways) network.cut();
  await sleep(SILENCE_MS);
  const isStopped = await succeeds(chain.stop());
  return async () => {
    // Another process's connection may occupy its port for a moment.
    for (let left = 100; isStopped && left > 0 && !(await succeeds(chain.start())); left--) await sleep(100);
    for (const network of ways) network.restore();
  };
}

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

/** Returns the other process of the same part, so that mostly one of the two keeps running. */
const twinOf = (target: string) =>
  target.replace(/^(web|worker)-(1|2)$/, (_, part, number) => `${part}-${3 - number}`);

/** Applies faults one after the other, a few at a time, until it is stopped; then heals those that remain. */
export function startFaults(
  faults: readonly Fault[],
  random: Random,
  pauseMs: [least: number, most: number],
) {
  const counts = new Map<string, number>();
  const active = new Map<string, { heal: () => unknown; timer: NodeJS.Timeout }>();
  const healing = new Set<string>();
  let next: NodeJS.Timeout | undefined;

  async function end(target: string) {
    const struck = active.get(target);
    if (!struck || healing.has(target)) return;
    healing.add(target);
    clearTimeout(struck.timer);
    try {
      await struck.heal();
    } catch {
      // The target has ended meanwhile.
    }
    healing.delete(target);
    active.delete(target);
  }

  function strike() {
    const fault = random.weighted(faults);
    const target = random.pick(fault.targets);
    const lasts = fault.lasts ? random.between(...fault.lasts) : 0;
    next = setTimeout(strike, random.between(...pauseMs));
    if (active.has(target) || (twinOf(target) !== target && active.has(twinOf(target)) && random.chance(0.8)))
      return;
    let heal: ReturnType<Fault["strike"]>;
    try {
      heal = fault.strike(target, random);
    } catch {
      // The target is just restarting.
      return;
    }
    counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1);
    if (heal) active.set(target, { heal, timer: setTimeout(() => end(target), lasts) });
  }
  if (faults.length > 0) next = setTimeout(strike, random.between(...pauseMs));

  return {
    counts,
    /** Ends when everything is healed. */
    async stop() {
      clearTimeout(next);
      const struck = [...active.keys()];
      await Promise.all(struck.map(end));
      while (active.size > 0) await sleep(10);
    },
  };
}
