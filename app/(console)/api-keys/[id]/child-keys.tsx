"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { keyColumnsWith } from "#app/(console)/api-keys/key-columns.tsx";
import { childrenQuery } from "#app/(console)/api-keys/queries.ts";
import { isLive, MAX_DEPTH, useKeyActions } from "#app/(console)/api-keys/use-key-actions.tsx";
import { useKeyNumbers } from "#app/(console)/api-keys/use-key-numbers.ts";
import { routes } from "#components/routes.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

/** Lists the key's direct children. */
export function ChildKeys({ apiKey }: { apiKey: ApiKey }) {
  const trpc = useTRPC();
  const query = trpc.apiKeys.children.list.queryOptions(childrenQuery(apiKey.id, useCursor()));
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const columns = keyColumnsWith(useKeyNumbers(list.data?.apiKeys ?? [])).filter(({ optional }) => !optional);
  const actions = useKeyActions();
  const mayHave = isLive(apiKey) && apiKey.depth < MAX_DEPTH;
  return (
    <Section
      title="Keys below it"
      description="Never wider than this key, and gone with it."
      action={
        mayHave && <ButtonLink href={routes.apiKeys.createBelow(apiKey.id)}>New key below it</ButtonLink>
      }
    >
      <ErrorNotice what="The keys could not be loaded." error={list.error} />
      <DataTable
        label="Keys below it"
        columns={columns}
        rows={list.data?.apiKeys}
        rowId={(key) => key.id}
        rowHref={(key) => routes.apiKeys.read(key.id)}
        rowMenu={actions.menuOf}
        empty={
          <EmptyState title="No child keys">
            {apiKey.depth >= MAX_DEPTH
              ? "It is at the eighth level of delegation, which is the last."
              : "A key with api_keys:manage makes narrower ones itself, for instance one for each of your end users."}
          </EmptyState>
        }
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
      {actions.dialog}
    </Section>
  );
}
