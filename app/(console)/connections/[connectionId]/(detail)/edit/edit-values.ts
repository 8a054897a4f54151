import type { Connection } from "#server/connections/schema.ts";

type Edited = Pick<Connection, "label" | "allowedHosts" | "tokenUrl" | "expiresAt">;

/** Returns the editable values of a connection. */
export function valuesOf({ label, allowedHosts, tokenUrl, expiresAt }: Edited) {
  return { label, allowedHosts, tokenUrl: tokenUrl ?? "", secret: "", expiresAt };
}

/** Converts the form's values to the body of the update. */
export const changesOf =
  (connection: Edited) =>
  ({ tokenUrl, secret, expiresAt, ...values }: ReturnType<typeof valuesOf>) => ({
    ...values,
    ...(connection.tokenUrl !== null && { tokenUrl }),
    ...(secret !== "" && { secret }),
    ...(expiresAt !== connection.expiresAt && { expiresAt }),
  });
