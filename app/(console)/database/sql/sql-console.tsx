"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { History } from "#app/(console)/database/sql/history.tsx";
import { QueryResult } from "#app/(console)/database/sql/query-result.tsx";
import { useHistory } from "#app/(console)/database/sql/use-history.ts";
import { useDatabase } from "#app/(console)/database/use-database.ts";
import { CodeEditor } from "#components/code/code-editor.tsx";
import { useTyped } from "#components/form/typed.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Scrolling } from "#components/ui/scrolling.tsx";
import { Section } from "#components/ui/section.tsx";
import { toast } from "#components/ui/toast.tsx";

const PAGE = 100;
const FIRST = "select table_name, table_type\nfrom information_schema.tables\nwhere table_schema = 'public'";

/** Asks the database something, shows how it would find the answer, or changes it after a preview. */
export function SqlConsole({ mayWrite, owner }: { mayWrite: boolean; owner: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { database } = useDatabase();
  const history = useHistory(owner);
  const [sql, setSql] = useState(FIRST);
  useTyped(sql !== FIRST);
  const query = useMutation(trpc.databases.query.mutationOptions());
  const plan = useMutation(trpc.databases.query.mutationOptions());
  const trial = useMutation(trpc.databases.actions.mutationOptions());
  const change = useMutation(
    trpc.databases.actions.mutationOptions({
      async onSuccess({ results }) {
        trial.reset();
        history.keep(sql);
        toast(changed(results[0]?.rowCount ?? null, "are changed"));
        await queries.invalidateQueries(trpc.databases.account.read.queryFilter());
      },
    }),
  );
  const language = useMemo(
    () => ({
      name: "sql" as const,
      tables: Object.fromEntries(
        (database?.tables ?? []).map(({ name, columns }) => [name, columns.map((column) => column.name)]),
      ),
    }),
    [database],
  );

  function run(cursor?: string) {
    plan.reset();
    trial.reset();
    history.keep(sql);
    query.mutate({ sql, maxRows: PAGE, ...(cursor && { cursor }) });
  }
  const explain = () => {
    query.reset();
    trial.reset();
    plan.mutate({ sql: `explain (format text) ${sql}`, maxRows: 1000 });
  };
  const actions = [{ type: "sql" as const, sql }];
  const tryChange = () => {
    query.reset();
    plan.reset();
    trial.mutate({ actions, dryRun: true });
  };

  return (
    <Section
      title="SQL"
      description="One statement. Ctrl or ⌘ with Enter runs one that reads; a change is previewed first."
    >
      <CodeEditor label="SQL" value={sql} language={language} onChange={setSql} onRun={run} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" pending={query.isPending} onClick={() => run()}>
          Run query
        </Button>
        <Button pending={plan.isPending} onClick={explain}>
          Explain
        </Button>
        {mayWrite && (
          <Button pending={trial.isPending} onClick={tryChange}>
            Make change
          </Button>
        )}
        <History entries={history.entries} onChoose={setSql} onForget={history.forget} />
      </div>
      <ErrorNotice what="The query was not answered." error={query.error} />
      <ErrorNotice what="The statement was not explained." error={plan.error} />
      <ErrorNotice what="Nothing was changed." error={trial.error} />
      {query.data && <QueryResult result={query.data} onNext={run} />}
      {plan.data && <Plan rows={plan.data.rows as unknown[][]} />}
      <ConfirmDialog
        open={trial.data !== undefined}
        onOpenChange={(open) => !open && trial.reset()}
        title="Make this change?"
        action="Make change"
        pending={change.isPending}
        error={change.error}
        onConfirm={() => change.mutate({ actions })}
      >
        {changed(trial.data?.results[0]?.rowCount ?? null, "would be changed")} It was tried and undone; now
        it would stay.
      </ConfirmDialog>
    </Section>
  );
}

function changed(rowCount: number | null, what: string): string {
  if (rowCount === null) return `The structure ${what.replace("are", "is")}.`;
  return `${inDigits(rowCount)} ${rowCount === 1 ? `row ${what.replace("are", "is")}` : `rows ${what}`}.`;
}

/** How PostgreSQL would find the answer, as it says it. */
function Plan({ rows }: { rows: unknown[][] }) {
  return (
    <Scrolling label="Plan" className="rounded-md border bg-sunken p-3">
      <pre className="font-mono text-12">{rows.map(([line]) => String(line)).join("\n")}</pre>
    </Scrolling>
  );
}
