import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { torture } from "./torture.ts";

const { TORTURE_SECONDS, TORTURE_AREAS, TORTURE_FAULTS, PROOF_REPORT } = process.env;
const SECONDS = Number(TORTURE_SECONDS ?? 30);
/** Fixed in a run of all tests: a fault found by another seed would not be due to the tested change. */
const SEED = Number(process.env.TORTURE_SEED ?? 41);
const QUIET_SECONDS = Number(process.env.TORTURE_QUIET_SECONDS ?? 300);

/** In `npm test`, the cores are shared with other tests. */
const isAlone = TORTURE_SECONDS !== undefined && SECONDS >= 60;

/** The least that a run of all areas and faults must reach if it takes this long. */
const ENOUGH = { seconds: 600, severe: 200, calls: 50_000 };
const isWhole = SECONDS >= ENOUGH.seconds && !TORTURE_AREAS && !TORTURE_FAULTS;

const again = [
  `npm run torture -- --minutes ${SECONDS / 60} --seed ${SEED}`,
  ...(TORTURE_AREAS ? [`--areas "${TORTURE_AREAS}"`] : []),
  ...(TORTURE_FAULTS ? [`--faults "${TORTURE_FAULTS}"`] : []),
].join(" ");

const listed = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .sort(([, one], [, two]) => two - one)
    .map(([name, count]) => `${name} ×${count}`)
    .join(", ");

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0);

test(
  `keeps its promises through ${SECONDS} seconds of torture with seed ${SEED}`,
  async () => {
    const { answers, faults, settledAfter, quietAfter, last, broken, folder } = await torture({
      seed: SEED,
      seconds: SECONDS,
      // Fewer callers, but as many calls, where the cores are shared.
      ...(isAlone
        ? { callers: 200, callPauseMs: [500, 3500], faultPauseMs: [400, 3200] }
        : { callers: 40, callPauseMs: [100, 700], faultPauseMs: [300, 2500] }),
      areas: TORTURE_AREAS?.split(","),
      quietMs: QUIET_SECONDS * 1000,
      faults: TORTURE_FAULTS?.split(","),
    });
    const severe = new Map([...faults].filter(([name]) => /^(kill|freeze) /.test(name)));
    if (PROOF_REPORT) writeFileSync(PROOF_REPORT, JSON.stringify(broken));
    console.log(
      `Seed ${SEED}. ${sum(faults)} faults, ${sum(severe)} of them kills and freezes: ${listed(faults)}. ${sum(answers)} calls: ${listed(answers)}. ` +
        `Settled after ${settledAfter} s, quiet after ${quietAfter} s; what went on for longest: ${last}`,
    );
    if (broken.length > 0) console.log(`The logs lie in ${folder}. Again: ${again}`);
    expect(broken).toEqual([]);
    if (!isWhole) return;
    expect(sum(severe)).toBeGreaterThanOrEqual(ENOUGH.severe);
    expect(sum(answers)).toBeGreaterThanOrEqual(ENOUGH.calls);
  },
  // Starting and settling take minutes where other processes have the cores.
  900_000 + SECONDS * 1000,
);
