import { durationText } from "#app/(console)/runs/columns.tsx";
import type { Run } from "#app/(console)/runs/queries.ts";
import { routes } from "#components/routes.ts";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";
import { Badge, Status } from "#components/ui/status.tsx";

type Entry = Run["timeline"][number];

/** Everything that happened in a run, in order, by the time since it was created. One that has ended goes on from any step. */
export function RunTimeline({ run, mayRetry }: { run: Run; mayRetry: boolean }) {
  const { timeline, createdAt } = run;
  const begin = Date.parse(createdAt);
  return (
    <Section title="Timeline">
      <ol aria-label="Timeline" className="flex flex-col divide-y rounded-md border">
        {timeline.map((entry) => (
          <li
            key={entry.seq}
            className="grid grid-cols-[4.5rem_1fr] items-baseline gap-x-3 gap-y-0.5 px-3 py-2 text-13 sm:grid-cols-[4.5rem_8rem_1fr]"
          >
            <time dateTime={entry.at} title={entry.at} className="text-12 text-muted tabular-nums">
              +{durationText(Date.parse(entry.at) - begin)}
            </time>
            <Kind entry={entry} />
            <div className="min-w-0 max-sm:col-start-2">
              {entry.step && <code className="break-all font-mono">{entry.step}</code>}
              <p className={entry.level === "error" ? "break-words text-bad" : "break-words text-muted"}>
                {entry.message}
                {detailText(entry)}
                {mayRetry && entry.type === "step" && entry.step && (
                  <>
                    {" "}
                    <TextLink href={routes.runs.retry(run.id, entry.step)}>Retry from here</TextLink>
                  </>
                )}
                {typeof entry.data?.approvalId === "string" && (
                  <>
                    {" "}
                    <TextLink href={routes.approvals.read(entry.data.approvalId)}>Open the approval</TextLink>
                  </>
                )}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Kind({ entry: { type, level, data } }: { entry: Entry }) {
  const status = data?.status;
  if ((type === "state" || type === "step") && typeof status === "string")
    return (
      <span>
        <Status value={status} />
      </span>
    );
  const tone = level === "error" ? "bad" : level === "warn" || type === "retry" ? "warn" : "neutral";
  return (
    <span>
      <Badge tone={tone}>{`${type.charAt(0).toUpperCase()}${type.slice(1)}`}</Badge>
    </span>
  );
}

/** What a step's or a retry's entry tells beside its words. */
function detailText({ type, data }: Entry): string {
  if ((type !== "step" && type !== "retry") || !data) return "";
  const { durationMs, chargedCredits, seconds, retryAfterSeconds, delayMs, code } = data;
  const delay = typeof delayMs === "number" ? delayMs / 1000 : retryAfterSeconds;
  const wait = typeof seconds === "number" ? seconds : delay;
  const details = [
    typeof durationMs === "number" && durationMs > 0 ? durationText(durationMs) : null,
    typeof chargedCredits === "number" && chargedCredits > 0
      ? `${chargedCredits} ${chargedCredits === 1 ? "credit" : "credits"}`
      : null,
    typeof wait === "number" ? durationText(wait * 1000) : null,
    typeof code === "string" ? code : null,
  ].filter((text) => text !== null);
  return details.length > 0 ? ` (${details.join(", ")})` : "";
}
