import { routes } from "#components/routes.ts";
import { TabLinks } from "#components/ui/tabs.tsx";

const tabs = [
  { href: routes.apiKeys.list(), label: "Keys" },
  { href: routes.apiKeys.apps(), label: "Connected apps" },
];

/** The tabs of the keys and of the apps that act for members. */
export function KeyTabs() {
  return <TabLinks label="API keys" tabs={tabs} />;
}
