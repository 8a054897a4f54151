"use client";

import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useId } from "react";
import { Field, type FieldProps } from "#components/form/field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Input } from "#components/ui/input.tsx";

const MAX_CONTACTS = 20;
/** White space comes with an address from the clipboard; in a part of a name it is typed. */
const PADDED = /^\s*(0x[0-9a-f]{40})\s*$/i;

/** An address, typed or chosen from the address book by part of its name. */
export function AddressField({ value, onChange, ...field }: FieldProps & FieldOf<string>) {
  const trpc = useTRPC();
  const list = useId();
  const search = useDeferredValue(value).trim().slice(0, 200);
  const { data } = useQuery({
    ...trpc.wallets.contacts.list.queryOptions({ limit: MAX_CONTACTS, ...(search && { search }) }),
    placeholderData: (before) => before,
  });
  return (
    <Field {...field}>
      {(control) => (
        <>
          <Input
            {...control}
            list={list}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value.replace(PADDED, "$1"))}
          />
          <datalist id={list}>
            {data?.contacts.map(({ id, name, address }) => (
              <option key={id} value={address} label={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
