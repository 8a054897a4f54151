import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { toUuid } from "../base/ids.ts";
import { sizesOf } from "../boot/move/tables.ts";
import { checkBooks, checkWrites, missingEvents } from "../testing/cells/check-writes.ts";
import { failuresOf, LOAD_SCOPES, refusedMs, startLoad } from "../testing/cells/load.ts";
import { startCells } from "../testing/cells/start-cells.ts";

// Starts two complete installations behind a router, and three accounts whose callers continue while one account moves:
// `node cells.ts` prints the moved rows, how long the account's calls were refused, and any lost writes.
const CREDITS = 1_000_000;
const CALLERS = 4;
/** How long the callers write before and after the move. */
const BEFORE_MS = 20_000;
const AFTER_MS = 5000;

const cells = await startCells();
try {
  const { a, b, origin } = cells;
  const start = async (cell: typeof a) =>
    startLoad(origin, await cells.createAccount(cell, CREDITS, LOAD_SCOPES), CALLERS);
  const [mover, besideA, besideB] = [await start(a), await start(a), await start(b)];
  await sleep(BEFORE_MS);
  const before = mover.writes();
  const move = await cells.move(mover.accountId, a, b);
  const during = mover.writes() - before;
  const account = toUuid("account", mover.accountId);
  const left = await sizesOf(a.database.client, account);
  await sleep(AFTER_MS);
  for (const load of [mover, besideA, besideB]) await load.stop();

  const later = await sizesOf(a.database.client, account);
  const changed = left.filter((size, nth) => !isDeepStrictEqual(size, later[nth])).map(({ name }) => name);
  const faults = [
    ...(await checkWrites(b, origin, mover, CREDITS)),
    ...(await checkWrites(a, origin, besideA, CREDITS)),
    ...(await checkWrites(b, origin, besideB, CREDITS)),
    ...changed.map((name) => `${name}: changed in the old cell.`),
  ];
  const missing = await missingEvents(a, b, mover.accountId);
  if (missing > 0) faults.push(`${missing} audit events did not arrive.`);
  const forgotten = await a.account(["forget", "--account", mover.accountId, "--moved-to", b.url]);
  if (forgotten.code !== 0) faults.push(forgotten.stderr);
  faults.push(...(await checkBooks(a)), ...(await checkBooks(b)));
  const neighbours = [besideA, besideB];
  console.log(
    JSON.stringify({
      ...move,
      refusedMs: Math.round(refusedMs(mover)),
      writes: mover.writes(),
      during,
      failed: failuresOf(mover).length,
      neighbourCalls: neighbours.reduce((sum, { attempts }) => sum + attempts.length, 0),
      neighbourFailures: neighbours.flatMap(({ attempts }) => attempts.filter(({ status }) => status >= 300))
        .length,
      faults,
    }),
  );
} finally {
  await cells.stop();
}
process.exit(0);
