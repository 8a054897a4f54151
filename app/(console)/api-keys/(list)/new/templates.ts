/** A scope that can be granted, with the longest lifetime of a key that holds it. */
type Offered = { scope: string; longestDays: number };

/** A typical role of a key, with its scopes. */
type Template = { label: string; about: string; has: (offered: Offered) => boolean };

/** Scopes that a backend which only uses the platform does not need. */
const notForBackends: string[] = ["api_keys:manage", "credits:write"];
const LONG_DAYS = 365;

const reads = ({ scope }: Offered) => scope.endsWith(":read");
const of =
  (...resources: string[]) =>
  ({ scope }: Offered) =>
    resources.includes(scope.split(":")[0] ?? "");
const some =
  (...scopes: string[]) =>
  ({ scope }: Offered) =>
    scopes.includes(scope);
const any =
  (...tests: Template["has"][]) =>
  (offered: Offered) =>
    tests.some((test) => test(offered));

/** The typical roles of keys, the most common first. */
export const templates: readonly Template[] = [
  {
    label: "Backend",
    about: "Uses every operation but those that move money, decide or make keys.",
    // Scopes for moving money and deciding also shorten a key's lifetime.
    has: (offered) => offered.longestDays === LONG_DAYS && !notForBackends.includes(offered.scope),
  },
  { label: "Read-only", about: "Looks at everything and changes nothing.", has: reads },
  {
    label: "Runs and agents",
    about: "Calls services, starts runs and reads their results.",
    has: any(of("services", "runs"), some("artifacts:read", "approvals:read", "connections:read")),
  },
  {
    label: "Files and data",
    about: "Keeps files and uses the managed database.",
    has: of("files", "databases"),
  },
  {
    label: "Wallets",
    about: "Makes wallets, signs, sends and swaps within their policies.",
    has: any(of("wallets"), some("approvals:read")),
  },
  { label: "Trading", about: "Quotes and submits trades.", has: any(of("trading"), some("wallets:read")) },
  { label: "Approver", about: "Decides on pending approvals.", has: of("approvals") },
  {
    label: "Key maker",
    about: "Makes narrower keys, for instance one for each of your end users.",
    has: any(some("api_keys:manage", "projects:read", "services:read"), of("files", "runs")),
  },
  { label: "Everything", about: "May do all that can be given.", has: () => true },
  { label: "None", about: "", has: () => false },
];

/** Returns the scopes of a template that may be granted here. */
export function scopesOf(label: string, offered: readonly (Offered & { allowed: boolean })[]): string[] {
  const template = templates.find((one) => one.label === label);
  return offered.filter((one) => one.allowed && template?.has(one)).map(({ scope }) => scope);
}
