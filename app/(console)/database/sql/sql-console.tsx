"use client";

import { useMemo, useState } from "react";
import { History } from "#app/(console)/database/sql/history.tsx";
import { QueryPane } from "#app/(console)/database/sql/query-pane.tsx";
import { QueryTabs } from "#app/(console)/database/sql/query-tabs.tsx";
import { SavedQueries } from "#app/(console)/database/sql/saved-queries.tsx";
import { useHistory } from "#app/(console)/database/sql/use-history.ts";
import { FIRST_SQL, useQueryTabs } from "#app/(console)/database/sql/use-query-tabs.ts";
import { useDatabase } from "#app/(console)/database/use-database.ts";
import { Section } from "#components/ui/section.tsx";
import { useTyped } from "#components/ui/typed.ts";

/** Runs queries, and changes after a trial, in several tabs. */
export function SqlConsole({ mayWrite, owner }: { mayWrite: boolean; owner: string }) {
  const { database } = useDatabase();
  const history = useHistory(owner);
  const { tabs, activeId, kept, full, choose, open, close, write } = useQueryTabs(owner);
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const active = tabs.find(({ id }) => id === activeId);
  useTyped(!kept && tabs.some(({ sql }) => sql !== FIRST_SQL));
  const language = useMemo(
    () => ({
      name: "sql" as const,
      tables: Object.fromEntries(
        [...(database?.tables ?? []), ...(database?.views ?? [])].map(({ name, columns }) => [
          name,
          columns.map((column) => column.name),
        ]),
      ),
    }),
    [database],
  );

  function show(id: string) {
    // A query's result stays beside it while other tabs are in front.
    setShown(new Set([...shown, activeId, id]));
    choose(id);
  }

  return (
    <Section
      title="SQL"
      description={
        mayWrite
          ? "One statement at a time. Ctrl or ⌘ with Enter runs one that reads, and tries one that changes: it is rolled back and shows what it would do."
          : "One statement at a time, which reads. Ctrl or ⌘ with Enter runs it."
      }
    >
      <QueryTabs
        tabs={tabs}
        activeId={activeId}
        full={full}
        onChoose={show}
        onClose={close}
        onOpen={() => {
          setShown(new Set([...shown, activeId]));
          open("");
        }}
      />
      {tabs
        .filter(({ id }) => id === activeId || shown.has(id))
        .map(({ id, sql }) => (
          <div key={id} hidden={id !== activeId}>
            <QueryPane
              sql={sql}
              language={language}
              mayWrite={mayWrite}
              onChange={(text) => write(id, text)}
              onRun={history.keep}
            >
              <History
                entries={history.entries}
                onChoose={(text) => write(id, text)}
                onForget={history.forget}
              />
              <SavedQueries owner={owner} sql={sql} onOpen={open} />
            </QueryPane>
          </div>
        ))}
      <p className="text-12 text-muted">
        {kept
          ? "Open queries and the history stay in this browser until you sign out; they are sent nowhere before you run them."
          : "This browser keeps nothing more: the open queries last as long as this page."}
        {active && full && " Close a query to open another."}
      </p>
    </Section>
  );
}
