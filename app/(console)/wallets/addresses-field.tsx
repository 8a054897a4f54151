"use client";

import type { ComponentProps } from "react";
import { PickedAddress } from "#app/(console)/wallets/picked.tsx";
import type { AddressNames } from "#components/address-names.tsx";
import { PickField } from "#components/form/pick-field.tsx";

/** A field for addresses, which a person picks from the known ones or types. */
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
