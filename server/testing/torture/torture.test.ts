import { expect, test } from "vitest";
import { torture } from "./torture.ts";

const SECONDS = Number(process.env.TORTURE_SECONDS ?? 15);
/** In a run of all tests always the same: what another finds is no fault of the change that is tested. */
const SEED = Number(process.env.TORTURE_SEED ?? 41);

const listed = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .sort(([, one], [, two]) => two - one)
    .map(([name, count]) => `${name} ×${count}`)
    .join(", ");

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0);

test(
  `keeps its promises through ${SECONDS} seconds of torture with seed ${SEED}`,
  async () => {
    const { answers, faults, quietAfter, broken, folder } = await torture({
      seed: SEED,
      seconds: SECONDS,
      callers: 40,
      callPauseMs: [5, 80],
      faultPauseMs: [300, 2500],
    });
    console.log(
      `Seed ${SEED}. ${sum(faults)} faults: ${listed(faults)}. ${sum(answers)} calls: ${listed(answers)}. ` +
        `Quiet after ${quietAfter} s.`,
    );
    if (broken.length > 0)
      console.log(
        `The logs lie in ${folder}. Again: npm run torture -- --minutes ${SECONDS / 60} --seed ${SEED}`,
      );
    expect(broken).toEqual([]);
  },
  400_000 + SECONDS * 1000,
);
