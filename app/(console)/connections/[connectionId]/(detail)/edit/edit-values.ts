import type { Connection } from "#server/connections/schema.ts";

type Edited = Pick<Connection, "label" | "allowedHosts" | "tokenUrl" | "expiresAt">;

/** What of a connection can be edited. */
export function valuesOf({ label, allowedHosts, tokenUrl, expiresAt }: Edited) {
  return { label, allowedHosts, tokenUrl: tokenUrl ?? "", secret: "", expiresAt };
}

/** The body that changes a connection as the form says. */
export const changesOf =
  (connection: Edited) =>
  ({ tokenUrl, secret, expiresAt, ...values }: ReturnType<typeof valuesOf>) => ({
    ...values,
    ...(connection.tokenUrl !== null && { tokenUrl }),
    ...(secret !== "" && { secret }),
    ...(expiresAt !== connection.expiresAt && { expiresAt }),
  });
