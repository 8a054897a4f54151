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
    lead: "Runs that start by themselves, once for each time or event, whatever crashes meanwhile.",
    blocks: [
      heading("A trigger"),
      paragraph(
        "`put` of `managed-triggers` stores under a name when which run is created: at the times of a crontab line in a time zone, every so many seconds, or once. `start` is what [creating a run](/docs/runs.create) takes; a workflow's input has `scheduledAt` beside it, and each run says its `triggerId` and `scheduledAt`.",
      ),
      samples({
        sh: `curl --fail-with-body -X POST "${baseUrl}/v1/services/managed-triggers/invoke" \\\n  ${HEADERS} \\\n  -d '${JSON.stringify({ operationId: "put", input: NIGHTLY })}'`,
        ts: `${connect(baseUrl)}
console.log(await platform.services.invoke("managed-triggers", ${JSON.stringify({ operationId: "put", input: NIGHTLY })}));`,
      }),
      paragraph(
        "The run is created as the key, or the member, that put the trigger last: it needs `runs:write`, and each run is judged, limited, charged and audited as theirs at its time. Putting it again replaces it; with the same `on` its schedule goes on. `get` answers the next times, and what has become of the newest.",
      ),
      paragraph(
        "A trigger is changed by the key that put it last, which is its `ownerKeyId`, by keys above that one, and by members; who puts it again becomes its owner. Other keys of its project and end user read it: their `put` of its name is refused with 409 [already_exists](/docs/errors/already_exists), every other change with 404 [not_found](/docs/errors/not_found).",
      ),
      invoke(baseUrl, "get", { name: "nightly-report" }),
      heading("Time zones and the two odd days"),
      list([
        "A time that the clock passes over in spring is started right after; one that it shows twice in autumn is started once. Lines that start more than once an hour follow the clock: they pass over the hour that is left out, and start in both of those that are the same.",
        "`everySeconds` counts from when the trigger was put, and knows no time zones. `jitterSeconds` starts each run a little later, another while for each.",
        "What time it is says the platform's database alone.",
      ]),
      heading("What still runs, and what was missed"),
      table(
        ["`overlap`", "Where a run of the trigger has not ended at the next time"],
        [
          ["`skip` (the default)", "that time is passed over"],
          ["`queue_one`", "one waits for its end, further ones are passed over"],
          ["`allow`", "it is started beside it"],
          ["`cancel_previous`", "that run is cancelled, and the next started once it has ended"],
        ],
      ),
      paragraph(
        "Where nothing could be started at a time, since the platform was down or a limit of the key had no room, it is started later, at most `catchUpSeconds` late (an hour by default); what comes later is missed.",
      ),
      heading("At an event"),
      paragraph(
        "With `event` in `on`, each event of that name that [`managed-events` sends](/docs/waiting) starts a run, where all conditions of `where` hold. Expressions in the input read it as `event`: `id`, `name`, `key`, `data` and `sentAt`; a workflow reads it as `input.event`. Only events of exactly the trigger's project and end user count.",
      ),
      invoke(baseUrl, "put", AT_EVENT),
      samples({
        sh: `curl --fail-with-body -X POST "${baseUrl}/v1/services/managed-events/invoke" \\\n  ${HEADERS} \\\n  -d '${JSON.stringify({ operationId: "send", input: PAID })}'`,
        ts: `console.log(await platform.services.invoke("managed-events", ${JSON.stringify({ operationId: "send", input: PAID })}));`,
      }),
      paragraph(
        "Its answer says how many runs it has `started`. Each event starts one run, whatever crashes, and one with the same `id` within a day starts none. `overlap` is `allow` unless it says otherwise. While the trigger is paused, for whatever reason, events wait for seven days and start their runs once it goes on. `replay` begins anew with events that have started none, all or one by its `eventId`: `get` lists them with the reason.",
      ),
      invoke(baseUrl, "replay", { name: "thank-you" }),
      paragraph(
        "[Events of the platform](/docs/events) start runs too, like `wallet.deposit.confirmed` or `run.failed`: those that the trigger's owner could read, of its project and end user where it has them. A run that an event has started may bring about the next event; after eight such runs in a row the trigger's log says `loop_detected`, and nothing more is started.",
      ),
      paragraph(
        "With `webhook` in `on`, what a provider such as Stripe or GitHub delivers starts runs in the same way: [inbound webhooks](/docs/inbound-webhooks).",
      ),
      heading("By hand"),
      paragraph(
        "`fire` starts a run now, whatever else runs. `backfill` starts one for each time of the schedule from a moment on and before another that has none yet, one after the other's end (with `allow` at once).",
      ),
      invoke(baseUrl, "fire", { name: "nightly-report" }),
      invoke(baseUrl, "backfill", {
        name: "nightly-report",
        from: "2026-01-01T00:00:00.000Z",
        to: "2026-01-08T00:00:00.000Z",
      }),
      paragraph(
        "`pause` stops the schedule, and `resume` lets it go on from then. `delete` leaves the runs that there are.",
      ),
      invoke(baseUrl, "pause", { name: "nightly-report" }),
      invoke(baseUrl, "resume", { name: "nightly-report" }),
      table(
        ["`pausedReason`", "Why", "Until"],
        [
          ["`manual`", "somebody paused it", "somebody resumes it"],
          [
            "`owner_ended`",
            "the key was revoked or has expired, or the member is none any more",
            "a key above that one, or a member, puts it again, and so owns it",
          ],
          [
            "`failing`",
            "as many runs in a row have failed as `pauseAfterFailures` says",
            "somebody resumes or puts it",
          ],
          ["`no_credits`", "the account can't pay the next run", "it can; then it makes up for what it may"],
        ],
      ),
      paragraph(
        "[Webhooks](/docs/webhooks) are sent `trigger.paused`, and `trigger.failed` for a time that passed without a run.",
      ),
      heading("A run that starts later"),
      paragraph(
        "`startAt` of [creating a run](/docs/runs.create), at most a year ahead, needs no trigger. Until then the run is `queued`, holds no credits and is no live run.",
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
        `An account has at most ${TRIGGER_LIMITS.maximumTriggers.toLocaleString("en")} triggers; one backfill asks for at most ${TRIGGER_LIMITS.maximumBackfill.toLocaleString("en")} runs.`,
        "Names belong to exactly one account, project and end user, as those of workflows do. A key with a service boundary that was made before there were triggers does not reach them.",
        "A version of a stored workflow that a trigger names by its number is kept as long as it does.",
      ]),
    ],
  };
}
