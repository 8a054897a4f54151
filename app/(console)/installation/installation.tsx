"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Count } from "#components/ui/amount.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Facts, Section } from "#components/ui/section.tsx";
import { sizeText } from "#components/ui/size.tsx";
import { Status } from "#components/ui/status.tsx";
import { ExactTime } from "#components/ui/time.tsx";
import type { Installation as State } from "#server/health/schema.ts";

const REFRESH_MS = 10_000;

interface Component {
  name: string;
  ok: boolean;
  detail: string;
}

const componentColumns: Column<Component>[] = [
  { header: "Component", cell: ({ name }) => name, width: "16rem" },
  {
    header: "Status",
    plain: true,
    cell: ({ ok }) => <Status value={ok ? "available" : "unavailable"} />,
    width: "8rem",
  },
  { header: "Detail", cell: ({ detail }) => detail },
];

type Reading = State["readings"][number];

const readingColumns: Column<Reading>[] = [
  { header: "Reading", cell: ({ help }) => <span title={help}>{help}</span> },
  { header: "Of", cell: ({ labels }) => Object.values(labels).join(", ") || "—", width: "16rem" },
  { header: "Value", cell: valueInWords, align: "end", width: "8rem" },
];

const processColumns: Column<NonNullable<State["processes"]>[number]>[] = [
  { header: "Process", cell: ({ role }) => role ?? "Of an earlier release", width: "12rem" },
  {
    header: "Version",
    cell: ({ version, commit }) => [version ?? "—", commit].filter(Boolean).join(" · "),
    width: "12rem",
  },
  { header: "Host", cell: ({ host, pid }) => (host === null ? "—" : `${host}, process ${pid}`) },
  {
    header: "Connected since",
    cell: ({ connectedSince }) => <ExactTime at={connectedSince} />,
    align: "end",
    width: "13rem",
  },
];

const accountColumns: Column<NonNullable<State["busiest"]>[number]>[] = [
  { header: "Account", cell: ({ name }) => name },
  { header: "Id", cell: ({ accountId }) => <Copyable value={accountId} />, width: "12rem", minor: true },
  { header: "Requests", cell: ({ requests }) => <Count value={requests} />, align: "end", width: "8rem" },
  { header: "Errors", cell: ({ errors }) => <Count value={errors} />, align: "end", width: "8rem" },
  {
    header: "Credits charged",
    cell: ({ chargedCredits }) => <Count value={chargedCredits} />,
    align: "end",
    width: "9rem",
  },
];

const statementColumns: Column<State["statements"][number]>[] = [
  { header: "Statement", cell: ({ statement }) => <code title={statement}>{statement}</code> },
  { header: "Waits for", cell: ({ wait }) => wait ?? "—", width: "14rem" },
  { header: "Since", cell: ({ seconds }) => inSeconds(seconds), align: "end", width: "8rem" },
];

const costColumns: Column<NonNullable<State["costliest"]>[number]>[] = [
  { header: "Statement", cell: ({ statement }) => <code title={statement}>{statement}</code> },
  { header: "Calls", cell: ({ calls }) => <Count value={calls} />, align: "end", width: "8rem" },
  { header: "Mean", cell: ({ meanMs }) => `${inDigits(roundTo(2, meanMs))} ms`, align: "end", width: "8rem" },
  { header: "Total", cell: ({ totalSeconds }) => inSeconds(totalSeconds), align: "end", width: "8rem" },
  {
    header: "Share",
    cell: ({ share }) => `${inDigits(roundTo(1, share * 100))} %`,
    align: "end",
    width: "6rem",
  },
];

const roundTo = (digits: number, value: number) => Number(value.toFixed(digits));
const inSeconds = (seconds: number) => `${inDigits(roundTo(1, seconds))} s`;

/** Formats a reading's value with the unit at the end of its name. */
function valueInWords({ name, value }: Reading): string {
  if (name.endsWith("_seconds")) return inSeconds(value);
  return name.endsWith("_bytes") ? sizeText(value) : inDigits(value);
}

