"use client";

import { keyColumnsWith } from "#app/(console)/api-keys/key-columns.tsx";
import { KeyTable } from "#app/(console)/api-keys/key-table.tsx";
import { KeyTree } from "#app/(console)/api-keys/key-tree.tsx";
import { isNarrowed, keyList } from "#app/(console)/api-keys/queries.ts";
import { RevokeMany } from "#app/(console)/api-keys/revoke-many.tsx";
import { isLive, useKeyActions } from "#app/(console)/api-keys/use-key-actions.tsx";
import { ListBar } from "#components/table/list-bar.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPCClient } from "#components/trpc.tsx";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import type { ApiKey } from "#server/keys/schema.ts";

/** The list bar uses only the columns' headers, so it needs no usage numbers. */
const columns = keyColumnsWith({ limits: new Map(), calls: new Map() });

/**
 * Lists the keys as a tree or, when filtered, sorted or inside a project, as a flat list. It does not use `ListTable`,
 * because the bar must stay mounted while the two are exchanged, so that typing is not interrupted.
 */
export function Keys() {
  const client = useTRPCClient();
  const state = useList(keyList);
  const actions = useKeyActions();
  const selection = useSelection<ApiKey>({
    idOf: ({ id }) => id,
    nameOf: ({ label }) => label,
    fits: isLive,
  });
  const projectId = useChosenProject();
  const ofProject = projectId ? { projectId } : {};
  const query = { ...state.query, ...ofProject };
  const shared = { actions, selection, view: state.view };
  return (
    <>
      <ListBar
        state={state}
        columns={columns}
        page={async (page) => {
          const { apiKeys, nextCursor } = await client.apiKeys.list.query({ ...page, ...ofProject });
          return { rows: apiKeys, nextCursor };
        }}
      />
      <RevokeMany selection={selection} />
      {isNarrowed(query) ? (
        <KeyTable query={query} filters={state.filters} {...shared} />
      ) : (
        <KeyTree {...shared} />
      )}
      {actions.dialog}
    </>
  );
}
