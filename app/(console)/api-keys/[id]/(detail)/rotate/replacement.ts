import { expiryOf, type KeyValues } from "#app/(console)/api-keys/(list)/new/key-values.ts";
import type { ApiKey } from "#server/keys/schema.ts";

/** The body that makes a key with another's policy: what is null has no boundary of its own, and is left out. */
export function replacementOf(old: ApiKey, values: Pick<KeyValues, "label" | "lifetime" | "expiresAt">) {
  const { scopes, allowedServices, allowedOperations, limits, projectId, endUser, privacyTier } = old;
  return {
    label: values.label,
    scopes,
    ...(allowedServices && { allowedServices }),
    ...(allowedOperations && { allowedOperations }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...expiryOf(values),
    ...(projectId && { projectId }),
    ...(endUser !== null && { endUser }),
    privacyTier,
  };
}
