"use client";

import { lazy, Suspense } from "react";
import { KeyTabs } from "#app/(console)/api-keys/key-tabs.tsx";
import { NoKeysForRole } from "#app/(console)/api-keys/no-keys-for-role.tsx";
import { routes } from "#components/routes.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

const Keys = lazy(() => import("#app/(console)/api-keys/keys.tsx").then(({ Keys }) => ({ default: Keys })));

type Props = { mayManage: boolean; mayCreate: boolean; admin: boolean };

/** Lists the account's keys; admins get a tab of the connected apps, too. */
export function KeyList({ mayManage, mayCreate, admin }: Props) {
  return (
    <Page>
      <PageHeader
        title="API keys"
        sentence="Your backend calls with a key, which may do only what its policy allows. Keys below it are narrower, and end with it."
        action={
          mayManage && (
            <>
              <TextLink href={routes.apiKeys.explain()}>Explain access</TextLink>
              {mayCreate && (
                <ButtonLink variant="primary" href={routes.apiKeys.create()}>
                  New key
                </ButtonLink>
              )}
            </>
          )
        }
      />
      {admin && <KeyTabs />}
      {mayManage ? (
        <Suspense>
          <Keys />
        </Suspense>
      ) : (
        <NoKeysForRole />
      )}
    </Page>
  );
}
