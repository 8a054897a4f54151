"use client";

import { useMutation } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import { QueryResult } from "#app/(console)/database/query-result.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Textarea } from "#components/ui/input.tsx";
import { Section } from "#components/ui/section.tsx";

const PAGE = 100;
const FIRST = "select table_name, table_type from information_schema.tables where table_schema = 'public'";

/** Reads from the database. Changes go through actions, which are applied together or not at all. */
export function SqlEditor() {
  const [sql, setSql] = useState(FIRST);
  const query = useMutation(useTRPC().databases.query.mutationOptions());
  const run = (cursor?: string) => query.mutate({ sql, maxRows: PAGE, ...(cursor && { cursor }) });

  function runByKey(event: KeyboardEvent) {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    run();
  }

  return (
    <Section title="Query" description="One statement that only reads. Ctrl or ⌘ with Enter runs it.">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <Textarea
          aria-label="SQL"
          className="font-mono text-13"
          rows={5}
          spellCheck={false}
          value={sql}
          onChange={(event) => setSql(event.target.value)}
          onKeyDown={runByKey}
        />
        <div>
          <Button type="submit" variant="primary" pending={query.isPending}>
            Run query
          </Button>
        </div>
      </form>
      <ErrorNotice what="The query was not answered." error={query.error} />
      {query.data && <QueryResult result={query.data} onNext={run} />}
    </Section>
  );
}
