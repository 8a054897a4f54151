import { routes } from "#components/routes.ts";
import { TabLinks } from "#components/ui/tabs.tsx";

const tabs = [
  { href: routes.workflows.list(), label: "Executed" },
  { href: routes.workflows.stored(), label: "Stored", also: routes.workflows.stored() },
];

/** The tabs of the two lists of workflows. */
export function WorkflowTabs() {
  return <TabLinks label="Workflows" tabs={tabs} />;
}
