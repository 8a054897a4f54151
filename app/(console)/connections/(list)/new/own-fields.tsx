"use client";

import type { ConnectionValues } from "#app/(console)/connections/(list)/new/connection-values.ts";
import { LinesField } from "#components/form/lines-field.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import type { Form } from "#components/form/use-form.ts";

/** Shows the fields of the chosen authentication type. */
export function OwnFields<Input>({ form }: { form: Form<ConnectionValues, Input> }) {
  const plain = { autoComplete: "off", spellCheck: false } as const;
  switch (form.values.authType) {
    case "api_key":
      return (
        <TextField
          label="Header"
          optional
          hint="By default X-API-Key."
          {...plain}
          {...form.field("headerName")}
        />
      );
    case "basic":
      return <TextField label="User" {...plain} {...form.field("username")} />;
    case "oauth2_client":
      return (
        <>
          <TextField label="Client id" {...plain} {...form.field("clientId")} />
          <TextField
            label="Token address"
            hint="Where access tokens are fetched. Its host must be an allowed one."
            inputMode="url"
            {...plain}
            {...form.field("tokenUrl")}
          />
          <LinesField label="Scopes" optional {...form.field("tokenScopes")} />
        </>
      );
    default:
      return null;
  }
}
