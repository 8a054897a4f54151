import { TRIGGER_LIMITS } from "#server/triggers/schema.ts";
import { heading, list, type Page, paragraph, samples, table } from "../page.ts";
import { HEADERS, invoke } from "./invoke-triggers.ts";
import { connect } from "./sdk.ts";

const NIGHTLY = {
  name: "nightly-report",
  on: { cron: "30 2 * * *", timezone: "Europe/Berlin" },
  start: { serviceId: "managed-memory", operationId: "put", input: { content: "A report." } },
};

const AT_EVENT = {
  name: "thank-you",
  on: { event: "order.paid", where: [{ path: "data.usd", op: "gte", value: "100" }] },
  start: {
    serviceId: "managed-memory",
    operationId: "put",
    input: { content: "Thank {% event.data.customer %} for order {% event.key %}." },
  },
};
const PAID = { name: "order.paid", key: "4711", data: { usd: "250.00", customer: "Ada" } };

/** Returns the guide to triggers. */
export function schedulesPage(baseUrl: string): Page {
  return {
    path: "/docs/schedules",
    title: "Schedules",
    lead: "Start runs automatically, once for each time or event, even if processes crash meanwhile.",
    blocks: [
      heading("A trigger"),
      paragraph(
        "`put` of `managed-triggers` stores a trigger under a name. Its `on` says when a run is created: at the times of a crontab line in a time zone, at an interval in seconds, or once. Its `start` is the body of [creating a run](/docs/runs.create). A workflow's input additionally contains `scheduledAt`, and each run has `triggerId` and `scheduledAt`.",
      ),
      samples({
        sh: `curl --fail-with-body -X POST "${baseUrl}/v1/services/managed-triggers/invoke" \\\n  ${HEADERS} \\\n  -d '${JSON.stringify({ operationId: "put", input: NIGHTLY })}'`,
        ts: `${connect(baseUrl)}
console.log(await platform.services.invoke("managed-triggers", ${JSON.stringify({ operationId: "put", input: NIGHTLY })}));`,
      }),
      paragraph(
        "The key or the member that stored the trigger last creates the run: it needs `runs:write`, and each run is checked, limited, charged and audited as theirs when it starts. Storing the trigger again replaces it; with the same `on`, its schedule continues. `get` returns the next times, and the outcomes of the most recent ones.",
      ),
      paragraph(
        "A trigger can be changed by the key that stored it last (its `ownerKeyId`), by the keys above that one, by members, and, once that key has ended, by root keys with at least its access; the caller who stores it again becomes its owner. Other keys of its project and end user can read it: their `put` with its name is refused with 409 [already_exists](/docs/errors/already_exists), every other change with 404 [not_found](/docs/errors/not_found).",
      ),
      invoke(baseUrl, "get", { name: "nightly-report" }),
      heading("Time zones and daylight saving time"),
      list([
        "A time that the clock skips in spring starts right after the gap; a time that occurs twice in autumn starts once. Lines that start more than once an hour follow the clock: they skip the missing hour, and start in both repeated hours.",
        "`everySeconds` counts from the time when the trigger was stored, and ignores time zones. `jitterSeconds` delays each run by a different, random time.",
        "The time is that of the platform's database.",
      ]),
      heading("Overlapping runs and missed times"),
      table(
        ["`overlap`", "If a run of the trigger has not ended at the next time"],
        [
          ["`skip` (the default)", "that time is skipped"],
          ["`queue_one`", "one time waits for its end, further ones are skipped"],
          ["`allow`", "the next run starts in parallel"],
          ["`cancel_previous`", "the earlier run is cancelled, and the next one starts once it has ended"],
        ],
      ),
      paragraph(
        "If a run could not start on time because the platform was down or a limit of the key was exhausted, it starts later, at most `catchUpSeconds` late (an hour by default); after that, the time is missed.",
      ),
      heading("At an event"),
      paragraph(
        "With `event` in `on`, each event of that name that [`managed-events` sends](/docs/waiting) starts a run if all conditions of `where` hold. Expressions in the input read it as `event`: `id`, `name`, `key`, `data` and `sentAt`; a workflow reads it as `input.event`. Only events of exactly the trigger's project and end user count.",
      ),
      invoke(baseUrl, "put", AT_EVENT),
      samples({
        sh: `curl --fail-with-body -X POST "${baseUrl}/v1/services/managed-events/invoke" \\\n  ${HEADERS} \\\n  -d '${JSON.stringify({ operationId: "send", input: PAID })}'`,
        ts: `console.log(await platform.services.invoke("managed-events", ${JSON.stringify({ operationId: "send", input: PAID })}));`,
      }),
      paragraph(
        "The response of `send` contains the number of runs that it has `started`. Each event starts exactly one run, even after a crash, and an event with the same `id` within a day starts none. The default of `overlap` is `allow`. While the trigger is paused, for any reason, events wait for seven days and start their runs when it resumes. `replay` retries events that have started no run, all of them or one by its `eventId`: `get` lists them with the reason.",
      ),
      invoke(baseUrl, "replay", { name: "thank-you" }),
      paragraph(
        "[Events of the platform](/docs/events) start runs, too, such as `wallet.deposit.confirmed` or `run.failed`: the events that the trigger's owner can read, limited to its project and end user if it has them. A run that an event has started may cause the next event; after eight such runs in a row, the trigger's log says `loop_detected`, and no more runs are started.",
      ),
      paragraph(
        "With `webhook` in `on`, deliveries of a provider such as Stripe or GitHub start runs in the same way: [inbound webhooks](/docs/inbound-webhooks).",
      ),
      heading("By hand"),
      paragraph(
        "`fire` starts a run now, regardless of other runs. `backfill` starts the missing runs for the schedule's times from one moment until before another, one after the other (with `allow`, all at once).",
      ),
      invoke(baseUrl, "fire", { name: "nightly-report" }),
      invoke(baseUrl, "backfill", {
        name: "nightly-report",
        from: "2026-01-01T00:00:00.000Z",
        to: "2026-01-08T00:00:00.000Z",
      }),
      paragraph(
        "`pause` stops the schedule, and `resume` continues it from that time on. `delete` does not affect existing runs.",
      ),
      invoke(baseUrl, "pause", { name: "nightly-report" }),
      invoke(baseUrl, "resume", { name: "nightly-report" }),
      table(
        ["`pausedReason`", "Why", "Until"],
        [
          ["`manual`", "somebody paused it", "somebody resumes it"],
          [
            "`owner_ended`",
            "the key was revoked or has expired, or the person is no longer a member",
            "a key above that one, or a member, stores it again and becomes its owner",
          ],
          [
            "`failing`",
            "`pauseAfterFailures` runs in a row have failed",
            "somebody resumes it or stores it again",
          ],
          [
            "`no_credits`",
            "the account can't pay for the next run",
            "it can; then missed times start as far as `catchUpSeconds` allows",
          ],
        ],
      ),
      paragraph(
        "[Webhooks](/docs/webhooks) are sent `trigger.paused`, and `trigger.failed` for a time that passed without a run.",
      ),
      heading("A run that starts later"),
      paragraph(
        "`startAt` of [creating a run](/docs/runs.create), at most a year ahead, needs no trigger. Until then the run is `queued`, holds no credits and does not count as live.",
      ),
      samples({
        sh: `curl --fail-with-body -X POST "${baseUrl}/v1/runs" \\\n  ${HEADERS} \\\n  -d "{ \\"serviceId\\": \\"managed-memory\\", \\"operationId\\": \\"put\\", \\"input\\": { \\"content\\": \\"Later.\\" }, \\"startAt\\": \\"$(date -u -d '+1 day' +%Y-%m-%dT%H:%M:%SZ)\\" }"`,
        ts: `const run = await platform.runs.create({
  serviceId: "managed-memory",
  operationId: "put",
  input: { content: "Later." },
  startAt: new Date(Date.now() + 86_400_000).toISOString(),
});
console.log(run.startsAt);`,
      }),
      heading("Limits"),
      list([
        `An account has at most ${TRIGGER_LIMITS.maximumTriggers.toLocaleString("en")} triggers; one backfill starts at most ${TRIGGER_LIMITS.maximumBackfill.toLocaleString("en")} runs.`,
        "Names belong to exactly one account, project and end user, like those of workflows. A key with a service boundary that was created before triggers existed cannot use them.",
        "A version of a stored workflow is kept as long as a trigger names its number.",
      ]),
    ],
  };
}
