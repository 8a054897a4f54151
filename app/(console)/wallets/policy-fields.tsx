"use client";

import { RecipientsField } from "#app/(console)/wallets/recipients-field.tsx";
import { CheckboxField } from "#components/form/checkbox-field.tsx";
import { LinesField } from "#components/form/lines-field.tsx";
import { NumberField, TextField } from "#components/form/text-fields.tsx";
import type { Form } from "#components/form/use-form.ts";
import type { Wallet } from "#server/wallets/schema.ts";

type Policy = Wallet["policy"];

/** A policy as its form has it: an empty text or list restricts nothing. */
export type PolicyValues = ReturnType<typeof initialPolicy>;

/** What the form begins with: the wallet's own policy, or one that restricts nothing. */
export function initialPolicy(policy?: Policy) {
  return {
    maxPerTransactionUsd: policy?.maxPerTransactionUsd ?? "",
    dailyLimitUsd: policy?.dailyLimitUsd ?? "",
    maxNetworkFeeUsd: policy?.maxNetworkFeeUsd ?? "",
    dailyNetworkFeeUsd: policy?.dailyNetworkFeeUsd ?? "",
    allowedNetworks: policy?.allowedNetworks ?? [],
    allowedAssets: policy?.allowedAssets ?? [],
    allowedRecipients: policy?.allowedRecipients ?? [],
    allowedContracts: (policy?.allowedContracts ?? []).map(({ address, methods }) =>
      [address, ...(methods ?? [])].join(" "),
    ),
    messages: policy?.signatures.messages ?? true,
    typedDataContracts: policy?.signatures.typedDataContracts ?? [],
    aboveUsd: policy?.approval.aboveUsd ?? "",
    always: policy?.approval.always ?? false,
    requiredApprovals: (policy?.approval.requiredApprovals ?? 1) as number | null,
    initiatorMayApprove: policy?.approval.initiatorMayApprove ?? false,
    policyChanges: policy?.approval.policyChanges ?? false,
  };
}

const some = <Item,>(list: Item[]) => (list.length > 0 ? list : null);

/** The policy that the form's values mean, as the API takes it. */
export function toPolicy(values: PolicyValues) {
  const contracts = values.allowedContracts.map((line) => {
    const [address = "", ...methods] = line.split(/\s+/);
    return { address, methods: some(methods) };
  });
  return {
    maxPerTransactionUsd: values.maxPerTransactionUsd || null,
    dailyLimitUsd: values.dailyLimitUsd || null,
    maxNetworkFeeUsd: values.maxNetworkFeeUsd || null,
    dailyNetworkFeeUsd: values.dailyNetworkFeeUsd || null,
    allowedNetworks: some(values.allowedNetworks),
    allowedAssets: some(values.allowedAssets),
    allowedRecipients: some(values.allowedRecipients),
    allowedContracts: some(contracts),
    signatures: { messages: values.messages, typedDataContracts: some(values.typedDataContracts) },
    approval: {
      aboveUsd: values.aboveUsd || null,
      always: values.always,
      requiredApprovals: values.requiredApprovals ?? 1,
      initiatorMayApprove: values.initiatorMayApprove,
      policyChanges: values.policyChanges,
    },
  };
}

/** The fields of a policy; what is left empty is not restricted. */
export function PolicyFields<Values extends PolicyValues, Input>({ form }: { form: Form<Values, Input> }) {
  const { field } = form as unknown as Form<PolicyValues, Input>;
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
        <LinesField
          label="Assets"
          optional
          hint="One per line: native, or a token's address."
          {...field("allowedAssets")}
        />
        <LinesField
          label="Networks"
          optional
          hint="One per line, like eip155:8453."
          {...field("allowedNetworks")}
        />
        <LinesField
          label="Contracts"
          optional
          hint="One per line: an address, then its methods by spaces, or none for all."
          {...field("allowedContracts")}
        />
      </Group>
      <Group title="Signatures">
        <CheckboxField label="Messages may be signed" {...field("messages")} />
        <LinesField label="Typed data of these contracts only" optional {...field("typedDataContracts")} />
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
