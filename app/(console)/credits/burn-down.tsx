"use client";

import { useQuery } from "@tanstack/react-query";
import { burnDown, forecastOf } from "#app/(console)/credits/forecast.ts";
import { balanceQuery, spendQueries } from "#app/(console)/credits/queries.ts";
import type { Series } from "#components/chart/series.ts";
import { TimeChart } from "#components/chart/time-chart.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { useIsInProject } from "#components/ui/chosen-project.ts";
import { inDigits } from "#components/ui/digits.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Card, Section } from "#components/ui/section.tsx";
import { shortDay } from "#components/ui/time-words.ts";
import { DAY_MS } from "#server/base/durations.ts";

const series: Series<"left" | "ahead">[] = [
  { key: "left", label: "Left at the day's end", colour: "var(--accent)" },
  { key: "ahead", label: "At this pace", colour: "var(--mark-warn)" },
];
/** Beyond a year, an exact day would suggest a precision that the forecast does not have. */
const FAR_DAYS = 365;

/** Shows how the balance went down, and how long the credits will last. */
export function BurnDown({ mayBuy }: { mayBuy: boolean }) {
  const trpc = useTRPC();
  const balance = useQuery(trpc.credits.balance.read.queryOptions(balanceQuery));
  const usage = useQuery(trpc.usage.read.queryOptions(spendQueries("").perDay));
  const history = balance.data?.balance.history ?? [];
  const available = balance.data?.balance.availableCredits ?? 0;
  // The use of one project does not show how long the credits of the account will last.
  const isInProject = useIsInProject();
  const charged = isInProject ? [] : (usage.data?.usage.groups ?? []);
  const forecast = forecastOf(available, history, charged);
  return (
    <>
      <ErrorNotice what="The charges could not be loaded." error={usage.error} />
      <Section
        title={isInProject ? "The account’s credits" : "How long they last"}
        action={mayBuy && <ButtonLink href={routes.creditsAlert()}>Change alert</ButtonLink>}
        description={
          isInProject
            ? "All projects use them up together."
            : usage.data && history.length > 0
              ? sentenceOf(forecast, history.at(-1)?.day ?? "")
              : " "
        }
      >
        <Card>
          <TimeChart
            question="How many credits were left?"
            unit="credits"
            kind="line"
            points={burnDown(history, forecast)}
            series={isInProject ? series.slice(0, 1) : series}
          />
        </Card>
      </Section>
    </>
  );
}

function sentenceOf({ pace, daysLeft }: { pace: number; daysLeft: number | null }, today: string): string {
  if (daysLeft === null) return "Nothing was charged in the last 7 days.";
  const perDay = `At the pace of the last 7 days, ${pace < 1 ? "less than 1 credit" : `${inDigits(pace)} credits`} a day,`;
  if (daysLeft > FAR_DAYS) return `${perDay} they last for more than a year.`;
  const end = shortDay(new Date(Date.parse(today) + daysLeft * DAY_MS).toISOString());
  return `${perDay} they last for ${daysLeft} ${daysLeft === 1 ? "day" : "days"}, until ${end}.`;
}
