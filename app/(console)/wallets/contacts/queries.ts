export const filterNames = ["search"] as const;

/** What the list asks for. */
export function contactsQuery({ search }: { search: string }, cursor?: string) {
  return {
    ...(search && { search: search.slice(0, 200) }),
    ...(cursor && { cursor }),
  };
}
