"use client";

import { lazy, Suspense } from "react";
import { KeyTree } from "#app/(console)/api-keys/key-tree.tsx";
import { NoKeysForRole } from "#app/(console)/api-keys/no-keys-for-role.tsx";
import { filterNames, keysQuery, statuses } from "#app/(console)/api-keys/queries.ts";
import { isLive, useKeyActions } from "#app/(console)/api-keys/use-key-actions.tsx";
import { useRevokingMany } from "#app/(console)/api-keys/use-revoking-many.tsx";
import { ConnectedApps } from "#app/(console)/security/connected-apps.tsx";
import { routes } from "#components/routes.ts";
import { FilterBar, FilterSearch, FilterSelect } from "#components/table/filter-bar.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTableView } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import { inBrowser } from "#components/ui/in-browser.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

const KeyTools = inBrowser(() =>
  import("#app/(console)/api-keys/key-tools.tsx").then(({ KeyTools }) => KeyTools),
);
const KeyTable = lazy(() =>
  import("#app/(console)/api-keys/key-table.tsx").then(({ KeyTable }) => ({ default: KeyTable })),
);

type Props = { mayManage: boolean; mayCreate: boolean; admin: boolean };

/** Every key of the account: a tree, or, narrowed to a status or the chosen project, a plain list. */
export function KeyList({ mayManage, mayCreate, admin }: Props) {
  const filters = useFilters(filterNames);
  const view = useTableView("api-keys");
  const actions = useKeyActions();
  const selection = useSelection<ApiKey>({
    idOf: ({ id }) => id,
    nameOf: ({ label }) => label,
    fits: isLive,
  });
  const many = useRevokingMany(selection);
  const values = { ...filters.values, projectId: useChosenProject() ?? "", sort: view.sort };
  return (
    <Page>
      <PageHeader
        title="API keys"
        sentence="Your backend calls with a key, which may do what its policy says and no more. Keys below it are narrower, and end with it."
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
      {mayManage ? (
        <>
          <FilterBar filters={filters}>
            <FilterSearch filters={filters} name="search" label="Search" />
            <FilterSelect filters={filters} name="status" label="Status" options={statuses} />
            <div className="ml-auto flex h-8 items-center gap-1">
              <KeyTools filters={values} view={view} />
            </div>
          </FilterBar>
          {many.bar}
          {keysQuery(values) ? (
            <Suspense>
              <KeyTable
                actions={actions}
                values={values}
                filters={filters}
                selection={selection}
                view={view}
              />
            </Suspense>
          ) : (
            <KeyTree actions={actions} selection={selection} view={view} />
          )}
          {admin && <ConnectedApps whose="all" />}
          {actions.dialog}
          {many.dialog}
        </>
      ) : (
        <NoKeysForRole />
      )}
    </Page>
  );
}
