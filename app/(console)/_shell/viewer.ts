/** Who looks at the console, and at which account; null while nobody is signed in. */
export type Viewer = {
  user: { name: string; email: string };
  account: { id: string; name: string };
  /** The other accounts that the person is a member of. */
  others: { id: string; name: string }[];
} | null;
