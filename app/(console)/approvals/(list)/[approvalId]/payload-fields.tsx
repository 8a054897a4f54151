"use client";

import type { Approval } from "#app/(console)/approvals/words.ts";
import { NamedAddress, useAddressNames } from "#components/address-names.tsx";
import { Section } from "#components/ui/section.tsx";

const MAX_FIELDS = 60;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

type FieldOf = { path: string; value: string };

/** Returns the leaves of a JSON value with their paths. */
function fieldsOf(value: unknown, path = ""): FieldOf[] {
  if (typeof value !== "object" || value === null) return [{ path, value: textOf(value) }];
  const entries = Object.entries(value);
  if (entries.length === 0) return [{ path, value: Array.isArray(value) ? "an empty list" : "nothing" }];
  return entries.flatMap(([name, part]) => fieldsOf(part, path === "" ? name : `${path}.${name}`));
}

const textOf = (value: unknown) => (typeof value === "string" ? value : String(value));

/** Shows the payload, argument by argument; a transaction's calls are shown decoded instead. */
export function PayloadFields({ approval: { kind, payload } }: { approval: Approval }) {
  const { input } = (payload ?? {}) as { input?: unknown };
  const fields = fieldsOf(kind === "service_action" || input !== undefined ? (input ?? {}) : payload);
  const names = useAddressNames(fields.map(({ value }) => value));
  if (kind === "transaction" || payload === null || payload === undefined) return null;
  return (
    <Section title="Argument by argument">
      <dl className="grid min-w-0 grid-cols-1 gap-x-4 gap-y-1 text-13 sm:grid-cols-[12rem_minmax(0,1fr)]">
        {fields.slice(0, MAX_FIELDS).map(({ path, value }) => (
          <div key={path} className="contents">
            <dt className="min-w-0 break-words font-mono text-12 text-muted">{path || "input"}</dt>
            <dd className="min-w-0 whitespace-pre-wrap break-words">
              {ADDRESS.test(value) ? <NamedAddress address={value} names={names} /> : value}
            </dd>
          </div>
        ))}
      </dl>
      {fields.length > MAX_FIELDS && (
        <p className="text-13 text-muted">{`${fields.length - MAX_FIELDS} more stand in the payload below.`}</p>
      )}
    </Section>
  );
}
