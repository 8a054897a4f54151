"use client";

import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page } from "#components/ui/page-header.tsx";

export default function ConsoleError({ error, reset }: { error: Error; reset: () => void }) {
  return (
    <Page>
      <ErrorNotice
        what="This page could not be shown."
        error={error}
        action={<Button onClick={reset}>Try again</Button>}
      />
    </Page>
  );
}
