import type postgres from "postgres";
import { uuidOf } from "../base/ids.ts";

/**
 * Queues copies of an account's newest run as calls would. Without concurrency keys they are ready; with `keys` of them,
 * each waits for a slot of one, and each key has been signalled once.
 */
export async function queueCopies(
  client: postgres.Sql,
  accountId: string,
  count: number,
  keys = 0,
): Promise<void> {
  const account = uuidOf("account", accountId);
  await client`
    with copies as (
      insert into runs (account_id, id, service_id, operation_id, status, input, max_attempts, caller_type, caller_id, key_ids,
        privacy_tier, request_id, held_credits, last_seq, concurrency, ready_at, queued_at, expires_at)
      select r.account_id, uuidv7(), r.service_id, r.operation_id, 'queued', r.input, 1, r.caller_type, r.caller_id, r.key_ids,
        r.privacy_tier, r.request_id, 0, 1,
        case when ${keys} > 0 then
          jsonb_build_array(jsonb_build_object('key', 'key-' || n % nullif(${keys}, 0), 'limit', 10, 'hold', 'running')) end,
        case when ${keys} = 0 then clock_timestamp() end, case when ${keys} > 0 then clock_timestamp() end,
        clock_timestamp() + interval '1 day'
      from (select * from runs where account_id = ${account} order by id desc limit 1) r, generate_series(1, ${count}) n
      returning account_id, id, concurrency, queued_at),
    slots as (
      insert into run_slots (account_id, run_id, key, space, hold, state, place)
      select account_id, id, concurrency->0->>'key', account_id, 'running', 'waiting', queued_at from copies
      where concurrency is not null),
    keys as (
      insert into concurrency_keys (account_id, space, key, most, used_at)
      select ${account}, ${account}, 'key-' || n, 10, clock_timestamp() from generate_series(0, ${keys - 1}) n)
    insert into slot_signals (account_id, space, key)
    select ${account}, ${account}, 'key-' || n from generate_series(0, ${keys - 1}) n`;
}
