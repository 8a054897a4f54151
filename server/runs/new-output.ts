import { batched } from "#server/base/batch.ts";
import { uuidOf } from "#server/base/ids.ts";
import { fromStored } from "#server/operation/payload.ts";
import { platform } from "#server/platform.ts";

/** The position up to which a follower has a step's partial output. Ids in their public form. */
interface OutputPosition {
  accountId: string;
  runId: string;
  seq: number;
  offset: number;
}

/** A piece of a step's partial output. */
export interface Output {
  seq: number;
  step: string;
  offset: number;
  text: string;
}

const PIECES = 100;

interface Row extends Omit<Output, "text"> {
  n: number;
  text: Uint8Array;
}

/** Reads a step's partial output after entry `seq`, from a character on; all followers share round trips. */
export const newOutput = batched<OutputPosition, { pieces: Output[]; more: boolean }>(
  async (asked) => {
    const rows = await platform().database.client<Row[]>`
      select q.n::int as n, o.seq, o."offset", o.step, o.text
      from unnest(
        ${asked.map(({ accountId }) => uuidOf("account", accountId))}::uuid[],
        ${asked.map(({ runId }) => uuidOf("run", runId))}::uuid[],
        ${asked.map(({ seq }) => seq)}::int[],
        ${asked.map(({ offset }) => offset)}::int[]
      ) with ordinality q(account_id, run_id, seq, "from", n)
      cross join lateral (
        select * from run_output l
        where l.account_id = q.account_id and l.run_id = q.run_id and l.seq = q.seq and l."offset" >= q."from"
        order by l."offset" limit ${PIECES}) o
      order by q.n, o."offset"`;
    const found = Map.groupBy(rows, ({ n }) => n - 1);
    return asked.map(({ runId }, nth) => {
      const own = found.get(nth) ?? [];
      const pieces = own.map(({ seq, offset, step, text }) => ({
        seq,
        offset,
        step,
        text: fromStored<string>({ id: runId, privacyTier: "standard" }, step, text),
      }));
      return { pieces, more: own.length === PIECES };
    });
  },
  { name: "follow.output", inFlight: 1, size: 256, slowMs: 250 },
);
