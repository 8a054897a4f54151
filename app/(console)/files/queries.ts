export const filterNames = ["name", "purpose", "endUser"] as const;

export type FileFilters = Record<(typeof filterNames)[number], string>;

/** What the list asks for. */
export function filesQuery(filters: FileFilters, cursor?: string) {
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
  return { ...set, ...(cursor && { cursor }) };
}
