"use client";

import { useState } from "react";
import type { ListName, PolicyValues } from "#app/(console)/wallets/policy-values.ts";
import { RecipientsField } from "#app/(console)/wallets/recipients-field.tsx";
import { CheckboxField } from "#components/form/checkbox-field.tsx";
import { LinesField } from "#components/form/lines-field.tsx";
import { NumberField, TextField } from "#components/form/text-fields.tsx";
import type { Form } from "#components/form/use-form.ts";

/** The fields of a policy; what is left empty is not restricted. */
export function PolicyFields<Values extends PolicyValues, Input>({ form }: { form: Form<Values, Input> }) {
  const { field, values, set } = form as unknown as Form<PolicyValues, Input>;
  const [closed] = useState(values.closed);
  /** Keeps a list that allows nothing from being opened by saving something else. */
  const none = (name: ListName, label: string) =>
    closed.includes(name) &&
    values[name].length === 0 && (
      <CheckboxField
        name={`${name}-none`}
        label={label}
        hint="Without it, whatever is left empty is not restricted."
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
        <TextField label="Most per transaction (USD)" optional {...field("maxPerTransactionUsd")} />
        <TextField label="Most per day (USD)" optional {...field("dailyLimitUsd")} />
        <TextField
          label="Most network fee per transaction (USD)"
          optional
          hint="Left empty, the installation's limit holds."
          {...field("maxNetworkFeeUsd")}
        />
        <TextField label="Most network fees per day (USD)" optional {...field("dailyNetworkFeeUsd")} />
      </Group>
      <Group title="Only these">
        <RecipientsField {...field("allowedRecipients")} />
        {none("allowedRecipients", "Nobody may be sent anything")}
        <LinesField
          label="Assets"
          optional
          hint="One per line: native, or a token's address."
          {...field("allowedAssets")}
        />
        {none("allowedAssets", "Nothing may be spent")}
        <LinesField
          label="Networks"
          optional
          hint="One per line, like eip155:8453."
          {...field("allowedNetworks")}
        />
        {none("allowedNetworks", "No chain may be used")}
        <LinesField
          label="Contracts"
          optional
          hint="One per line: an address, then its methods by spaces, nothing for all, or - for none."
          {...field("allowedContracts")}
        />
        {none("allowedContracts", "Nothing may be called")}
      </Group>
      <Group title="Signatures">
        <CheckboxField label="Messages may be signed" {...field("messages")} />
        <LinesField label="Typed data of these contracts only" optional {...field("typedDataContracts")} />
        {none("typedDataContracts", "No typed data may be signed")}
      </Group>
      <Group title="Approval">
        <TextField label="Needed above (USD)" optional {...field("aboveUsd")} />
        <CheckboxField label="Needed for everything" {...field("always")} />
        <NumberField label="How many approvers" unit="people" min={1} {...field("requiredApprovals")} />
        <CheckboxField label="Who asks may approve too" {...field("initiatorMayApprove")} />
        <CheckboxField label="Loosening this policy needs one too" {...field("policyChanges")} />
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
