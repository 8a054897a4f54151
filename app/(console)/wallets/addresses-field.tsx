"use client";

import type { ComponentProps } from "react";
import { PickedAddress } from "#app/(console)/wallets/picked.tsx";
import type { AddressNames } from "#components/address-names.tsx";
import { PickField } from "#components/form/pick-field.tsx";

/** Addresses that are picked from what is known, or typed. */
export function AddressesField({
  names,
  choices,
  ...props
}: ComponentProps<typeof PickField> & { names: AddressNames }) {
  const labelOf = (address: string) =>
    choices.find(({ value }) => value === address)?.label ?? names.get(address)?.name ?? address;
  return (
    <PickField
      {...props}
      choices={choices}
      labelOf={labelOf}
      show={(address) => <PickedAddress name={labelOf(address)} address={address} />}
    />
  );
}
