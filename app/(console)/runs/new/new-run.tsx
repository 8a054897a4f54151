"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RunForm } from "#app/(console)/runs/new/run-form.tsx";
import { runnable } from "#app/(console)/runs/queries.ts";
import type { Capability } from "#app/(console)/services/capability.ts";
import { FindInput } from "#components/form/find-input.tsx";
import { SelectField } from "#components/form/text-fields.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { PageSkeleton } from "#components/ui/skeleton.tsx";

type Props = {
  wanted: { serviceId: string; operationId: string };
  /** The id of the run whose operation and input are copied. */
  from: string;
};

/** Creates a run of any operation that runs, with a form for its input. */
export function NewRun({ wanted, from }: Props) {
  const trpc = useTRPC();
  const [search, setSearch] = useState("");
  const list = useQuery({
    ...trpc.capabilities.list.queryOptions(runnable(search)),
    placeholderData: keepPreviousData,
  });
  const earlier = useQuery({ ...trpc.runs.read.queryOptions({ runId: from }), enabled: from !== "" });
  const [chosen, setChosen] = useState<Capability>();
  const run = earlier.data?.run;
  const first = idOf(run ?? wanted);
  // The requested operation may not be among the first ones offered.
  const own = useQuery({
    ...trpc.capabilities.list.queryOptions(runnable(first)),
    enabled: first.trim() !== "",
  });
  if (list.isPending || own.isLoading || (from !== "" && earlier.isPending)) return <PageSkeleton />;

  const offered = list.data?.capabilities ?? [];
  const selected = chosen ?? own.data?.capabilities.find((one) => idOf(one) === first);
  const isOffered = !selected || offered.some((one) => idOf(one) === idOf(selected));
  const capabilities = isOffered ? offered : [...offered, selected];
  return (
    <Page>
      <PageHeader
        title="New run"
        sentence="It answers at once and works on by itself; you follow it on its own page."
        back={<TextLink href={routes.runs.list()}>Runs</TextLink>}
      />
      <ErrorNotice what="The operations could not be loaded." error={list.error ?? own.error} />
      <ErrorNotice what="The earlier run could not be loaded." error={earlier.error} />
      <div className="flex max-w-2xl flex-col gap-4">
        <SelectField
          label="Operation"
          name="operation"
          error={undefined}
          options={[
            { value: "", label: "Choose one" },
            ...capabilities.map((one) => ({ value: idOf(one), label: `${one.serviceId}: ${one.title}` })),
          ]}
          value={selected ? idOf(selected) : ""}
          onChange={(id) => setChosen(capabilities.find((one) => idOf(one) === id))}
          find={<FindInput what="operations" more={list.data?.nextCursor != null} onFind={setSearch} />}
        />
        {selected && (
          <RunForm
            key={idOf(selected)}
            capability={selected}
            initial={run && idOf(run) === idOf(selected) ? run.input : {}}
          />
        )}
      </div>
    </Page>
  );
}

const idOf = ({ serviceId, operationId }: Props["wanted"]) => `${serviceId} ${operationId}`;
