"use client";

import { type ComponentProps, useState } from "react";
import { ContractsField } from "#app/(console)/wallets/contracts-field.tsx";
import { Picked, PickedAddress } from "#app/(console)/wallets/picked.tsx";
import { policySentences } from "#app/(console)/wallets/policy-sentences.ts";
import { type ListName, type PolicyValues, pathOf } from "#app/(console)/wallets/policy-values.ts";
import { usePolicyChoices } from "#app/(console)/wallets/use-policy-choices.ts";
import { type AddressNames, useAddressNames } from "#components/address-names.tsx";
import { CheckboxField } from "#components/form/checkbox-field.tsx";
import { FindInput } from "#components/form/find-input.tsx";
import { PickField } from "#components/form/pick-field.tsx";
import { NumberField, TextField } from "#components/form/text-fields.tsx";
import { type Form, issueOf } from "#components/form/use-form.ts";

/** The fields of a policy, each with a sentence about its current meaning; an empty field restricts nothing. */
export function PolicyFields<Values extends PolicyValues, Input>({
  form,
  under = "",
}: {
  form: Form<Values, Input>;
  /** The prefix of the policy's path in the request body: `policy.`. */
  under?: string;
}) {
  const { field, values, set, issues } = form as unknown as Form<PolicyValues, Input>;
  const [closed] = useState(values.closed);
  const choices = usePolicyChoices();
  const sentences = policySentences(values, choices.names);
  const names = useAddressNames([
    ...values.allowedRecipients,
    ...values.allowedContracts,
    ...values.typedDataContracts,
  ]);
  /** Returns a field's props with its sentence; errors are assigned by the field's path in the request body. */
  const of = <Name extends keyof typeof sentences>(name: Name) => {
    const path = `${under}${pathOf(name)}`;
    return { ...field(name), name: path, error: issueOf(path, issues), hint: sentences[name] };
  };
  /** Shows the checkbox that keeps an empty list closed, so that saving another change does not open it. */
  const none = (name: ListName, label: string) =>
    closed.includes(name) &&
    values[name].length === 0 && (
      <CheckboxField
        name={`${name}-none`}
        label={label}
        hint="If you clear it, the empty list restricts nothing."
        error={undefined}
        value={values.closed.includes(name)}
        onChange={(chosen) =>
          set({ closed: chosen ? [...values.closed, name] : values.closed.filter((other) => other !== name) })
        }
      />
    );
  return (
    <>
      <Group title="Caps">
        <TextField label="Most per transaction (USD)" optional {...of("maxPerTransactionUsd")} />
        <TextField label="Most per day (USD)" optional {...of("dailyLimitUsd")} />
        <TextField label="Most network fee per transaction (USD)" optional {...of("maxNetworkFeeUsd")} />
        <TextField label="Most network fees per day (USD)" optional {...of("dailyNetworkFeeUsd")} />
      </Group>
      <Group title="Only these">
        <AddressesField
          label="Recipients"
          optional
          add="Add from the address book"
          typed="Another recipient’s address"
          choices={choices.contacts}
          find={<FindInput what="contacts" more={choices.moreContacts} onFind={choices.findContacts} />}
          names={names}
          {...of("allowedRecipients")}
        />
        {none("allowedRecipients", "Nobody may be sent anything")}
        <PickField
          label="Assets"
          optional
          add="Add an asset"
          typed="Another token’s address"
          choices={choices.assets}
          show={(asset) => {
            const about = choices.assets.find(({ value }) => value === asset)?.about ?? asset;
            return <Picked name={choices.names.asset(asset)} about={about} />;
          }}
          {...of("allowedAssets")}
        />
        {none("allowedAssets", "Nothing may be spent")}
        <PickField
          label="Networks"
          optional
          add="Add a network"
          choices={choices.networks}
          show={(network) => <Picked name={choices.names.network(network)} about={network} />}
          {...of("allowedNetworks")}
        />
        {none("allowedNetworks", "No chain may be used")}
        <ContractsField choices={choices.contracts} names={names} {...of("allowedContracts")} />
        {none("allowedContracts", "Nothing may be called")}
      </Group>
      <Group title="Signatures">
        <CheckboxField label="Messages may be signed" {...of("messages")} />
        <AddressesField
          label="Typed data of these contracts only"
          optional
          add="Add a contract for typed data"
          typed="Another contract for typed data"
          choices={choices.contracts}
          names={names}
          {...of("typedDataContracts")}
        />
        {none("typedDataContracts", "No typed data may be signed")}
      </Group>
      <Group title="Approval">
        <TextField label="Needed above (USD)" optional {...of("aboveUsd")} />
        <CheckboxField label="Needed for everything" {...of("always")} />
        <NumberField label="How many approvers" unit="people" min={1} {...of("requiredApprovals")} />
        <CheckboxField label="Who asks may approve too" {...of("initiatorMayApprove")} />
        <CheckboxField label="Loosening this policy needs one too" {...of("policyChanges")} />
      </Group>
    </>
  );
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset className="flex flex-col gap-3 border-t pt-3 first:border-t-0 first:pt-0">
      <legend className="float-left pb-2 font-semibold text-14">{title}</legend>
      {children}
    </fieldset>
  );
}

/** A field for addresses, which a person picks from the known ones or types. */
function AddressesField({
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
