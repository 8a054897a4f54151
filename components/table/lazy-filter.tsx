"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { choicesQuery } from "#components/form/choices-query.ts";
import { FindInput } from "#components/form/find-input.tsx";
import {
  useEndUserChoices,
  useKeyChoices,
  useProjectChoices,
  useServiceChoices,
  useWalletChoices,
} from "#components/form/use-choices.tsx";
import { FilterSelect } from "#components/table/filter-bar.tsx";
import { FilterPeriod } from "#components/table/filter-period.tsx";
import type { Filters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";

/** The width of the placeholder, which the options that arrive later must not change. */
const width = "sm:w-36";

type Props = { filters: Filters<string>; name: string; label: string; all?: string };

/** The filters of a list that load late: a period, and filters whose options are searched on the server. */
export function LazyFilter({
  kind,
  ...props
}: Props & { kind: "project" | "service" | "key" | "wallet" | "endUser" | "member" | "moment" }) {
  if (kind === "moment") return <FilterPeriod filters={props.filters} />;
  if (kind === "project") return <ProjectFilter {...props} />;
  if (kind === "key") return <KeyFilter {...props} />;
  if (kind === "member") return <MemberFilter {...props} />;
  if (kind === "endUser") return <EndUserFilter {...props} />;
  return kind === "service" ? <ServiceFilter {...props} /> : <WalletFilter {...props} />;
}

function ProjectFilter(props: Props) {
  return <FilterSelect {...props} width={width} {...useProjectChoices()} />;
}

function ServiceFilter(props: Props) {
  return <FilterSelect {...props} width={width} {...useServiceChoices()} />;
}

function KeyFilter(props: Props) {
  return <FilterSelect {...props} width={width} {...useKeyChoices()} />;
}

function MemberFilter(props: Props) {
  return <FilterSelect {...props} width={width} {...useMemberChoices()} />;
}

/** Members of the account to choose from. Not in `use-choices`, which pages near the limit of script bytes load first. */
function useMemberChoices() {
  const [search, setSearch] = useState("");
  const query = useTRPC().members.list.queryOptions(choicesQuery(search));
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  const options = data?.members.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const more = data !== undefined && data.nextCursor !== null;
  return { options, find: <FindInput what="members" more={more} onFind={setSearch} /> };
}

function WalletFilter(props: Props) {
  const { options, find } = useWalletChoices();
  return <FilterSelect {...props} width={width} options={options} find={find} />;
}

function EndUserFilter(props: Props) {
  return <FilterSelect {...props} width={width} {...useEndUserChoices(props.filters.values[props.name])} />;
}
