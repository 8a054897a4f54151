import type { Scope } from "#server/operation/scopes.ts";

/** The shown properties of a signed-in person. */
export type ShownPerson = {
  user: { name: string; email: string };
  account: { id: string; name: string };
};

/** The signed-in person and the current account; null if nobody is signed in. */
export type Viewer =
  | (ShownPerson & {
      /** The scopes of the person's role in the account. */
      scopes: readonly Scope[];
      /** The key under which the browser stores data of the person in the account. */
      owner: string;
      /** True if the person may see the whole installation. */
      operator: boolean;
      /** The other accounts that the person is a member of. */
      others: { id: string; name: string }[];
      /** The key of shortcuts on the person's machine. */
      commandKey: "⌘" | "Ctrl";
    })
  | null;
