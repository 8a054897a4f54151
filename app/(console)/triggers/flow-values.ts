import type { Trigger } from "#app/(console)/triggers/queries.ts";

type Start = Trigger["start"];

/** A concurrency key while it is edited. */
export type ConcurrencyRow = Omit<Start["concurrency"][number], "limit"> & { limit: number | null };

/** The tags, priority, concurrency keys and debouncing of a trigger's runs, as edited. */
export interface FlowValues {
  tags: string[];
  priority: number | null;
  concurrency: ConcurrencyRow[];
  /** Empty if each event starts a run. */
  debounceKey: string;
  debounceSeconds: number | null;
  debounceMaxSeconds: number | null;
}

export const newFlow: FlowValues = {
  tags: [],
  priority: 0,
  concurrency: [],
  debounceKey: "",
  debounceSeconds: null,
  debounceMaxSeconds: null,
};

export function flowValuesOf({ tags, priority, concurrency, debounce }: Start): FlowValues {
  return {
    tags,
    priority,
    concurrency,
    debounceKey: debounce?.key ?? "",
    debounceSeconds: debounce?.seconds ?? null,
    debounceMaxSeconds: debounce?.maxSeconds ?? null,
  };
}

/** Returns the fields of `start` for the values; only runs started by events or deliveries are debounced. */
export function flowInputOf(
  { tags, priority, concurrency, debounceKey, debounceSeconds, debounceMaxSeconds }: FlowValues,
  mayDebounce: boolean,
) {
  return {
    tags,
    priority: priority ?? 0,
    concurrency,
    ...(mayDebounce &&
      debounceKey !== "" && {
        debounce: {
          key: debounceKey,
          seconds: debounceSeconds,
          ...(debounceMaxSeconds !== null && { maxSeconds: debounceMaxSeconds }),
        },
      }),
  };
}

const DEBOUNCE_FIELDS: Record<string, keyof FlowValues> = {
  debounce: "debounceKey",
  "debounce.key": "debounceKey",
  "debounce.seconds": "debounceSeconds",
  "debounce.maxSeconds": "debounceMaxSeconds",
};

/** Returns the form's field of a fault within `start`: `debounce.seconds` is at `debounceSeconds`. */
export const flowFieldOf = (place: string): string => DEBOUNCE_FIELDS[place] ?? place;

/** True if a fault belongs to one of these fields. */
export const isFlowField = (field: string): boolean => (field.split(".")[0] ?? "") in newFlow;
