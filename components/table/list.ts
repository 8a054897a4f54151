import type { Option } from "#components/ui/select.tsx";

const LONGEST = 200;

/** How a list can be narrowed. */
export type Filter =
  | { kind: "search"; label: string }
  /** Without a label it comes from addresses alone. */
  | { kind: "text"; label: string | null; longest?: number }
  | { kind: "one"; label: string; options: readonly Option[]; all?: string }
  /** All choices are seen; the one without a value is chosen first. */
  | { kind: "segments"; label: string; options: readonly Option[] }
  /** Its choices are the page's to bring, as `options` of `ListBar`. */
  | { kind: "given"; label: string; all?: string }
  | { kind: "switch"; label: string }
  | { kind: "project"; label: string; all?: string }
  | { kind: "service"; label: string }
  | { kind: "key"; label: string }
  | { kind: "wallet"; label: string }
  | { kind: "moment"; label: string };

type Value<Of extends Filter> = Of extends { options: readonly { value: infer One }[] }
  ? Exclude<One, "">
  : Of extends { kind: "switch" }
    ? "on"
    : string;

/** What a list asks the server for. */
export type Query<Filters extends Record<string, Filter>, Sort extends string> = {
  [Name in keyof Filters]?: Value<Filters[Name]>;
} & { sort?: Sort | `-${Sort}`; cursor?: string };

/** What an address says, by name. */
export type Values = Partial<Record<string, string>>;

/** A text that things are remembered by. */
export const search = { kind: "search", label: "Search" } as const;

/** Beginning and end of what happened: one control. */
export const period = {
  from: { kind: "moment", label: "From" },
  to: { kind: "moment", label: "Until" },
} as const;

/** A property of few values. */
export const oneOf = <const Options extends readonly Option[]>(
  label: string,
  options: Options,
  all = `Any ${label.toLowerCase()}`,
) => ({ kind: "one", label, options, all }) as const;

/** The property that the list is mostly about: `{ value: "", label: "Waiting" }` is the choice that it begins with. */
export const segments = <const Options extends readonly Option[]>(label: string, options: Options) =>
  ({ kind: "segments", label, options }) as const;

/** A property of any value, compared as a whole. */
export const text = (label: string | null, longest = LONGEST) => ({ kind: "text", label, longest }) as const;

/** A property of values that only the page knows. */
export const given = (label: string, all = `Any ${label.toLowerCase()}`) =>
  ({ kind: "given", label, all }) as const;

/** Something that is on or off: in the address and in the query it is `on`. */
export const onOff = (label: string) => ({ kind: "switch", label }) as const;

/** Has the server count what the filters let through: `defineList(…).asking(counted)`. */
export const counted = <Asked>(query: Asked) => ({ ...query, total: "include" as const });

/** Choices whose words are their values, `awaiting_approval` is "Awaiting approval", but for those that have others. */
export const wordsOf = <const Value extends string>(
  values: readonly Value[],
  others: Partial<Record<Value, string>> = {},
) =>
  values.map((value) => {
    const words = value.replaceAll("_", " ");
    return { value, label: others[value] ?? words.charAt(0).toUpperCase() + words.slice(1) };
  });

/**
 * A list of the console: the name under which it is exported and its view is kept, how it is narrowed, and by what it is
 * sorted. `query` makes of the address's values what the server is asked for; an address may hold anything, and what is
 * no value of a filter is no filter. Pages and their prefetching on the server both use it.
 */
export function defineList<const Filters extends Record<string, Filter>, const Sort extends string = never>(
  name: string,
  filters: Filters,
  sorts: readonly Sort[] = [],
) {
  const filterNames: Extract<keyof Filters, string>[] = [];
  for (const filterName in filters) filterNames.push(filterName);
  // `names` is what it reads of the address.
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
    // Each value was held against its filter above.
    return wanted as Query<Filters, Sort>;
  }
  return {
    ...declared,
    query,
    /** The same list, of which the server is asked more, or something else, than its address says. */
    asking: <Asked>(ask: (query: Query<Filters, Sort>) => Asked) => ({
      ...declared,
      query: (values: Values) => ask(query(values)),
    }),
  };
}

/** A declared list, as far as its bar and table know it. */
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
  if (filter.kind === "moment") return value.endsWith("Z") && !Number.isNaN(Date.parse(value)) ? value : "";
  // What people type has blanks around it; what another page's address names has its own.
  const sent = filter.kind === "text" && filter.label !== null ? value.trim() : value;
  return sent.slice(0, filter.kind === "text" ? filter.longest : LONGEST);
}
