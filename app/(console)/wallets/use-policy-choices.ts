"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSymbols } from "#app/(console)/_quote/use-symbols.ts";
import { choicesQuery } from "#components/form/choices-query.ts";
import { useNetworks } from "#components/networks.tsx";
import { useTRPC } from "#components/trpc.tsx";
import type { Option } from "#components/ui/select.tsx";

/**
 * Returns the values that a policy can name: this installation's networks, tokens and contracts, and the address book.
 */
export function usePolicyChoices() {
  const trpc = useTRPC();
  const { networks, nameOf } = useNetworks();
  const { tokens } = useSymbols();
  const [search, setSearch] = useState("");
  const book = useQuery({
    ...trpc.wallets.contacts.list.queryOptions(choicesQuery(search)),
    placeholderData: keepPreviousData,
  }).data;
  const known = useQuery({
    ...trpc.wallets.contracts.list.queryOptions(),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const contracts = known?.contracts ?? [];

  // A policy has one name for the native assets of all networks, and a token may be listed on several networks.
  const assets = [...Map.groupBy(tokens, ({ asset }) => asset)].map(([asset, of]) => ({
    value: asset,
    label: distinct(of.map(({ symbol }) => symbol)),
    about: asset === "native" ? "native asset" : distinct(of.map(({ network }) => nameOf(network))),
  }));
  const places = [...Map.groupBy(contracts, ({ address }) => address)].map(([address, of]) => ({
    value: address,
    label: distinct(of.map(({ name }) => name)),
    methods: [...new Set(of.flatMap(({ methods }) => methods))],
  }));

  return {
    networks: networks.map(({ network, name }): Option => ({ value: network, label: name })),
    assets,
    contracts: places,
    contacts: (book?.contacts ?? []).map(({ address, name }): Option => ({ value: address, label: name })),
    moreContacts: book !== undefined && book.nextCursor !== null,
    findContacts: setSearch,
    names: {
      network: nameOf,
      asset: (asset: string) => assets.find(({ value }) => value === asset)?.label ?? asset,
    },
  };
}

export type PolicyChoices = ReturnType<typeof usePolicyChoices>;

const distinct = (words: readonly string[]) => [...new Set(words)].join(", ");
