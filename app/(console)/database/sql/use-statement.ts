"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "#components/trpc.tsx";
import { readProblem } from "#components/ui/problem.ts";

const PAGE = 100;
/** PostgreSQL's code for a write refused in a read-only transaction. */
const READ_ONLY = "25006";
/** Matches statements that are certainly writes, which are tried at once; for others PostgreSQL decides. */
const CHANGES =
  /^\s*(insert|update|delete|merge|create|alter|drop|truncate|grant|revoke|comment|refresh|reindex|cluster|call|do)\b/i;

function isRefusedAsChange(error: unknown): boolean {
  const thrown = error as { data?: { error?: { sqlState?: string } } };
  return thrown.data?.error?.sqlState === READ_ONLY;
}

/** True if a change was refused because its rows have changed since the trial. */
export const isOutdated = (error: unknown): boolean =>
  error !== null && readProblem(error).issues.some(({ path }) => path.endsWith(".expectedRows"));

/** Runs a statement that reads, tries one that writes, and applies a tried one. */
export function useStatement({ sql, mayWrite }: { sql: string; mayWrite: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  /** The statement whose result is shown. */
  const [asked, setAsked] = useState("");
  const query = useMutation(trpc.databases.query.mutationOptions());
  const following = useMutation(trpc.databases.query.mutationOptions());
  /** The number of rows before the shown page. */
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
    /** The trial's result, unless the statement has been edited since. */
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
