"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { NamedText, useAddressNames } from "#components/address-names.tsx";
import { LinesField } from "#components/form/lines-field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Select } from "#components/ui/select.tsx";

const MOST = 100;

/** The addresses that a policy allows, with their names; the address book adds to them. */
export function RecipientsField(field: FieldOf<string[]>) {
  const trpc = useTRPC();
  const names = useAddressNames(field.value);
  const { data } = useQuery(trpc.wallets.contacts.list.queryOptions({ limit: MOST }));
  const others = data?.contacts.filter(({ address }) => !field.value.includes(address)) ?? [];
  /** The field reads its value once: what is added from outside begins it anew. */
  const [added, setAdded] = useState(0);
  const named = field.value.filter((line) => names.has(line));

  function add(address: string) {
    field.onChange([...field.value, address]);
    setAdded(added + 1);
  }

  return (
    <div className="flex min-w-0 flex-col gap-2">
      <LinesField key={added} label="Recipients" optional {...field} />
      {named.length > 0 && (
        <ul className="flex flex-col gap-1 text-13 text-muted">
          {named.map((address) => (
            <li key={address} className="break-words">
              <NamedText text={address} names={names} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <Select
          aria-label="Add from the address book"
          options={[
            { value: "", label: "Add from the address book" },
            ...others.map(({ name, address }) => ({ value: address, label: name })),
          ]}
          value=""
          onChange={(event) => add(event.target.value)}
        />
      )}
    </div>
  );
}
