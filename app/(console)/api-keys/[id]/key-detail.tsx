"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { ChildKeys } from "#app/(console)/api-keys/[id]/child-keys.tsx";
import { KeyFacts } from "#app/(console)/api-keys/[id]/key-facts.tsx";
import { KeyStatus } from "#app/(console)/api-keys/key-columns.tsx";
import { isLive } from "#app/(console)/api-keys/use-key-actions.tsx";
import { useRevoking } from "#app/(console)/api-keys/use-revoking.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

// The last section of the page, in a chunk of its own.
const Permissions = lazy(() =>
  import("#app/(console)/api-keys/[id]/permissions.tsx").then(({ Permissions }) => ({
    default: Permissions,
  })),
);

export function KeyDetail({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data } = useSuspenseQuery(trpc.apiKeys.read.queryOptions({ id }));
  const { apiKey, ancestors } = data;
  const revoking = useRevoking();
  return (
    <Page>
      <PageHeader
        back={
          <nav aria-label="Keys above" className="flex flex-wrap gap-x-1.5">
            <TextLink href={routes.apiKeys.list()}>API keys</TextLink>
            {ancestors.map((key) => (
              <span key={key.id} className="flex min-w-0 gap-1.5">
                <span aria-hidden className="text-muted">
                  ›
                </span>
                <TextLink href={routes.apiKeys.read(key.id)}>{key.label}</TextLink>
              </span>
            ))}
          </nav>
        }
        title={apiKey.label}
        badge={<KeyStatus apiKey={apiKey} />}
        action={
          <>
            <TextLink href={routes.apiKeys.compare(id)}>Compare</TextLink>
            <TextLink href={routes.apiKeys.explain({ key: id })}>Explain access</TextLink>
            {isLive(apiKey) && (
              <>
                <ButtonLink href={routes.apiKeys.rotate(id)}>Rotate</ButtonLink>
                <Button variant="danger" onClick={() => revoking.ask(apiKey)}>
                  Revoke
                </Button>
              </>
            )}
          </>
        }
      />
      <KeyFacts {...data} />
      <ChildKeys apiKey={apiKey} />
      <Suspense>
        <Permissions id={id} chain={[...ancestors, apiKey]} />
      </Suspense>
      {revoking.dialog}
    </Page>
  );
}
