"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useNotifying } from "#app/(console)/_shell/notifying.ts";
import { historyColumns, waitingColumns } from "#app/(console)/approvals/columns.tsx";
import { approvalList } from "#app/(console)/approvals/queries.ts";
import { type Approval, barredFrom } from "#app/(console)/approvals/words.ts";
import { useAddressNames } from "#components/address-names.tsx";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Switch } from "#components/ui/checkbox.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { toast } from "#components/ui/toast.tsx";

const NotifyByMail = lazy(() =>
  import("#app/(console)/approvals/notify-by-mail.tsx").then(({ NotifyByMail }) => ({
    default: NotifyByMail,
  })),
);

// Loaded with the first selected approval.
const DecideManyBar = lazy(() =>
  import("#app/(console)/approvals/decide-many-bar.tsx").then(({ DecideManyBar }) => ({
    default: DecideManyBar,
  })),
);

/** Lists the pending approvals as they arrive, and the history. */
export function ApprovalList({ memberId, mayDecide }: { memberId: string; mayDecide: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(approvalList);
  const query = trpc.approvals.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const waiting = state.query.status === "pending";
  const names = useAddressNames(list.data?.approvals.map(({ summary }) => summary) ?? []);
  const selection = useSelection<Approval>({
    idOf: ({ id }) => id,
    nameOf: ({ summary }) => summary,
    fits: (approval) =>
      !barredFrom(approval, memberId) && approval.decisions.every(({ by }) => by.id !== memberId),
  });

  return (
    <Page>
      <PageHeader
        title="Approvals"
        sentence="Grave actions wait here until somebody has reviewed exactly what would happen."
        action={
          <div className="flex flex-wrap gap-x-5 gap-y-2">
            {mayDecide && (
              <Suspense>
                <NotifyByMail />
              </Suspense>
            )}
            <NotifyInBrowser />
          </div>
        }
      />
      <p role="status" className="sr-only">
        {waiting && list.data?.total && `${list.data.total.count} waiting`}
      </p>
      <ListTable
        state={state}
        label="Approvals"
        columns={waiting ? waitingColumns(names) : historyColumns(names)}
        list={list}
        failed="The approvals could not be loaded."
        ask={client.approvals.list.query}
        rowsOf={({ approvals }) => approvals}
        rowHref={(approval) => `${routes.approvals.read(approval.id)}${state.suffix}`}
        {...(waiting && mayDecide && { selection })}
        empty={<NothingWaits />}
      >
        {waiting && selection.chosen.size > 0 && (
          <Suspense>
            <DecideManyBar selection={selection} />
          </Suspense>
        )}
      </ListTable>
    </Page>
  );
}

/** The setting for this browser's notifications of pending approvals while another tab is in front. */
function NotifyInBrowser() {
  const { on, set } = useNotifying();

  async function change(wanted: boolean) {
    if (wanted && (await globalThis.Notification?.requestPermission()) !== "granted")
      return toast("This browser does not let the console notify you. Allow it in the site's settings.", {
        failed: true,
      });
    set(wanted);
  }

  return (
    <Switch label="Notify in this browser" checked={on} onChange={(event) => change(event.target.checked)} />
  );
}

function NothingWaits() {
  const body = { serviceId: "managed-memory", operationId: "delete", input: { name: "greeting" } };
  const call = { method: "POST", path: "/approvals/service-actions", idempotent: true, body };
  return (
    <EmptyState title="Nothing waits for a decision" curl={curlOf(useOrigin(), call)}>
      A key that wants to do something grave, such as delete a memory for good, asks for it first. It shows up
      here by itself, and you see exactly what would be done before you approve or reject it.
    </EmptyState>
  );
}
