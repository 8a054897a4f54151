import { and, asc, inArray } from "drizzle-orm";
import { getAddress, isAddress } from "viem";
import { z } from "zod";
import { contacts } from "#db/schema/contacts.ts";
import { wallets } from "#db/schema/wallets.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import { knownContractsOf } from "../decode/known-contracts.ts";
import { AddressName } from "./schema.ts";

const MAX_ADDRESSES = 100;

export const listAddressNames = operation({
  id: "wallets.addressNames.list",
  method: "GET",
  path: "/address-names",
  surfaces: ["console"],
  summary: "List names of addresses",
  description: `Names up to ${MAX_ADDRESSES} addresses: by the account's wallets, otherwise by its address book, otherwise by the contracts that this installation knows. Addresses without a name are left out.`,
  scope: "wallets:read",
  service: "managed-wallets",
  query: z.object({
    addresses: z.string().max(5000).default("").describe("The addresses, separated by commas."),
  }),
  output: z.object({ names: z.array(AddressName) }),

  async handler({ query, caller, db }) {
    const asked = query.addresses.split(",", MAX_ADDRESSES);
    const addresses = asked.flatMap((text) => (isAddress(text, { strict: false }) ? getAddress(text) : []));
    if (addresses.length === 0) return { names: [] };
    const own = await db
      .select({ address: wallets.address, id: wallets.id, name: wallets.label })
      .from(wallets)
      .where(and(visible(wallets, caller), inArray(wallets.address, addresses)));
    // If several projects have a name for an address, the first one is used.
    const booked = await db
      .select({ address: contacts.address, id: contacts.id, name: contacts.name })
      .from(contacts)
      .where(and(visible(contacts, caller), inArray(contacts.address, addresses)))
      .orderBy(asc(contacts.id));
    const named: AddressName[] = [
      ...own.map((row) => ({ ...row, kind: "wallet" as const })),
      ...booked.map((row) => ({ ...row, kind: "contact" as const })),
      ...knownContracts(),
    ];
    return { names: addresses.flatMap((address) => named.find((each) => each.address === address) ?? []) };
  },
});

/** Returns the contracts that this installation knows on any chain. */
function knownContracts(): AddressName[] {
  return platform().chains.all.flatMap((chain) =>
    knownContractsOf(chain).map(({ address, name }) => ({ address, kind: "contract", id: null, name })),
  );
}
