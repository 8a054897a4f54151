import type { Metadata } from "next";
import { Calendar } from "#app/(console)/triggers/calendar/calendar.tsx";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Calendar of triggers" };

export default async function CalendarPage() {
  await prefetch(trpc.triggers.calendar.read.queryOptions({}));
  return (
    <Hydrate>
      <Calendar />
    </Hydrate>
  );
}
