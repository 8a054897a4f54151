"use client";

import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { startTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page } from "#components/ui/page-header.tsx";
import { useRouter } from "#components/ui/use-router.ts";

export default function ConsoleError({ error, reset }: { error: Error; reset: () => void }) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  /** Reads again what failed in the browser, and on the server. */
  function again() {
    queries.reset();
    startTransition(() => {
      router.refresh();
      reset();
    });
  }
  return (
    <Page>
      <ErrorNotice
        what="This page could not be shown."
        error={error}
        action={<Button onClick={again}>Try again</Button>}
      />
    </Page>
  );
}
