"use client";

import type { KeyboardEvent, ReactNode } from "react";
import type { PlanProps } from "#app/(console)/database/sql/plan.tsx";
import type { QueryResultProps } from "#app/(console)/database/sql/query-result.tsx";
import type { AppliedProps, TrialProps } from "#app/(console)/database/sql/trial.tsx";
import { isOutdated, useStatement } from "#app/(console)/database/sql/use-statement.ts";
import { CodeEditor } from "#components/code/code-editor.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";

// Each loads with the first result that needs it.
const Plan = inBrowser<PlanProps>(() =>
  import("#app/(console)/database/sql/plan.tsx").then(({ Plan }) => Plan),
);
const QueryResult = inBrowser<QueryResultProps>(() =>
  import("#app/(console)/database/sql/query-result.tsx").then(({ QueryResult }) => QueryResult),
);
const Trial = inBrowser<TrialProps>(() =>
  import("#app/(console)/database/sql/trial.tsx").then(({ Trial }) => Trial),
);
const Applied = inBrowser<AppliedProps>(() =>
  import("#app/(console)/database/sql/trial.tsx").then(({ Applied }) => Applied),
);

type Props = {
  sql: string;
  language: { name: "sql"; tables: Record<string, string[]> };
  mayWrite: boolean;
  onChange: (sql: string) => void;
  onRun: (sql: string) => void;
  /** Additional buttons. */
  children: ReactNode;
};

/** An open query with its result. */
export function QueryPane({ sql, language, mayWrite, onChange, onRun, children }: Props) {
  const statement = useStatement({ sql, mayWrite });
  const { query, following, plan, trial, change, tried, asked } = statement;
  const outdated = isOutdated(change.error);
  const answered = query.data ?? plan.data ?? trial.data ?? change.data;

  function run() {
    statement.run();
    if (sql.trim() !== "") onRun(sql);
  }

  /** Applying has another key than trying, so that pressing the same key twice applies nothing. */
  function keyed(event: KeyboardEvent) {
    const applies = event.key === "Enter" && event.shiftKey && (event.ctrlKey || event.metaKey);
    if (!applies) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat && tried) statement.apply();
  }

  return (
    <div className="flex min-w-0 flex-col gap-3 lg:min-h-[calc(100dvh-24.5rem)]" onKeyDownCapture={keyed}>
      <CodeEditor
        label="SQL"
        value={sql}
        language={language}
        onChange={onChange}
        onRun={run}
        className={cn("flex-auto", answered ? "max-h-[50dvh]" : "max-h-[max(24rem,calc(100dvh-27.5rem))]")}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" pending={query.isPending || trial.isPending} onClick={run}>
          Run query
        </Button>
        <Button pending={plan.isPending} onClick={() => statement.explain(false)}>
          Explain
        </Button>
        <Button pending={plan.isPending} onClick={() => statement.explain(true)}>
          Run and time
        </Button>
        {children}
      </div>
      <ErrorNotice what="The query was not answered." error={trial.isIdle ? query.error : null} />
      <ErrorNotice what="The next rows could not be read." error={following.error} />
      <ErrorNotice what="The statement was not explained." error={plan.error} />
      <ErrorNotice what="The statement fails, and would change nothing." error={trial.error} />
      <ErrorNotice
        what={
          outdated
            ? "Rows were changed since the trial: it would be another number of them now."
            : "Nothing was changed."
        }
        error={change.error}
        action={outdated && <Button onClick={run}>Try it again</Button>}
      />
      {tried && !outdated && (
        <Trial
          result={tried}
          pending={change.isPending}
          onApply={statement.apply}
          onDiscard={statement.reset}
        />
      )}
      {change.data?.results[0] && <Applied result={change.data.results[0]} />}
      {query.data && (
        <QueryResult
          sql={asked}
          first={query.data}
          page={following.data ?? query.data}
          before={statement.before}
          pending={following.isPending}
          onNext={statement.next}
        />
      )}
      <Plan answer={plan.data?.rows} />
    </div>
  );
}
