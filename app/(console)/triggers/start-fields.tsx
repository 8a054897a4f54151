"use client";

import { JsonField } from "#components/form/json-field.tsx";
import { SelectField, TextField } from "#components/form/text-fields.tsx";
import { useStoredChoices } from "#components/form/use-choices.tsx";
import type { FieldOf } from "#components/form/use-form.ts";

interface StartForm {
  field(name: "serviceId" | "operationId"): FieldOf<string>;
  field(name: "input"): FieldOf<unknown>;
  field(name: "connectionId"): FieldOf<string | null>;
}

const OTHER = "another operation";

/** Returns the fields of JSON that a person typed; none if it is no object. */
function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && !Array.isArray(value) ? { ...value } : {};
}

/** The fields for a trigger's target, which is a stored workflow or another operation that runs, and for its input. */
export function StartFields({
  form,
  error,
  fault,
  onFault,
}: {
  form: StartForm;
  error: string | undefined;
  fault: string | null;
  onFault: (fault: string | null) => void;
}) {
  const stored = useStoredChoices();
  const service = form.field("serviceId");
  const operation = form.field("operationId");
  const input = form.field("input");
  const isStored = service.value === "managed-workflows" && operation.value === "start";
  const { name: typed, ...rest } = fieldsOf(input.value);
  const name = typeof typed === "string" ? typed : "";
  const isKnown = name === "" || stored.options.some(({ value }) => value === name);
  const options = [
    { value: "", label: "Choose a stored workflow" },
    ...stored.options,
    ...(isKnown ? [] : [{ value: name, label: name }]),
    { value: OTHER, label: "Another operation" },
  ];

  function choose(value: string) {
    // The connection or pinned version belonged to the previous choice.
    form.field("connectionId").onChange(null);
    if (value === OTHER) {
      service.onChange("managed-memory");
      operation.onChange("put");
      input.onChange({ content: "Hello." });
    } else {
      service.onChange("managed-workflows");
      operation.onChange("start");
      input.onChange({ ...(isStored && "input" in rest && { input: rest.input }), name: value });
    }
  }

  return (
    <>
      <SelectField
        label="Starts"
        name="starts"
        options={options}
        find={stored.find}
        value={isStored ? name : OTHER}
        onChange={choose}
        error={isStored ? error : undefined}
      />
      {!isStored && (
        <>
          <TextField label="Service" autoComplete="off" spellCheck={false} {...service} />
          <TextField label="Operation" autoComplete="off" spellCheck={false} {...operation} />
        </>
      )}
      <JsonField
        // Another operation has another input.
        key={isStored ? "stored" : "other"}
        label="Input"
        optional={isStored}
        hint={isStored ? "The workflow reads it as input; scheduledAt, or event, is beside it." : undefined}
        name="input"
        value={isStored ? rest.input : input.value}
        onChange={(value) => input.onChange(isStored ? { ...rest, name, input: value } : value)}
        onFault={onFault}
        error={fault ?? (isStored ? undefined : error)}
      />
    </>
  );
}
