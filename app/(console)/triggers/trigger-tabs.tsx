import { routes } from "#components/routes.ts";
import { TabLinks } from "#components/ui/tabs.tsx";

const tabs = [
  { href: routes.triggers.list(), label: "All" },
  { href: routes.triggers.calendar(), label: "Calendar" },
];

/** The tabs of the list of triggers and the calendar. */
export function TriggerTabs() {
  return <TabLinks label="Triggers" tabs={tabs} />;
}
