"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { emptyKey, expiryOf, type KeyValues } from "#app/(console)/api-keys/(list)/new/key-values.ts";
import { LifetimeField } from "#app/(console)/api-keys/(list)/new/lifetime-field.tsx";
import { RevokeOld } from "#app/(console)/api-keys/[id]/(detail)/rotate/revoke-old.tsx";
import { LazySecretDialog, prepareSecretDialog } from "#app/(console)/api-keys/lazy-secret-dialog.tsx";
import { countOf } from "#app/(console)/api-keys/queries.ts";
import { useMakeKey } from "#app/(console)/api-keys/use-make-key.ts";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useRouter } from "#components/ui/use-router.ts";
import type { ApiKey } from "#server/keys/schema.ts";

/** Rotates a key in three steps: creates a replacement with the same policy, shows its secret, revokes the old key. */
export function RotateKey({ id }: { id: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { apiKey: old, ancestors, branch } = useSuspenseQuery(trpc.apiKeys.read.queryOptions({ id })).data;
  const { access } = useSuspenseQuery(trpc.apiKeys.access.read.queryOptions({ keyId: id })).data;
  const [stored, setStored] = useState(false);
  const make = useMakeKey(old.parentId);
  const form = useForm({
    schema: () => import("#server/keys/schema.ts").then(({ CreateApiKey }) => CreateApiKey),
    initial: { label: old.label, lifetime: emptyKey.lifetime, expiresAt: emptyKey.expiresAt },
    toInput: (values) => replacementOf(old, values),
  });
  useEffect(prepareSecretDialog, []);
  if (make.made) {
    const { id } = make.made.apiKey;
    const goToNew = () => router.push(routes.apiKeys.read(id));
    return stored ? (
      <RevokeOld old={old} onDone={goToNew} />
    ) : (
      <LazySecretDialog
        made={make.made}
        next={<p>The old key works until you revoke it, the next step.</p>}
        onDone={() => setStored(true)}
      />
    );
  }
  return (
    <SideModalForm
      title={`Rotate “${old.label}”`}
      description="Makes a key with the same policy. The old one works until you revoke it."
      parent={routes.apiKeys.read(id)}
      submitLabel="Rotate"
      form={form}
      pending={make.isPending}
      error={make.error}
      failed="No replacement was made; the key works on as it did."
      onSubmit={make.mutate}
    >
      {branch.live > 0 && (
        <p className="rounded-md border border-warn/40 bg-warn-soft p-3 text-13">
          {countOf(branch.live)} below it will not move to the replacement: they end when the old key is
          revoked.
        </p>
      )}
      <TextField label="Label" autoComplete="off" {...form.field("label")} />
      <LifetimeField form={form} scopes={old.scopes} all={access.scopes} expiry={earliestOf(ancestors)} />
    </SideModalForm>
  );
}

function earliestOf(ancestors: readonly { id: string; expiresAt: string }[]) {
  const [first] = ancestors.toSorted((a, b) => a.expiresAt.localeCompare(b.expiresAt));
  return first ? { at: first.expiresAt, keyId: first.id } : null;
}

/** Returns the body that creates a key with the old key's policy; null, which means no boundary, is left out. */
function replacementOf(old: ApiKey, values: Pick<KeyValues, "label" | "lifetime" | "expiresAt">) {
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
