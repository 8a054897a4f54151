"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  activeConnectionsQuery,
  activeKeysQuery,
  activeProjectsQuery,
  activeStoredQuery,
  choicesQuery,
} from "#components/form/choices-query.ts";
import { FindInput } from "#components/form/find-input.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import type { Option } from "#components/ui/select.tsx";

type Named = { id: string; name: string } | { id: string; label: string };

/** Returns the options of a list, and an input that finds others. */
function choicesOf(what: string, found: { rows: Named[]; more: boolean }, onFind: (text: string) => void) {
  const options: Option[] = found.rows.map((row) => ({
    value: row.id,
    label: "name" in row ? row.name : row.label,
  }));
  return { options, find: <FindInput what={what} more={found.more} onFind={onFind} /> };
}

/** Projects to choose from; with `active`, only active ones. */
export function useProjectChoices({ active = false } = {}) {
  const [search, setSearch] = useState("");
  const query = useTRPC().projects.list.queryOptions(
    active ? activeProjectsQuery(search) : choicesQuery(search),
  );
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  return choicesOf("projects", { rows: data?.projects ?? [], more: hasMore(data) }, setSearch);
}

/** API keys to choose from; with `active`, only active ones. */
export function useKeyChoices({ active = false } = {}) {
  const [search, setSearch] = useState("");
  const query = useTRPC().apiKeys.list.queryOptions(active ? activeKeysQuery(search) : choicesQuery(search));
  const { data, error } = useQuery({ ...query, placeholderData: keepPreviousData });
  const keys = data?.apiKeys ?? [];
  return { keys, error, ...choicesOf("keys", { rows: keys, more: hasMore(data) }, setSearch) };
}

/** Stored workflows to choose from, by name. */
export function useStoredChoices() {
  const [search, setSearch] = useState("");
  const query = useTRPC().workflows.list.queryOptions(activeStoredQuery(search));
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  const rows = (data?.workflows ?? []).map(({ name }) => ({ id: name, name }));
  return choicesOf("workflows", { rows, more: hasMore(data) }, setSearch);
}

/** Services to choose from. */
export function useServiceChoices() {
  const [search, setSearch] = useState("");
  const query = useTRPC().services.list.queryOptions(choicesQuery(search));
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  return choicesOf("services", { rows: data?.services ?? [], more: hasMore(data) }, setSearch);
}

/** Wallets to choose from. */
export function useWalletChoices() {
  const [search, setSearch] = useState("");
  const query = useTRPC().wallets.list.queryOptions(choicesQuery(search));
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  const wallets = data?.wallets ?? [];
  return { wallets, ...choicesOf("wallets", { rows: wallets, more: hasMore(data) }, setSearch) };
}

/** Active connections to choose from. */
export function useConnectionChoices() {
  const [search, setSearch] = useState("");
  const query = useTRPC().connections.list.queryOptions(activeConnectionsQuery(search));
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  return choicesOf("connections", { rows: data?.connections ?? [], more: hasMore(data) }, setSearch);
}

/** End users to choose from, by external id; always with the chosen one. */
export function useEndUserChoices(chosen = "") {
  const [search, setSearch] = useState("");
  const query = useTRPC().endUsers.list.queryOptions(choicesQuery(search));
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  const ids = new Set([
    ...(data?.endUsers.map(({ externalId }) => externalId) ?? []),
    ...(chosen ? [chosen] : []),
  ]);
  const rows = [...ids].map((id) => ({ id, name: plainName(id) }));
  return choicesOf("end users", { rows, more: hasMore(data) }, setSearch);
}

function hasMore(page: { nextCursor: string | null } | undefined): boolean {
  return page !== undefined && page.nextCursor !== null;
}
