"use client";

import { useQuery } from "@tanstack/react-query";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { plainName } from "#components/ui/plain-name.ts";

/** Links to the page of the end user with this id of the customer's; shows the id alone until the page is known. */
export function EndUserLink({ externalId }: { externalId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.endUsers.list.queryOptions({ externalId, limit: 1 }),
    staleTime: 60_000,
    meta: { still: true },
  });
  const id = data?.endUsers[0]?.id;
  const name = <bdi className="break-words">{plainName(externalId)}</bdi>;
  return id === undefined ? name : <TextLink href={routes.endUsers.read(id)}>{name}</TextLink>;
}
