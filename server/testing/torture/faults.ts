import type { Installation } from "./installation.ts";
import type { Random } from "./random.ts";

/** What is done to the installation, and how it ends. */
export interface Fault {
  name: string;
  weight: number;
  /** How long it lasts, in milliseconds; what heals by itself lasts no time. */
  lasts?: [least: number, most: number];
  /** What it may be done to: one fault at a time. */
  targets: readonly string[];
  /** Does it to a target; returns what heals it, where it does not heal by itself. */
  strike(target: string): (() => unknown) | undefined;
}

/** What is done to this installation. */
export function makeFaults({ webs, workers, cluster, networks }: Installation): readonly Fault[] {
  const processes = new Map([...webs, ...workers].map((process) => [process.name, process]));
  const names = [...processes.keys()];
  const networkOf = (target: string) => networks.find(({ name }) => name === target)?.network;
  return [
    {
      name: "kill a process",
      weight: 6,
      targets: names,
      strike: (target) => void processes.get(target)?.kill(),
    },
    {
      name: "freeze a process",
      weight: 6,
      lasts: [100, 4000],
      targets: names,
      strike: (target) => processes.get(target)?.freeze(),
    },
    {
      name: "kill the platform's database",
      weight: 2,
      targets: ["database"],
      strike: () => void cluster.kill(),
    },
    {
      name: "freeze the platform's database",
      weight: 2,
      lasts: [100, 2000],
      targets: ["database"],
      strike() {
        cluster.freeze();
        return cluster.thaw;
      },
    },
    {
      name: "end a process's connections to the database",
      weight: 2,
      targets: names,
      strike: (target) => void networkOf(target)?.reset(),
    },
    {
      name: "cut a process off from the database",
      weight: 1,
      lasts: [100, 4000],
      targets: names,
      strike(target) {
        networkOf(target)?.cut();
        return networkOf(target)?.restore;
      },
    },
  ];
}

/** Strikes one after the other, a few at a time, until it is stopped; then heals what is not well yet. */
export function startFaults(
  faults: readonly Fault[],
  random: Random,
  pauseMs: [least: number, most: number],
) {
  const counts = new Map<string, number>();
  const active = new Map<string, { heal: () => unknown; timer: NodeJS.Timeout }>();
  let next: NodeJS.Timeout;

  function end(target: string) {
    const struck = active.get(target);
    if (!struck) return;
    active.delete(target);
    clearTimeout(struck.timer);
    struck.heal();
  }

  function strike() {
    const fault = random.weighted(faults);
    const target = random.pick(fault.targets);
    const lasts = fault.lasts ? random.between(...fault.lasts) : 0;
    next = setTimeout(strike, random.between(...pauseMs));
    if (active.has(target)) return;
    counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1);
    const heal = fault.strike(target);
    if (heal) active.set(target, { heal, timer: setTimeout(() => end(target), lasts) });
  }
  next = setTimeout(strike, random.between(...pauseMs));

  return {
    counts,
    stop() {
      clearTimeout(next);
      for (const target of active.keys()) end(target);
    },
  };
}
