"use client";

import { routes } from "#components/routes.ts";
import { TabLinks } from "#components/ui/tabs.tsx";

const tabs = [
  { href: routes.wallets.list(), label: "Wallets" },
  { href: routes.contacts.list(), label: "Address book", also: routes.contacts.list() },
];

/** The wallets, and the names of the addresses that they send to. */
export function WalletTabs() {
  return <TabLinks label="Wallets" tabs={tabs} />;
}
