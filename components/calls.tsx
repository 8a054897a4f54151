"use client";

import { NamedAddress, useAddressNames } from "#components/address-names.tsx";
import { Section } from "#components/ui/section.tsx";
import type { Transaction } from "#server/wallets/transactions/schema.ts";

/** Shows the functions that a transaction calls, argument by argument; nothing if it calls none. */
export function Calls({ calls }: { calls: Transaction["calls"] }) {
  const texts = calls.flatMap((call) => [call.contract, ...(call.arguments ?? []).map(({ value }) => value)]);
  const names = useAddressNames(texts);
  if (calls.length === 0) return null;
  return (
    <Section
      title="Calls"
      description="Decoded from the bytes that are signed. Amounts are in the smallest units."
    >
      <ol aria-label="Calls" className="flex min-w-0 flex-col rounded-md border">
        {calls.map((call, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a batch may make the same call twice.
          <li key={nth} className="flex min-w-0 flex-col gap-2 border-line px-3 py-2 not-last:border-b">
            <p className="break-all font-mono text-13">{call.method ?? "Data without a function"}</p>
            <dl className="grid min-w-0 grid-cols-1 gap-x-4 gap-y-1 text-13 sm:grid-cols-[10rem_minmax(0,1fr)]">
              <dt className="text-muted">Contract</dt>
              <dd className="min-w-0">
                <NamedAddress address={call.contract} names={names} />
              </dd>
              {call.arguments?.map(({ name, type, value }) => (
                <Argument key={name} name={name} type={type}>
                  {type === "address" ? (
                    <NamedAddress address={value} names={names} />
                  ) : (
                    <span className="break-all font-mono">{value}</span>
                  )}
                </Argument>
              ))}
            </dl>
            {call.arguments === null && (
              <p className="text-13 text-warn">
                This function is unknown here, so nobody can say what it does. Decode its data elsewhere
                before you trust it.
              </p>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Argument({ name, type, children }: { name: string; type: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="min-w-0 break-words text-muted">
        {name} <span className="font-mono text-12">{type}</span>
      </dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
