"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Decision } from "#app/(console)/api-keys/access/decision.tsx";
import { filterNames } from "#app/(console)/api-keys/access/queries.ts";
import { NoKeysForRole } from "#app/(console)/api-keys/no-keys-for-role.tsx";
import { useKeyChoices } from "#components/form/use-choices.tsx";
import { routes } from "#components/routes.ts";
import { FilterSelect } from "#components/table/filter-bar.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { KeyDecision } from "#server/keys/access/schema.ts";

/** Shows the access decision on a call of a chosen operation with a chosen key. */
export function ExplainAccess({ mayManage }: { mayManage: boolean }) {
  return (
    <Page>
      <PageHeader
        back={<TextLink href={routes.apiKeys.list()}>API keys</TextLink>}
        title="Explain access"
        sentence="Choose a key and an operation: you see whether a call would be let through now, every check, and which key of the chain decides."
      />
      {mayManage ? <Explanation /> : <NoKeysForRole />}
    </Page>
  );
}

function Explanation() {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const { key, operation } = filters.values;
  const chosen = key !== "" && operation !== "";
  const { keys, find, error } = useKeyChoices({ active: true });
  const access = useQuery(trpc.apiKeys.access.read.queryOptions({}));
  const explained = useQuery({
    ...trpc.apiKeys.access.explain.queryOptions({ keyId: key, operation }),
    enabled: chosen,
    placeholderData: keepPreviousData,
    // The answer changes with every call that counts against a limit.
    staleTime: 0,
  });
  const decision = chosen && !explained.error ? explained.data?.decision : undefined;
  return (
    <>
      <search className="flex flex-wrap items-center gap-2">
        <FilterSelect
          filters={filters}
          name="key"
          label="Key"
          all="Choose a key"
          options={keysOf(keys, key, decision)}
          find={find}
        />
        <FilterSelect
          filters={filters}
          name="operation"
          label="Operation"
          all="Choose an operation"
          options={(access.data?.access.operations ?? [])
            .map(({ selector }) => ({ value: selector, label: selector }))
            .toSorted((a, b) => a.label.localeCompare(b.label))}
        />
      </search>
      <ErrorNotice what="The keys could not be loaded." error={error ?? access.error} />
      <ErrorNotice what="The decision could not be loaded." error={chosen && explained.error} />
      {decision && <Decision decision={decision} />}
      {chosen && explained.isPending && <Skeleton className="h-48 w-full" />}
    </>
  );
}

type Named = { id: string; label: string; prefix: string };

/** Returns the keys to choose from, including the chosen one, even if it is not offered. */
function keysOf(offered: readonly Named[], chosen: string, decision: KeyDecision | undefined) {
  const own = decision?.chain.at(-1) ?? { id: chosen, label: "The chosen key", prefix: chosen };
  const missing = chosen !== "" && !offered.some(({ id }) => id === chosen);
  return [...(missing ? [own] : []), ...offered].map(({ id, label, prefix }) => ({
    value: id,
    label: `${label} (${prefix}…)`,
  }));
}