function componentsOf({ checks, chains }: State["health"]): Component[] {
  return [
    ...checks.map(({ name, ok, durationMs, message }) => ({
      name,
      ok,
      detail: message ?? `Answered within ${inDigits(durationMs ?? 0)} ms.`,
    })),
    ...chains.map(({ name, ok, blockNumber }) => ({
      name,
      ok,
      detail: blockNumber === null ? "Its node does not answer." : `Block ${inDigits(blockNumber)}.`,
    })),
  ];
}

/** Shows operators the state of the whole installation, at most ten seconds old. */
export function Installation() {
  const trpc = useTRPC();
  const options = trpc.installation.read.queryOptions({}, { refetchInterval: REFRESH_MS });
  const { data, error } = useSuspenseQuery(options);
  const { health, readings, failedReadings, processes, busiest, statements, costliest } = data;
  return (
    <Page>
      <PageHeader
        title="Installation"
        sentence="The state of every process and database, and the work of all accounts. Only operators see it."
      />
      <ErrorNotice what="The state could not be refreshed." error={error} />
      <Facts
        items={[
          { name: "Status", value: <Status value={health.status} /> },
          { name: "Version", value: health.version },
          { name: "Commit", value: health.commit ? <Copyable value={health.commit} /> : "Unknown" },
          { name: "Schema", value: health.schema ?? "Unknown" },
          { name: "Read", value: <ExactTime at={data.asOf} /> },
        ]}
      />
      <Section title="Components">
        <DataTable
          label="Components"
          columns={componentColumns}
          rows={componentsOf(health)}
          rowId={({ name }) => name}
          empty={null}
        />
      </Section>
      <Section title="Processes" description="Those that are connected, with the release that each runs.">
        <DataTable
          label="Processes"
          columns={processColumns}
          rows={processes ?? []}
          rowId={({ host, pid, connectedSince }) => `${host} ${pid} ${connectedSince}`}
          empty={<p className="p-4 text-13 text-muted">They could not be read within three seconds.</p>}
        />
      </Section>
      <Section
        title="Busiest accounts"
        description="By requests in this hour and the one before, as far as they are counted."
      >
        {busiest === null ? (
          <p className="text-13 text-muted">They could not be read within three seconds.</p>
        ) : (
          <DataTable
            label="Busiest accounts"
            columns={accountColumns}
            rows={busiest}
            rowId={({ accountId }) => accountId}
            empty={<p className="p-4 text-13 text-muted">No account has called in this time.</p>}
          />
        )}
      </Section>
      <Section title="Long statements" description="Under way in the platform's database for over a second.">
        <DataTable
          label="Long statements"
          columns={statementColumns}
          rows={statements}
          rowId={({ statement, seconds }) => `${seconds} ${statement}`}
          empty={<p className="p-4 text-13 text-muted">None at this moment.</p>}
        />
      </Section>
      <Section
        title="Costly statements"
        description="Those that have kept the platform's database busiest since its statistics began."
      >
        <DataTable
          label="Costly statements"
          columns={costColumns}
          rows={costliest ?? []}
          rowId={({ statement, totalSeconds }) => `${totalSeconds} ${statement}`}
          empty={
            <p className="p-4 text-13 text-muted">
              The database has no statistics. They begin when it loads pg_stat_statements and has its
              extension.
            </p>
          }
        />
      </Section>
      <Section
        title="Queues and lags"
        description={
          failedReadings > 0
            ? `${failedReadings} of them could not be read within three seconds and are left out.`
            : undefined
        }
      >
        <DataTable
          label="Queues and lags"
          columns={readingColumns}
          rows={readings}
          rowId={({ name, labels }) => `${name} ${Object.values(labels).join(" ")}`}
          empty={<p className="p-4 text-13 text-muted">None could be read.</p>}
        />
      </Section>
    </Page>
  );
}
