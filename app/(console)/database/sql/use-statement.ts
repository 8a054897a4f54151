"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "#components/trpc.tsx";
import { readProblem } from "#components/ui/problem.ts";

const PAGE = 100;
/** PostgreSQL refuses what would change something in a transaction that only reads. */
const READ_ONLY = "25006";
/** Statements that only change are tried at once; of all others PostgreSQL says it. */
const CHANGES =
  /^\s*(insert|update|delete|merge|create|alter|drop|truncate|grant|revoke|comment|refresh|reindex|cluster|call|do)\b/i;

function isRefusedAsChange(error: unknown): boolean {
  const thrown = error as { data?: { error?: { sqlState?: string } } };
  return thrown.data?.error?.sqlState === READ_ONLY;
}

/** Whether a change was refused because it is no longer about the rows of its trial. */
export const isOutdated = (error: unknown): boolean =>
  error !== null && readProblem(error).issues.some(({ path }) => path.endsWith(".expectedRows"));

/** Runs a statement that reads, tries one that changes, and applies what was tried. */
export function useStatement({ sql, mayWrite }: { sql: string; mayWrite: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  /** What is shown is of this statement. */
  const [asked, setAsked] = useState("");
  const query = useMutation(trpc.databases.query.mutationOptions());
  const following = useMutation(trpc.databases.query.mutationOptions());
  /** How many rows came before those that are shown. */
  const [before, setBefore] = useState(0);
  const plan = useMutation(trpc.databases.query.mutationOptions());
  const trial = useMutation(trpc.databases.actions.mutationOptions());
  const change = useMutation(trpc.databases.actions.mutationOptions());
  const isPending = query.isPending || trial.isPending || change.isPending;

  function reset() {
    for (const call of [query, following, plan, trial, change]) call.reset();
    setBefore(0);
  }

  function next(cursor: string) {
    const { rowCount } = following.data ?? query.data ?? { rowCount: 0 };
    following.mutate(
      { sql: asked, maxRows: PAGE, cursor },
      { onSuccess: () => setBefore(before + rowCount) },
    );
  }

  function attempt(statement: string) {
    reset();
    setAsked(statement);
    trial.mutate({ actions: [{ type: "sql", sql: statement }], dryRun: true });
  }

  function run() {
    if (isPending || sql.trim() === "") return;
    if (mayWrite && CHANGES.test(sql)) return attempt(sql);
    reset();
    setAsked(sql);
    const onError = (error: unknown) => {
      if (mayWrite && isRefusedAsChange(error)) attempt(sql);
    };
    query.mutate({ sql, maxRows: PAGE }, { onError });
  }

  function apply() {
    const tried = trial.data?.results[0];
    if (isPending || !tried || asked !== sql) return;
    const expectedRows = tried.rowCount ?? undefined;
    const onSuccess = async () => {
      trial.reset();
      await queries.invalidateQueries(trpc.databases.account.read.queryFilter());
      await queries.invalidateQueries({ queryKey: trpc.databases.query.mutationKey() });
    };
    change.mutate({ actions: [{ type: "sql", sql: asked, expectedRows }] }, { onSuccess });
  }

  return {
    query,
    following,
    before,
    plan,
    trial,
    change,
    isPending,
    asked,
    /** Whether a trial is shown that is of the statement as it stands now. */
    tried: asked === sql ? trial.data?.results[0] : undefined,
    run,
    apply,
    reset,
    next,
    explain(timed: boolean) {
      reset();
      setAsked(sql);
      const sentence = timed ? "explain (analyze, format json)" : "explain (format json)";
      plan.mutate({ sql: `${sentence} ${sql}`, maxRows: 1 });
    },
  };
}
