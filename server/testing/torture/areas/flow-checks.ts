import type { runSlots } from "#db/schema/concurrency.ts";
import type { runs, runTags, runTimeline } from "#db/schema/runs.ts";
import { defined } from "#server/base/defined.ts";
import { checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";
import type { FlowPeer } from "./flow-peer.ts";

type Run = typeof runs.$inferSelect;
type Entry = typeof runTimeline.$inferSelect;

/** Returns the marker of the call whose input the run has. */
function markerOf({ input }: Run): string {
  const { workflow, content } = JSON.parse(Buffer.from(input ?? []).toString());
  return workflow?.name ?? content;
}

const made = (rows: readonly Run[]) => rows.map((run) => ({ marker: markerOf(run), id: run.id }));
const startsWith = (word: string) => (run: Run) => markerOf(run).startsWith(word);

/** Checks that each call for one run has created the run that it returned. */
export const checkSingles = (calls: readonly Call[], rows: readonly Run[]): string[] =>
  checkMadeOnce(calls, made(rows.filter(startsWith("flow-"))), ({ answer }) => answer.run.id);

/**
 * Checks that each item that a batch reported as created exists once and others do not; items of a batch without a
 * response exist at most once.
 */
export function checkBatches(calls: readonly Call[], rows: readonly Run[]): string[] {
  const byMarker = Map.groupBy(made(rows.filter(startsWith("batch-"))), ({ marker }) => marker);
  return calls.flatMap(({ marker, outcome, answer, body, attempts }) => {
    const { items } = body as { items: unknown[] };
    return items.flatMap((_, nth) => {
      const ids = (byMarker.get(`${marker}.${nth}`) ?? []).map(({ id }) => id);
      const result = outcome === "answered" ? answer.results[nth] : null;
      const due = result?.ok ? [result.run.id] : [];
      if (result ? ids.join() === due.join() : ids.length <= 1) return [];
      const said = JSON.stringify(result?.error ?? result?.run.id);
      return [
        `The item ${nth} of ${marker}, ${outcome} ${said} (${attempts.join("; ")}), has made ${ids.join(", ") || "nothing"}.`,
      ];
    });
  });
}

/**
 * Checks debounced calls, in the order in which they counted, which their start times reveal. A call that came before
 * the start named by the previous one belongs to the same run, which then has the last call's input, and does not start
 * earlier.
 */
export function checkBursts(calls: readonly Call[], rows: readonly Run[], quietSeconds: number): string[] {
  const runOf = new Map(rows.map((run) => [run.id, run]));
  const answered = calls.filter(({ outcome }) => outcome === "answered");
  const burstOf = ({ body }: Call) => (body as { debounce: { key: string } }).debounce.key;
  const startOf = ({ answer }: Call) => Date.parse(answer.run.startsAt);
  const idOf = ({ answer }: Call): string => answer.run.id;
  const split = [...Map.groupBy(answered, burstOf)].flatMap(([of, own]) => {
    const ordered = own.toSorted((one, other) => startOf(one) - startOf(other));
    return ordered.flatMap((call, place) => {
      const before = ordered[place - 1];
      if (!before || idOf(before) === idOf(call)) return [];
      const came = startOf(call) - quietSeconds * 1000;
      if (came >= startOf(before)) return [];
      const late = new Date(came).toISOString();
      return [
        `The call ${call.marker} of ${of} came at ${late}, and began ${idOf(call)} beside ${idOf(before)}, which was to start at ${before.answer.run.startsAt}.`,
      ];
    });
  });
  const groups = Map.groupBy(answered, idOf);
  const ended = [...groups].flatMap(([id, own]) => {
    const run = runOf.get(id);
    if (!run) return [`The run ${id} of ${own.map(({ marker }) => marker).join(", ")} is not there.`];
    const latest = Math.max(...own.map(startOf));
    const last = own.filter((call) => startOf(call) === latest).map(({ marker }) => marker);
    const about = `The run ${id}, last told ${last.join(" or ")} to start at ${new Date(latest).toISOString()},`;
    return [
      ...(last.includes(markerOf(run)) ? [] : [`${about} has done the work of ${markerOf(run)}.`]),
      ...(run.startedAt && run.startedAt.getTime() >= latest
        ? []
        : [`${about} started at ${run.startedAt?.toISOString()}.`]),
    ];
  });
  const foreign = rows.filter(({ id, debounceKey }) => debounceKey !== null && !groups.has(id));
  return [...split, ...ended, ...foreign.map(({ id }) => `The run ${id} is of no burst that was answered.`)];
}

/** Checks that each delivery has started one run, and that exactly one post to each callback was accepted. */
export function checkPosts({ callbacks, deliveries }: FlowPeer, rows: readonly Run[]): string[] {
  const started = Map.groupBy(made(rows.filter(startsWith("delivery-"))), ({ marker }) => marker);
  const asked = Map.groupBy(callbacks, ([, { marker }]) => marker);
  const ofRun = new Map(rows.map((run) => [markerOf(run), run]));
  return [
    ...deliveries.flatMap(({ marker, status }) => {
      const count = started.get(marker)?.length ?? 0;
      return status === 202 && count === 1
        ? []
        : [`The delivery ${marker} was answered ${status}, and has started ${count} runs.`];
    }),
    ...[...asked].flatMap(([marker, addresses]) => {
      const statuses = addresses.map(([, { status }]) => status);
      const taken = statuses.filter((status) => status === 200).length;
      if (taken === 1 || (taken === 0 && ofRun.get(marker)?.status === "cancelled")) return [];
      return [`The callbacks of ${marker} were answered ${statuses.join(", ")}.`];
    }),
  ];
}

/**
 * Checks that each run has succeeded with one effect, unless it was cancelled; runs replaced before their start have
 * none.
 */
export function checkEffects(
  rows: readonly Run[],
  {
    acted,
    cancelled,
    timeline,
  }: { acted: readonly string[]; cancelled: ReadonlySet<string>; timeline: readonly Entry[] },
): string[] {
  const times = Map.groupBy(acted, (content) => content);
  const markers = new Set(rows.map(markerOf));
  return [
    ...rows.flatMap((run) => {
      const { id, status, error } = run;
      const count = times.get(markerOf(run))?.length ?? 0;
      const isCancelled = status === "cancelled" && cancelled.has(id);
      if (isCancelled ? count <= 1 : status === "succeeded" && count === 1) return [];
      const own = timeline
        .filter(({ runId }) => runId === id)
        .toSorted((one, other) => one.seq - other.seq)
        .map(({ at, step, message }) => `${at.toISOString()} ${step ?? ""} ${message}`);
      return [
        `The run ${id} (${markerOf(run)}) is ${status}, ${JSON.stringify(error)}, and acted ${count} times: ${own.join("; ")}`,
      ];
    }),
    ...[...times.keys()].filter((one) => !markers.has(one)).map((one) => `No run was to do ${one}.`),
  ];
}

interface Span {
  from: number;
  to: number;
}

/**
 * Returns the times in which a run certainly had its slot, by its timeline: while a worker executed it, or its whole
 * life.
 */
function spansOf({ finishedAt }: Run, hold: "running" | "live", entries: readonly Entry[]): Span[] {
  const at = (entry: Entry) => entry.at.getTime();
  const statusOf = ({ data }: Entry) => (data as { status?: string } | null)?.status;
  const isClaim = (entry: Entry) => entry.type === "state" && statusOf(entry) === "running";
  if (hold === "live") {
    const claim = entries.find(isClaim);
    return claim && finishedAt ? [{ from: at(claim), to: finishedAt.getTime() }] : [];
  }
  return entries.slice(0, -1).flatMap((entry, place) => {
    const isWorkedOn =
      isClaim(entry) || (entry.type === "step" && ["sent", "succeeded"].includes(statusOf(entry) ?? ""));
    return isWorkedOn ? [{ from: at(entry), to: at(defined(entries[place + 1])) }] : [];
  });
}

/** Checks that a key never had more runs at once than its limit allows. */
export function checkRooms(
  rows: readonly Run[],
  timeline: readonly Entry[],
  limits: ReadonlyMap<string, number>,
): string[] {
  const entriesOf = Map.groupBy(
    timeline.toSorted((one, other) => one.seq - other.seq),
    ({ runId }) => runId,
  );
  return [...limits].flatMap(([key, limit]) => {
    const changes = rows.flatMap((run) => {
      const slot = run.concurrency?.find((one) => one.key === key);
      const spans = slot ? spansOf(run, slot.hold, entriesOf.get(run.id) ?? []) : [];
      return spans
        .filter(({ from, to }) => from < to)
        .flatMap(({ from, to }) => [
          { at: from, by: 1, id: run.id },
          { at: to, by: -1, id: run.id },
        ]);
    });
    // A slot that is released in a millisecond is free for a run that starts in it.
    changes.sort((one, other) => one.at - other.at || one.by - other.by);
    const open = new Map<string, number>();
    for (const { at, by, id } of changes) {
      const count = (open.get(id) ?? 0) + by;
      if (count > 0) open.set(id, count);
      else open.delete(id);
      if (open.size > limit)
        return [
          `Under the key ${key} of ${limit}, these went on at ${new Date(at).toISOString()}: ${[...open.keys()].join(", ")}.`,
        ];
    }
    return [];
  });
}

/** Checks that no run has a slot once all have ended. */
export const checkSlots = (slots: readonly (typeof runSlots.$inferSelect)[]): string[] =>
  slots.map(({ runId, key, state }) => `The run ${runId} has ended, and its slot of ${key} is ${state}.`);

/** Checks that a run is found by its own tags, and by no others. */
export function checkTags(rows: readonly Run[], tags: readonly (typeof runTags.$inferSelect)[]): string[] {
  const found = Map.groupBy(tags, ({ runId }) => runId);
  return rows.flatMap(({ id, tags: own }) => {
    const stored = (found.get(id) ?? []).map(({ tag }) => tag).toSorted();
    if (stored.join() === own.toSorted().join()) return [];
    return [`The run ${id} has the tags ${own.join(", ")}, and is found by ${stored.join(", ")}.`];
  });
}
