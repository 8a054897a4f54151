"use client";

import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { KeyFields } from "#app/(console)/api-keys/(list)/new/key-fields.tsx";
import { bodyOf, emptyKey } from "#app/(console)/api-keys/(list)/new/key-values.ts";
import { scopesOf } from "#app/(console)/api-keys/(list)/new/templates.ts";
import { LazySecretDialog, prepareSecretDialog } from "#app/(console)/api-keys/lazy-secret-dialog.tsx";
import { useMakeKey } from "#app/(console)/api-keys/use-make-key.ts";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import { useRouter } from "#components/ui/use-router.ts";

/** The API's own schema, but the console does not create keys without any scope. */
const usefulKey = () =>
  import("#server/keys/schema.ts").then(({ CreateApiKey }) =>
    CreateApiKey.extend({
      scopes: CreateApiKey.shape.scopes.min(1, "Choose at least one scope, or a usual role above."),
    }),
  );

/** The form of a root key, or of a child of `parentId`; then it shows the secret. */
export function NewKey({
  parentId = null,
  projectId: wanted,
  over,
  next,
  startWith,
}: {
  /** The parent key; null for a root key. */
  parentId?: string | null;
  projectId?: string;
  /** The address of the page that the side modal lies over. */
  over: string;
  /** The address to continue at; by default the key's own page. */
  next?: string;
  /** The initial label, which is also the name of the template of scopes. */
  startWith?: string;
}) {
  const chosen = useChosenProject();
  const projectId = wanted ?? chosen ?? "";
  const trpc = useTRPC();
  const router = useRouter();
  const { access } = useSuspenseQuery(
    trpc.apiKeys.access.read.queryOptions({ ...(parentId && { keyId: parentId }) }),
  ).data;
  const above = trpc.apiKeys.read.queryOptions({ id: parentId ?? "" });
  const parent = useQuery({ ...above, enabled: parentId !== null }).data?.apiKey;
  const make = useMakeKey(parentId);
  const form = useForm({
    schema: usefulKey,
    initial: {
      ...emptyKey,
      projectId,
      ...(startWith !== undefined && { label: startWith, scopes: scopesOf(startWith, access.scopes) }),
    },
    toInput: bodyOf,
  });
  useEffect(prepareSecretDialog, []);
  if (make.made) {
    const { id } = make.made.apiKey;
    return <LazySecretDialog made={make.made} onDone={() => router.push(next ?? routes.apiKeys.read(id))} />;
  }
  return (
    <SideModalForm
      title={parent ? `New key below “${parent.label}”` : "New key"}
      parent={over}
      submitLabel="Create key"
      wide
      form={form}
      pending={make.isPending}
      error={make.error}
      failed="The key was not created."
      onSubmit={make.mutate}
    >
      <KeyFields form={form} access={access} parent={parent} />
    </SideModalForm>
  );
}
