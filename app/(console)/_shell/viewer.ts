import type { Scope } from "#server/operation/scopes.ts";

/** Somebody who is signed in, as far as it is shown. */
export type ShownPerson = {
  user: { name: string; email: string };
  account: { id: string; name: string };
};

/** Who looks at the console, and at which account; null while nobody is signed in. */
export type Viewer =
  | (ShownPerson & {
      /** What the person's role in it may do. */
      scopes: readonly Scope[];
      /** Names the person in the account, for what the browser keeps. */
      owner: string;
      /** Whether the person may look at the whole installation. */
      operator: boolean;
      /** The other accounts that the person is a member of. */
      others: { id: string; name: string }[];
    })
  | null;
