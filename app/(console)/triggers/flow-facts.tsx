import type { Trigger } from "#app/(console)/triggers/queries.ts";
import { plainName } from "#components/ui/plain-name.ts";

type Start = Trigger["start"];

/** Shows the tags, priority, concurrency keys and debouncing of a trigger's runs, if set. */
export function flowFacts({ tags, priority, concurrency, debounce }: Start) {
  return [
    ...(tags.length > 0 ? [{ name: "Tags", value: <bdi>{plainName(tags.join(", "))}</bdi> }] : []),
    ...(priority !== 0 ? [{ name: "Priority", value: String(priority) }] : []),
    ...(concurrency.length > 0
      ? [{ name: "Concurrency", value: <ConcurrencyKeys concurrency={concurrency} /> }]
      : []),
    ...(debounce ? [{ name: "Debounce", value: <Debounce debounce={debounce} /> }] : []),
  ];
}

function ConcurrencyKeys({ concurrency }: Pick<Start, "concurrency">) {
  return concurrency.map(({ key, limit, hold }) => (
    <p key={key} className="break-words">
      <bdi>{plainName(key)}</bdi>: {limit} at once{hold === "live" && ", waits included"}
    </p>
  ));
}

function Debounce({ debounce: { key, seconds, maxSeconds } }: { debounce: NonNullable<Start["debounce"]> }) {
  return (
    <p className="break-words">
      <bdi>{plainName(key)}</bdi>: after {seconds} quiet seconds
      {maxSeconds !== undefined && `, at the latest after ${maxSeconds}`}
    </p>
  );
}
