"use client";

import { PickedAddress } from "#app/(console)/wallets/picked.tsx";
import { contractLine, contractOf, mergedContracts } from "#app/(console)/wallets/policy-values.ts";
import type { PolicyChoices } from "#app/(console)/wallets/use-policy-choices.ts";
import type { AddressNames } from "#components/address-names.tsx";
import { PickField } from "#components/form/pick-field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";

const EVERY = "*";

/** A field for the contracts that may be called, each with its methods. */
export function ContractsField({
  choices,
  names,
  hint,
  ...field
}: FieldOf<string[]> & { choices: PolicyChoices["contracts"]; names: AddressNames; hint: string }) {
  const lines = mergedContracts(field.value.map(contractOf));
  const labelOf = (address: string) =>
    choices.find(({ value }) => value === address)?.label ?? names.get(address)?.name ?? address;

  function setMethods(address: string, methods: string[] | null) {
    field.onChange(lines.map((line) => contractLine(line.address === address ? { address, methods } : line)));
  }

  return (
    <PickField
      {...field}
      label="Contracts"
      optional
      hint={hint}
      add="Add a known contract"
      typed="Another contract’s address"
      choices={choices}
      value={lines.map(({ address }) => address)}
      onChange={(addresses) =>
        field.onChange(
          addresses.map((address) =>
            contractLine(lines.find((line) => line.address === address) ?? { address, methods: null }),
          ),
        )
      }
      labelOf={labelOf}
      show={(address) => (
        <div className="flex flex-col gap-2">
          <PickedAddress name={labelOf(address)} address={address} />
          <Methods
            name={`${field.name}-${address}`}
            of={labelOf(address)}
            known={choices.find(({ value }) => value === address)?.methods ?? []}
            methods={lines.find((line) => line.address === address)?.methods ?? null}
            onChange={(methods) => setMethods(address, methods)}
          />
        </div>
      )}
    />
  );
}

function Methods({
  name,
  of,
  known,
  methods,
  onChange,
}: {
  name: string;
  of: string;
  known: readonly string[];
  methods: string[] | null;
  onChange: (methods: string[] | null) => void;
}) {
  const every = { value: EVERY, label: "Every method" };
  return (
    <PickField
      name={name}
      label={`Methods of ${of}`}
      error={undefined}
      hint={hintOf(methods)}
      add={`Add a method of ${of}`}
      typed={`Another method of ${of}`}
      choices={[...(methods ? [every] : []), ...known.map((method) => ({ value: method, label: method }))]}
      value={methods ?? []}
      onChange={(picked) => onChange(picked.includes(EVERY) ? null : picked)}
      show={(method) => <span className="break-all font-mono">{method}</span>}
    />
  );
}

function hintOf(methods: readonly string[] | null): string {
  if (methods === null) return "Every method of it may be called.";
  if (methods.length === 0) return "No method of it may be called.";
  return methods.length === 1 ? "Only this method may be called." : "Only these methods may be called.";
}
