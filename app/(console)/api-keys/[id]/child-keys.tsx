"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { keyColumnsWith } from "#app/(console)/api-keys/key-columns.tsx";
import { childList } from "#app/(console)/api-keys/queries.ts";
import { RevokeMany } from "#app/(console)/api-keys/revoke-many.tsx";
import { isLive, useKeyActions } from "#app/(console)/api-keys/use-key-actions.tsx";
import { useKeyNumbers } from "#app/(console)/api-keys/use-key-numbers.ts";
import { routes } from "#components/routes.ts";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Section } from "#components/ui/section.tsx";
import { MAX_DEPTH } from "#server/keys/limits.ts";
import type { ApiKey } from "#server/keys/schema.ts";

/** Lists the key's direct children. */
export function ChildKeys({ apiKey }: { apiKey: ApiKey }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(childList);
  const query = trpc.apiKeys.list.queryOptions({ ...state.query, parentId: apiKey.id });
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const columns = keyColumnsWith(useKeyNumbers(list.data?.apiKeys ?? []));
  const selection = useSelection<ApiKey>({
    idOf: ({ id }) => id,
    nameOf: ({ label }) => label,
    fits: isLive,
  });
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
      <ListTable
        state={state}
        label="Keys below it"
        columns={columns}
        list={list}
        failed="The keys could not be loaded."
        ask={(asked) => client.apiKeys.list.query({ ...asked, parentId: apiKey.id })}
        rowsOf={({ apiKeys }) => apiKeys}
        rowHref={(key) => routes.apiKeys.read(key.id)}
        rowMenu={actions.menuOf}
        selection={selection}
        empty={
          <EmptyState title="No child keys">
            {apiKey.depth >= MAX_DEPTH
              ? "It is at the eighth level of delegation, which is the last."
              : "A key with api_keys:manage makes narrower ones itself, for instance one for each of your end users."}
          </EmptyState>
        }
      >
        <RevokeMany selection={selection} />
      </ListTable>
      {actions.dialog}
    </Section>
  );
}
