"use client";

import {
  useEndUserChoices,
  useKeyChoices,
  useProjectChoices,
  useServiceChoices,
  useWalletChoices,
} from "#components/form/use-choices.tsx";
import { useMemberChoices } from "#components/form/use-member-choices.tsx";
import { FilterSelect } from "#components/table/filter-bar.tsx";
import { FilterPeriod } from "#components/table/filter-period.tsx";
import type { Filters } from "#components/table/use-filters.ts";

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

function WalletFilter(props: Props) {
  const { options, find } = useWalletChoices();
  return <FilterSelect {...props} width={width} options={options} find={find} />;
}

function EndUserFilter(props: Props) {
  return <FilterSelect {...props} width={width} {...useEndUserChoices(props.filters.values[props.name])} />;
}
