"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { deliveryList } from "#app/(console)/webhooks/queries.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { countedBy, Many } from "#components/table/many.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Delivery } from "#server/webhooks/schema.ts";

const columns: Column<Delivery>[] = [
  {
    header: "Event",
    cell: ({ event }) => <span className="font-mono">{event}</span>,
    csv: ({ event }) => event,
  },
  {
    header: "Status",
    plain: true,
    cell: ({ status }) => <Status value={status} />,
    csv: ({ status }) => status,
    width: "8rem",
  },
  {
    header: "Response",
    plain: true,
    cell: ({ attempts }) => attempts.at(-1)?.status ?? "–",
    csv: ({ attempts }) => attempts.at(-1)?.status,
    align: "end",
    width: "5.5rem",
    minor: true,
  },
  {
    header: "Attempts",
    cell: ({ attempts }) => attempts.length,
    csv: ({ attempts }) => attempts.length,
    align: "end",
    width: "6rem",
    minor: true,
  },
  {
    header: "Made",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    align: "end",
    width: "7rem",
  },
  idColumn,
];

type DeliveriesProps = { webhookId: string; events: readonly string[]; mayWrite: boolean };

/** Lists a webhook's deliveries, followed as they are sent. */
export function Deliveries({ webhookId, events, mayWrite }: DeliveriesProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(deliveryList);
  const query = trpc.webhookDeliveries.list.queryOptions({ webhookId, ...state.query });
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const queries = useQueryClient();
  const selection = useSelection<Delivery>({
    idOf: ({ id }) => id,
    nameOf: ({ event }) => event,
    fits: ({ status }) => status !== "pending",
  });
  return (
    <Section title="Deliveries">
      <ListTable
        state={state}
        label="Deliveries"
        columns={columns}
        options={{ event: events.map((type) => ({ value: type, label: type })) }}
        list={list}
        failed="The deliveries could not be loaded."
        ask={(query) => client.webhookDeliveries.list.query({ webhookId, ...query })}
        rowsOf={({ deliveries }) => deliveries}
        rowHref={({ id }) => `${routes.webhooks.delivery(webhookId, id)}${state.suffix}`}
        {...(mayWrite && { selection })}
        empty={<NothingSent />}
      >
        <Many
          selection={selection}
          counted={countedBy("delivery", "deliveries")}
          noteOf={({ createdAt }) => <RelativeTime at={createdAt} />}
          actions={[
            {
              verb: "Replay",
              text: "Sends the same event of each once more, as a new delivery.",
              act: ({ id }) => client.webhookDeliveries.replay.mutate({ deliveryId: id }),
            },
          ]}
          refresh={() => queries.invalidateQueries(trpc.webhookDeliveries.pathFilter())}
        />
      </ListTable>
    </Section>
  );
}

function NothingSent() {
  return (
    <EmptyState title="Nothing sent yet">
      The next matching event shows up here, with each attempt and your endpoint’s response.
    </EmptyState>
  );
}
