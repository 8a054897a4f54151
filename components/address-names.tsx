"use client";

import { useQuery } from "@tanstack/react-query";
import { Fragment, useMemo } from "react";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Copyable, shorten } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { ShortText } from "#components/ui/short-text.tsx";
import type { AddressName } from "#server/wallets/contacts/schema.ts";

const ADDRESS = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g;
const MAX_ADDRESSES = 100;

export type AddressNames = ReadonlyMap<string, AddressName>;

/** Returns the addresses in the texts, without duplicates. */
const addressesIn = (texts: readonly string[]) => [
  ...new Set(texts.flatMap((text) => text.match(ADDRESS) ?? [])),
];

/** Returns the names of the addresses in these texts: own wallets, address book entries and known contracts. */
export function useAddressNames(texts: readonly string[]): AddressNames {
  const trpc = useTRPC();
  const addresses = addressesIn(texts).sort().slice(0, MAX_ADDRESSES).join(",");
  const { data } = useQuery({
    ...trpc.wallets.addressNames.list.queryOptions({ addresses }),
    enabled: addresses !== "",
    staleTime: 60_000,
    placeholderData: (before) => before,
  });
  return useMemo(() => new Map(data?.names.map((name) => [name.address, name])), [data]);
}

/** Shows a text with its addresses shortened and preceded by their names: `Sent 5 USD to Payroll (0x7099…9dC79C8)`. */
export function NamedText({ text, names }: { text: string; names: AddressNames }) {
  const parts = text.split(ADDRESS);
  const addresses = text.match(ADDRESS) ?? [];
  return parts.map((part, nth) => {
    const address = addresses[nth];
    const name = address && names.get(address)?.name;
    const short = address && <ShortText short={shorten(address)} full={address} />;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text are known by their places alone.
      <Fragment key={nth}>
        {part}
        {name ? (
          <>
            <bdi>{plainName(name)}</bdi> ({short})
          </>
        ) : (
          short
        )}
      </Fragment>
    );
  });
}

/** Shows an address preceded by its name, which links to the wallet or contact. */
export function NamedAddress({ address, names }: { address: string; names: AddressNames }) {
  const named = names.get(address);
  return (
    <>
      {named && (
        <span className="block min-w-0 break-words">
          {named.id ? (
            <TextLink href={pageOf(named, named.id)}>
              <bdi>{plainName(named.name)}</bdi>
            </TextLink>
          ) : (
            named.name
          )}
        </span>
      )}
      <Copyable value={address} full />
    </>
  );
}

/** A `NamedAddress` that looks up the name itself. */
export function Address({ address }: { address: string }) {
  return <NamedAddress address={address} names={useAddressNames([address])} />;
}

const pageOf = ({ kind }: AddressName, id: string) =>
  kind === "wallet" ? routes.wallets.read(id) : routes.contacts.read(id);
