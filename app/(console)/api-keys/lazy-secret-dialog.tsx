"use client";

import { type ComponentProps, lazy, Suspense } from "react";

const load = () => import("#app/(console)/api-keys/secret-dialog.tsx");
const SecretDialog = lazy(() => load().then(({ SecretDialog }) => ({ default: SecretDialog })));

/** Loads the dialog before there is a secret to show; called when the form opens. */
export const prepareSecretDialog = () => void load();

/** `SecretDialog`, which is not part of a form's first script. */
export function LazySecretDialog(props: ComponentProps<typeof SecretDialog>) {
  return (
    <Suspense>
      <SecretDialog {...props} />
    </Suspense>
  );
}
