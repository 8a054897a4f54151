"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { choicesQuery } from "#components/form/choices-query.ts";
import { FindInput } from "#components/form/find-input.tsx";
import { useTRPC } from "#components/trpc.tsx";

/** Members of the account to choose from. Not in `use-choices`, which pages near the limit of script bytes load first. */
export function useMemberChoices() {
  const [search, setSearch] = useState("");
  const query = useTRPC().members.list.queryOptions(choicesQuery(search));
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  const options = data?.members.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const more = data !== undefined && data.nextCursor !== null;
  return { options, find: <FindInput what="members" more={more} onFind={setSearch} /> };
}
