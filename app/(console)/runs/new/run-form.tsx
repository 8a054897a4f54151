"use client";

import { useState } from "react";
import { useStartRun } from "#app/(console)/runs/use-start-run.ts";
import { type Capability, priceText } from "#app/(console)/services/capability.ts";
import { InputEditor } from "#components/form/input-editor.tsx";
import { PageForm } from "#components/form/page-form.tsx";
import { NumberField, TextField } from "#components/form/text-fields.tsx";
import { useInputForm } from "#components/form/use-input-form.ts";

/** The form of the operation's input, and of the number of attempts. */
export function RunForm({ capability, initial }: { capability: Capability; initial: unknown }) {
  const { serviceId, operationId, requiresApproval } = capability;
  const form = useInputForm(capability.inputSchema, initial);
  const [maxAttempts, setMaxAttempts] = useState<number | null>(1);
  const [approvalId, setApprovalId] = useState("");
  const start = useStartRun();
  return (
    <>
      <p className="text-13 text-muted">
        {capability.description} {priceText(capability.price)}.
      </p>
      <PageForm
        submitLabel="Start run"
        form={form}
        pending={start.isPending || start.isSuccess}
        error={start.error}
        failed="The run was not started."
        onSubmit={({ input }) =>
          start.mutate({
            serviceId,
            operationId,
            input,
            ...(maxAttempts !== null && { maxAttempts }),
            ...(approvalId !== "" && { approvalId }),
          })
        }
      >
        <InputEditor form={form} />
        {requiresApproval && (
          <TextField
            label="Approval"
            name="approvalId"
            hint="The id of the approval of exactly this input."
            error={undefined}
            value={approvalId}
            onChange={setApprovalId}
          />
        )}
        <NumberField
          label="Attempts at most"
          name="maxAttempts"
          hint="How many times the whole run is tried, 1 to 10."
          min={1}
          max={10}
          error={undefined}
          value={maxAttempts}
          onChange={setMaxAttempts}
        />
      </PageForm>
    </>
  );
}
