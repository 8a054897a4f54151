"use client";

import { lazy, Suspense } from "react";
import { KeyTree } from "#app/(console)/api-keys/key-tree.tsx";
import { NoKeysForRole } from "#app/(console)/api-keys/no-keys-for-role.tsx";
import { filterNames, statuses, statusOf } from "#app/(console)/api-keys/queries.ts";
import { useKeyActions } from "#app/(console)/api-keys/use-key-actions.tsx";
import { ConnectedApps } from "#app/(console)/security/connected-apps.tsx";
import { routes } from "#components/routes.ts";
import { FilterBar, FilterSelect } from "#components/table/filter-bar.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

const KeyTable = lazy(() =>
  import("#app/(console)/api-keys/key-table.tsx").then(({ KeyTable }) => ({ default: KeyTable })),
);

/** Every key of the account: a tree, or, narrowed to a status, a plain list. */
export function KeyList({ mayManage, admin }: { mayManage: boolean; admin: boolean }) {
  const filters = useFilters(filterNames);
  const actions = useKeyActions();
  const status = statusOf(filters.values);
  return (
    <Page>
      <PageHeader
        title="API keys"
        sentence="Your backend calls with a key, which may do what its policy says and no more. Keys below it are narrower, and end with it."
        action={
          mayManage && (
            <>
              <TextLink href={routes.apiKeys.explain()}>Explain access</TextLink>
              <ButtonLink variant="primary" href={routes.apiKeys.create()}>
                New key
              </ButtonLink>
            </>
          )
        }
      />
      {mayManage ? (
        <>
          <FilterBar filters={filters}>
            <FilterSelect filters={filters} name="status" label="Status" options={statuses} />
          </FilterBar>
          {status ? (
            <Suspense>
              <KeyTable status={status} actions={actions} filters={filters} />
            </Suspense>
          ) : (
            <KeyTree actions={actions} />
          )}
          {admin && <ConnectedApps whose="all" />}
          {actions.dialog}
        </>
      ) : (
        <NoKeysForRole />
      )}
    </Page>
  );
}
