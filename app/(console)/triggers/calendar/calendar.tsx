"use client";

import { useQuery } from "@tanstack/react-query";
import { type CalendarDay, daysOf } from "#app/(console)/triggers/calendar/days.ts";
import { TriggerTabs } from "#app/(console)/triggers/trigger-tabs.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { useHydrated } from "#components/ui/hydrated.ts";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

/** Shows the runs that the account's triggers start in the next seven days, by day in the viewer's time zone. */
export function Calendar() {
  const trpc = useTRPC();
  const zone = useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
  const { data, error } = useQuery(trpc.triggers.calendar.read.queryOptions({}));
  const days = data ? daysOf(data, zone) : [];

  return (
    <Page>
      <PageHeader
        title="Triggers"
        sentence={`The runs that start in the next seven days, in the time of ${zone}.`}
      />
      <TriggerTabs />
      <ErrorNotice what="The calendar could not be loaded." error={error} />
      <ol
        aria-label="Calendar"
        className="grid min-w-0 grid-cols-1 gap-px overflow-hidden rounded-md border border-line bg-line sm:grid-cols-2 lg:grid-cols-4"
      >
        {days.map((day) => (
          <Day key={day.date} day={day} zone={zone} />
        ))}
      </ol>
      {data?.more && (
        <p className="text-13 text-muted">More triggers than are shown here start runs in these days.</p>
      )}
    </Page>
  );
}

function Day({ day: { date, entries }, zone }: { day: CalendarDay; zone: string }) {
  const named = new Intl.DateTimeFormat("en", {
    weekday: "short",
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  const clock = new Intl.DateTimeFormat("en", {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: zone,
  });
  return (
    <li className="flex min-w-0 flex-col sm:min-h-32 gap-2 bg-canvas p-3 text-13">
      <h2 className="font-medium">{named.format(new Date(date))}</h2>
      {entries.length === 0 && <p className="text-muted">Nothing</p>}
      <ul className="flex min-w-0 flex-col gap-1">
        {entries.map(({ id, name, first, times, more }) => (
          <li key={id} className="flex min-w-0 gap-2">
            <time dateTime={first} className="shrink-0 font-mono tabular-nums">
              {clock.format(new Date(first))}
            </time>
            <TextLink href={routes.triggers.read(id)}>
              <span className="break-all">{name}</span>
            </TextLink>
            {(times > 1 || more) && (
              <span className="shrink-0 text-muted">
                × {times}
                {more && "+"}
              </span>
            )}
          </li>
        ))}
      </ul>
    </li>
  );
}
