"use client";

import { routes } from "#components/routes.ts";
import { TabLinks } from "#components/ui/tabs.tsx";

const tabs = [
  { href: routes.wallets.list(), label: "Wallets" },
  { href: routes.contacts.list(), label: "Address book", also: routes.contacts.list() },
];

/** The tabs of the wallets and the address book. */
export function WalletTabs() {
  return <TabLinks label="Wallets" tabs={tabs} />;
}
