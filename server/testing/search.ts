import { expect } from "vitest";
import type { signUpAndIn } from "./console.ts";

export type Person = Awaited<ReturnType<typeof signUpAndIn>>;
export type Found = {
  kind: string;
  id: string;
  label: string;
  detail: string | null;
  parentId: string | null;
};

/** Returns the console's search results of a person. */
export async function search(person: Pick<Person, "query">, query: string): Promise<Found[]> {
  const answer = await person.query("search.list", { query });
  expect(answer.status, JSON.stringify(answer.error)).toBe(200);
  return answer.data.found;
}

/** Returns the kind and label of each result. */
export const kindsOf = (found: Found[]) => found.map(({ kind, label }) => `${kind} ${label}`);
