"use client";

import { useQuery } from "@tanstack/react-query";
import type { KeyNumbers } from "#app/(console)/api-keys/use-key-numbers.ts";
import { choicesQuery } from "#components/form/choices-query.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { cn } from "#components/ui/cn.ts";
import { shorten } from "#components/ui/copyable.tsx";
import { inDigits, inShort } from "#components/ui/digits.ts";
import { plainName } from "#components/ui/plain-name.ts";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime, useNow } from "#components/ui/time.tsx";
import { defined } from "#server/base/defined.ts";
import type { KeyCalls, UsedLimit } from "#server/keys/access/schema.ts";
import type { ApiKey } from "#server/keys/schema.ts";

/** Returns the columns of every list of keys, including their usage. */
export const keyColumnsWith = ({ limits, calls }: KeyNumbers): Column<ApiKey>[] => [
  {
    header: "Label",
    cell: ({ label }) => label,
    csv: [
      { header: "Label", value: ({ label }) => label },
      { header: "Parent", value: ({ parentId }) => parentId },
      { header: "Depth", value: ({ depth }) => depth },
    ],
    sort: "label",
  },
  {
    header: "Secret",
    cell: ({ prefix }) => <Beginning prefix={prefix} />,
    csv: [{ header: "Prefix", value: ({ prefix }) => prefix }],
    width: "5.5rem",
    minor: true,
  },
  {
    header: "May",
    cell: ({ scopes }) => <span title={scopes.join(", ")}>{scopesWord(scopes)}</span>,
    csv: [{ header: "Scopes", value: ({ scopes }) => scopes.join(" ") }],
    width: "6rem",
    minor: true,
  },
  {
    header: "Status",
    plain: true,
    cell: (key) => <KeyStatus apiKey={key} />,
    csv: ({ status, invalidBecause }) => invalidBecause ?? status,
    width: "7rem",
  },
  {
    header: "Limits now",
    cell: ({ id }) => <Fullest limits={limits.get(id)} />,
    width: "5.5rem",
    minor: true,
  },
  {
    header: "Expires",
    cell: (key) => <KeyExpiry apiKey={key} />,
    csv: ({ expiresAt }) => expiresAt,
    width: "6rem",
  },
  {
    header: "Bound to",
    cell: (key) => <Binding apiKey={key} />,
    csv: [
      { header: "Project", value: ({ projectId }) => projectId },
      { header: "End user", value: ({ endUser }) => endUser },
    ],
    width: "6rem",
    minor: true,
  },
  {
    header: "Last used",
    cell: (key) => <LastUse apiKey={key} calls={calls.get(key.id)} />,
    csv: ({ lastUsedAt }) => lastUsedAt,
    width: "8.5rem",
  },
  {
    header: "Created",
    plain: true,
    cell: (key) => <RelativeTime at={key.createdAt} />,
    csv: [
      { header: "Created", value: ({ createdAt }) => createdAt },
      { header: "Revoked", value: ({ revokedAt }) => revokedAt },
    ],
    sort: "createdAt",
    optional: true,
    width: "6rem",
  },
  idColumn,
];

const kindWords = { requestsPerMinute: "a minute", maxConcurrent: "at once", creditsPerDay: "credits a day" };

/** Shows the first characters of the secret, without the prefix of all secrets. */
function Beginning({ prefix }: { prefix: string }) {
  return (
    <span className="font-mono text-12" title={`${prefix}…`}>
      {prefix.split("_").at(-1) || prefix}…
    </span>
  );
}

/** Shows the key's own limit with the highest usage. */
function Fullest({ limits = [] }: { limits: readonly UsedLimit[] | undefined }) {
  const [fullest] = limits.toSorted((a, b) => b.used / b.value - a.used / a.value);
  if (!fullest) return <span className="text-muted">–</span>;
  const { used, value, kind, selector } = fullest;
  return (
    <span
      className={cn("tabular-nums", used >= value && "font-medium text-bad")}
      title={`${used} of ${value} ${kindWords[kind]} on ${selector}`}
    >
      {inDigits(used)} of {inDigits(value)}
    </span>
  );
}

/** Shows the last call, and the number of calls in the last 24 clock hours. */
function LastUse({ apiKey, calls }: { apiKey: ApiKey; calls: KeyCalls | undefined }) {
  const last = <RelativeTime at={apiKey.lastUsedAt} />;
  if (!calls) return last;
  const { requests, errors, limited } = calls;
  const failed = errors + limited;
  const words = `${inDigits(requests)} requests in 24 hours; ${inDigits(errors)} failed or were refused, ${inDigits(limited)} met a limit`;
  return (
    <span className="@2xl:block @2xl:leading-4">
      {last}{" "}
      <span className="text-12 text-muted @2xl:block @2xl:leading-4" title={words}>
        {inShort(requests)} in 24 h
        {failed > 0 && <span className="text-bad">, {inShort(failed)} failed</span>}
      </span>
    </span>
  );
}

/** Shows the key's own status, or the reason why it is refused although it is active. */
export function KeyStatus({ apiKey: { status, invalidBecause } }: { apiKey: ApiKey }) {
  return status === "active" && invalidBecause ? (
    <Status value={invalidBecause} tone="bad" />
  ) : (
    <Status value={status} />
  );
}

/** Shows the project and the end user that the key is bound to. */
function Binding({ apiKey: { projectId, endUser } }: { apiKey: ApiKey }) {
  const name = useProjectName(projectId);
  if (!projectId && endUser === null) return <span className="text-muted">Account</span>;
  return <bdi>{plainName([projectId && name, endUser].filter(Boolean).join(" · "))}</bdi>;
}

/** Returns a project's name; until it is loaded, the shortened id. */
export function useProjectName(projectId: string | null): string {
  const trpc = useTRPC();
  const query = trpc.projects.list.queryOptions(choicesQuery());
  const { data } = useQuery({ ...query, enabled: projectId !== null });
  const newest = data?.projects.find(({ id }) => id === projectId);
  const older = useQuery({
    ...trpc.projects.read.queryOptions({ projectId: projectId ?? "" }),
    enabled: projectId !== null && data !== undefined && !newest,
  }).data?.project;
  return (newest ?? older)?.name ?? shorten(projectId ?? "");
}

const SOON_MS = 7 * 86_400_000;

/** Shows when the key expires, highlighted in its last week; a dash for a revoked key. */
function KeyExpiry({ apiKey: { expiresAt, expiryMode, status } }: { apiKey: ApiKey }) {
  const left = Date.parse(expiresAt) - useNow();
  if (status === "revoked") return <span className="text-muted">–</span>;
  const isSoon = status === "active" && expiryMode === "fixed" && left < SOON_MS;
  return (
    <span className={cn(isSoon && "font-medium text-warn")} suppressHydrationWarning>
      <RelativeTime at={expiresAt} />
    </span>
  );
}

/** Describes a key's scopes in a word or two: `Read-only`, `Wallets`, `5 scopes`. */
function scopesWord(scopes: readonly string[]): string {
  if (scopes.length === 0) return "None";
  if (scopes.length === 1) return defined(scopes[0]);
  if (scopes.every((scope) => scope.endsWith(":read"))) return "Read-only";
  const resources = [...new Set(scopes.map((scope) => defined(scope.split(":")[0])))];
  if (resources.length === 1) return wordOf(defined(resources[0]));
  if (scopes.includes("api_keys:manage") && scopes.includes("wallets:transact")) return "Everything";
  return `${scopes.length} scopes`;
}

function wordOf(resource: string): string {
  const words = resource.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
