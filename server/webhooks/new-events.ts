import { batched } from "#server/base/batch.ts";
import { idOf, uuidOf } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { NewItems } from "#server/operation/follow.ts";
import { platform } from "#server/platform.ts";

/** The position and filters of a stream of an account's events. Ids in their public form. */
export interface Followed {
  accountId: string;
  keyId: string;
  types: readonly string[];
  projectId: string | null;
  endUserId: string | null;
  position: number;
}

/** An event with its position; without a payload if this stream must not send it. */
export interface PlacedEvent {
  position: number;
  id: string;
  type: string;
  payload: string | null;
}

// The maximum that is read for one client at a time, and so the maximum that waits for it.
const EVENTS = 200;
const BYTES = 64 * 1024;

interface Row extends Omit<PlacedEvent, "position"> {
  n: number;
  newest: string;
  since: string;
  position: string | null;
}

/** Reads an account's next events; the reads of all streams of this process share round trips. */
export const newEvents = batched<Followed, NewItems<PlacedEvent>>(
  async (asked) => {
    const { client } = platform().database;
    const questions = asked.map(({ accountId, keyId, types, projectId, endUserId, position }) => ({
      account: uuidOf("account", accountId),
      key: uuidOf("apiKey", keyId),
      types,
      project: projectId && uuidOf("project", projectId),
      endUser: endUserId && uuidOf("endUser", endUserId),
      position,
    }));
    const rows = await client<Row[]>`
      select q.n::int as n, l.position as newest, l.since, e.*
      from rows from (jsonb_to_recordset(${JSON.stringify(questions)}::jsonb) as (
        account uuid, key uuid, types text[], project uuid, "endUser" uuid, position bigint
      )) with ordinality q(account, key, types, project, end_user, position, n)
      join event_listeners l on l.account_id = q.account
      left join lateral next_events(
        q.account, q.key, q.types, q.project, q.end_user, q.position, ${EVENTS}, ${BYTES}) e on true
      order by q.n, e.position`;
    const found = Map.groupBy(rows, ({ n }) => n - 1);
    return asked.map((followed, nth) => newOf(followed, found.get(nth) ?? []));
  },
  { name: "follow.events", inFlight: 1, size: 64, slowMs: 250 },
);

function newOf({ position }: Followed, rows: readonly Row[]): NewItems<PlacedEvent> {
  const [first] = rows;
  // A process that was frozen for an hour did not renew its interest, so events may be missing.
  if (!first || position < Number(first.since)) throw eventsNotKept();
  const items = rows.flatMap(({ position, id, type, payload }) =>
    position === null ? [] : [{ position: Number(position), id: idOf("webhookEvent", id), type, payload }],
  );
  return { items, more: items.length > 0 && items.at(-1)?.position !== Number(first.newest), ended: false };
}

/** Returns the error for an id whose later events are no longer stored, or that belongs to another account. */
export function eventsNotKept(): ApiError {
  return new ApiError(
    "cursor_expired",
    "The events after this Last-Event-ID are not kept any more. Connect without it, and read the resources that may have changed meanwhile.",
  );
}
