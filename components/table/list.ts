import type { Segments } from "#components/ui/segments.tsx";
import type { Option } from "#components/ui/select.tsx";

/** The most characters of a typed filter that are sent. */
export const LONGEST = 200;

/** The kinds of filters of a list. */
export type Filter =
  | { kind: "search"; label: string }
  | { kind: "text"; label: string; longest?: number }
  /** Only links set the filter, and the bar shows its value. */
  | { kind: "linked"; label: string }
  | { kind: "one"; label: string; options: readonly Option[]; all?: string }
  /** Shows all choices; the one without a value is selected by default. */
  | { kind: "segments"; label: string; options: readonly Option[]; Control: typeof Segments }
  /** The page passes its choices as `options` of `ListBar`. */
  | { kind: "given"; label: string; all?: string }
  | { kind: "switch"; label: string }
  | { kind: "project"; label: string; all?: string }
  | { kind: "service"; label: string }
  | { kind: "key"; label: string }
  | { kind: "wallet"; label: string }
  | { kind: "member"; label: string; all?: string }
  | { kind: "endUser"; label: string }
  /** The beginning of a period can be a span, which the server resolves: `24h` or `7d` before now. */
  | { kind: "moment"; label: string; span?: RegExp };

type Value<Of extends Filter> = Of extends { options: readonly { value: infer One }[] }
  ? Exclude<One, "">
  : Of extends { kind: "switch" }
    ? "on"
    : string;

/** The query that a list sends to the server. */
export type Query<Filters extends Record<string, Filter>, Sort extends string> = {
  [Name in keyof Filters]?: Value<Filters[Name]>;
} & { sort?: Sort | `-${Sort}`; cursor?: string };

/** Values of the address's parameters, by name. */
export type Values = Partial<Record<string, string>>;

/** A filter by text that people remember, such as a name. */
export const search = { kind: "search", label: "Search" } as const;

/** Filters by the beginning and the end of a period, shown as one control. */
export const period = {
  from: { kind: "moment", label: "From", span: /^\d{1,3}[hd]$/ },
  to: { kind: "moment", label: "Until" },
} as const;

/** Filters by an end user. */
export const endUser = { kind: "endUser", label: "End user" } as const;

/** Filters by a property that links from other pages set. */
export const linked = (label: string) => ({ kind: "linked", label }) as const;

/** Filters by a property with few values. */
export const oneOf = <const Options extends readonly Option[]>(
  label: string,
  options: Options,
  all = `Any ${label.toLowerCase()}`,
) => ({ kind: "one", label, options, all }) as const;

/**
 * Filters by the list's main property; `{ value: "", label: "Waiting" }` is the default choice. Few lists have one, and
 * they bring the control: one that was loaded late would push the other filters aside.
 */
export const segments = <const Options extends readonly Option[]>(
  label: string,
  options: Options,
  Control: typeof Segments,
) => ({ kind: "segments", label, options, Control }) as const;

/** Filters by a property with any value, compared as a whole. */
export const text = (label: string, longest = LONGEST) => ({ kind: "text", label, longest }) as const;

/** Filters by a property whose values only the page knows. */
export const given = (label: string, all = `Any ${label.toLowerCase()}`) =>
  ({ kind: "given", label, all }) as const;

/** A filter that is on or off: its value in the address and the query is `on`. */
export const onOff = (label: string) => ({ kind: "switch", label }) as const;

/** Has the server count the rows that match the filters: `defineList(…).asking(counted)`. */
export const counted = <Asked>(query: Asked) => ({ ...query, total: "include" as const });

/**
 * Returns choices labelled by their values (`awaiting_approval` becomes "Awaiting approval"), except those in `others`.
 */
export const wordsOf = <const Value extends string>(
  values: readonly Value[],
  others: Partial<Record<Value, string>> = {},
) =>
  values.map((value) => {
    const words = value.replaceAll("_", " ");
    return { value, label: others[value] ?? words.charAt(0).toUpperCase() + words.slice(1) };
  });

/**
 * Declares a list of the console: the name of its exports and stored view, its filters, and its sort orders. `query`
 * turns the address's values into the server's query; it ignores invalid values, since an address may contain anything.
 * Pages and their prefetching on the server both use it.
 */
export function defineList<const Filters extends Record<string, Filter>, const Sort extends string = never>(
  name: string,
  filters: Filters,
  sorts: readonly Sort[] = [],
) {
  const filterNames: Extract<keyof Filters, string>[] = [];
  for (const filterName in filters) filterNames.push(filterName);
  // `names` are the parameters that the list reads from the address.
  const declared = { name, filters, filterNames, names: [...filterNames, "sort", "cursor"] as const };
  function query(values: Values): Query<Filters, Sort> {
    const wanted: Record<string, string> = {};
    for (const filterName of filterNames) {
      const value = accepted(filters[filterName], values[filterName] ?? "");
      if (value !== "") wanted[filterName] = value;
    }
    const { sort = "", cursor } = values;
    if (sorts.some((one) => one === sort.replace(/^-/, ""))) wanted.sort = sort;
    if (cursor) wanted.cursor = cursor;
    // The loop above has checked each value against its filter.
    return wanted as Query<Filters, Sort>;
  }
  return {
    ...declared,
    query,
    /** Returns the same list with a query that `ask` extends or replaces. */
    asking: <Asked>(ask: (query: Query<Filters, Sort>) => Asked) => ({
      ...declared,
      query: (values: Values) => ask(query(values)),
    }),
  };
}

/** The part of a declared list that its bar and table use. */
export interface List {
  name: string;
  filters: Readonly<Record<string, Filter>>;
  filterNames: readonly string[];
}

function accepted(filter: Filter | undefined, value: string): string {
  if (!filter) return "";
  if (filter.kind === "search") return value.trim().slice(0, LONGEST);
  if (filter.kind === "one" || filter.kind === "segments")
    return filter.options.some((option) => option.value === value) ? value : "";
  if (filter.kind === "switch") return value === "on" ? value : "";
  if (filter.kind === "moment")
    return filter.span?.test(value) || (value.endsWith("Z") && Date.parse(value)) ? value : "";
  // Typed text is trimmed; a value that another page has put into the address is not.
  const sent = filter.kind === "text" ? value.trim() : value;
  return sent.slice(0, filter.kind === "text" ? filter.longest : LONGEST);
}
