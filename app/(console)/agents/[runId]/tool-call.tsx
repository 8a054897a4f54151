"use client";

import { useQuery } from "@tanstack/react-query";
import type { ToolStep } from "#app/(console)/agents/[runId]/tool-steps.ts";
import { hasEnded, type ShownRun } from "#app/(console)/agents/queries.ts";
import { useTRPC } from "#components/trpc.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Details } from "#components/ui/details.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { Badge, Status } from "#components/ui/status.tsx";
import type { ToolUse } from "#server/agents/schema.ts";

type Call = {
  run: ShownRun;
  tool: ToolStep;
  /** Its outcome; undefined in a run without a result. */
  use: ToolUse | undefined;
};

/** Shows a tool call and its outcome; its arguments and its result are loaded when a person opens them. */
export function ToolCall({ run, tool, use }: Call) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="flex min-w-0 flex-wrap items-center gap-2">
        <code className="min-w-0 break-all font-mono text-13">{use?.operation ?? tool.tool}</code>
        {use && <Outcome use={use} />}
      </p>
      <Details
        summary={
          <>
            Arguments and result<span className="sr-only"> of {use?.operation ?? tool.tool}</span>
          </>
        }
      >
        <Exchange run={run} tool={tool} use={use} />
      </Details>
    </div>
  );
}

function Outcome({ use: { outcome, errorCode, chargedCredits } }: { use: ToolUse }) {
  return (
    <>
      <Status
        value={outcome}
        tone={outcome === "succeeded" ? "ok" : outcome === "rejected" ? "bad" : "warn"}
      />
      {errorCode && <span className="font-mono text-13 text-muted">{errorCode}</span>}
      {chargedCredits > 0 && (
        <Badge>{chargedCredits === 1 ? "1 credit" : `${inDigits(chargedCredits)} credits`}</Badge>
      )}
    </>
  );
}

/** Why a call was not made; the run does not note it. */
const refusals: Record<string, string> = {
  not_found: "The call was not made: the agent has no tool of this name.",
  invalid_json: "The call was not made: its arguments are no JSON object.",
  invalid_request: "The call was not made: the model asked for too many calls at once.",
  insufficient_credits: "The call was not made: the run has too few credits left for it.",
};

function Exchange({ run, tool, use }: Call) {
  const asked = useStep(run, tool.model);
  const answered = useStep(run, tool.name);
  const failed = useStep(run, `${tool.name}, refused`);
  const error = asked.error ?? answered.error ?? failed.error;
  if (error) return <ErrorNotice what="The call could not be loaded." error={error} />;
  if (asked.isLoading || answered.isLoading || failed.isLoading) return <Skeleton className="mt-2 h-16" />;
  // Only a privacy tier leaves a finished step without what it answered.
  if (asked.step && asked.step.output === null)
    return (
      <div className="flex flex-col gap-2 pt-2 text-muted">
        <p>The privacy tier of the run keeps neither arguments nor results once the run has ended.</p>
        {tool.failure && <p className="break-words">{tool.failure}</p>}
      </div>
    );
  const call = (asked.step?.output as { toolCalls: { input: unknown }[] } | undefined)?.toolCalls[tool.place];
  // A call that failed has answered the model with its error.
  const answer = failed.step?.output as { result: unknown } | null | undefined;
  const result = answered.step ? answered.step.output : answer?.result;
  const ended = (use?.outcome === "refused" && refusals[use.errorCode ?? ""]) || "The call was not made.";
  return (
    <div className="flex flex-col gap-2 pt-2">
      <CodeBlock label={`Arguments of call ${tool.nth}`} code={textOf(call?.input)} />
      {result !== undefined ? (
        <CodeBlock label={`Result of call ${tool.nth}`} code={textOf(result)} />
      ) : (
        <p className="break-words text-muted">
          {tool.failure ?? (hasEnded(run) ? ended : "There is no result yet.")}
        </p>
      )}
    </div>
  );
}

/** Returns what a step of the run has answered; undefined while it is not done. */
function useStep(run: ShownRun, name: string) {
  const trpc = useTRPC();
  const { data, error, isLoading } = useQuery({
    ...trpc.runs.steps.read.queryOptions({ runId: run.id, name }),
    staleTime: hasEnded(run) ? Number.POSITIVE_INFINITY : 0,
    meta: { still: hasEnded(run) },
  });
  return { step: data?.step ?? undefined, error, isLoading };
}

const textOf = (value: unknown) =>
  typeof value === "string" ? value : JSON.stringify(value ?? null, null, 2);
