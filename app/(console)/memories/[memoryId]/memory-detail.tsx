"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { EndUserLink } from "#app/(console)/_shell/end-user-link.tsx";
import { ResourceLink } from "#app/(console)/_shell/resource-link.tsx";
import { isDeletable, isEditable, titleOf } from "#app/(console)/memories/queries.ts";
import { useDeletion } from "#app/(console)/memories/use-deletion.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Chip } from "#components/ui/chip.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Copyable, CopyButton } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { Scrolling } from "#components/ui/scrolling.tsx";
import { Facts, Section } from "#components/ui/section.tsx";
import { ExactTime } from "#components/ui/time.tsx";
import type { Memory } from "#server/memory/schema.ts";

/** A memory: its content and its properties. */
export function MemoryDetail({
  memoryId,
  mayWrite,
  mayAsk,
}: {
  memoryId: string;
  mayWrite: boolean;
  mayAsk: boolean;
}) {
  const trpc = useTRPC();
  const { memory, readOnly } = useSuspenseQuery(trpc.memories.read.queryOptions({ memoryId })).data;
  const deletion = useDeletion();
  const state = { ...memory, readOnly };
  return (
    <Page>
      <PageHeader
        back={<TextLink href={routes.memories.list()}>Memories</TextLink>}
        title={titleOf(memory)}
        sentence={mayWrite && noteOf(state)}
        action={
          mayWrite && (
            <>
              {isEditable(state) && <ButtonLink href={routes.memories.edit(memoryId)}>Edit</ButtonLink>}
              {mayAsk && isDeletable(state) && <Button onClick={() => deletion.ask(memory)}>Delete</Button>}
            </>
          )
        }
      />
      <MemoryText content={memory.content} />
      <Section title="About">
        <Facts items={factsOf(memory)} />
      </Section>
      {Object.keys(memory.metadata).length > 0 && (
        <Section title="Metadata">
          <CodeBlock label="JSON" code={JSON.stringify(memory.metadata, null, 2)} />
        </Section>
      )}
      {deletion.dialog}
    </Page>
  );
}

/** Says why a memory can't be edited here. */
function noteOf({ name, endUser, readOnly }: Memory & { readOnly: boolean }): string | undefined {
  if (readOnly) return "Its project is archived: the memory can be looked at, and not changed.";
  if (endUser !== null) return "It belongs to an end user: calls for them change it.";
  return name === null
    ? "Without a name it is never replaced: it stays as it is until it is deleted."
    : undefined;
}

/** The content of a memory, with its lines wrapped as prose is. */
function MemoryText({ content }: { content: string }) {
  return (
    <div className="relative min-w-0 rounded-md border bg-sunken">
      <span className="absolute top-1.5 right-2">
        <CopyButton text={content} what="text" />
      </span>
      <Scrolling label="text" className="max-h-96 py-3 pr-10 pl-3">
        <p className="whitespace-pre-wrap break-words">{content}</p>
      </Scrolling>
    </div>
  );
}

function factsOf({ id, tags, projectId, endUser, createdAt, updatedAt }: Memory) {
  return [
    { name: "Id", value: <Copyable value={id} full /> },
    {
      name: "Tags",
      value:
        tags.length === 0 ? (
          "–"
        ) : (
          <span className="flex flex-wrap gap-1">
            {tags.map((tag) => (
              <Chip key={tag} title={tag}>
                <bdi>{plainName(tag)}</bdi>
              </Chip>
            ))}
          </span>
        ),
    },
    { name: "Project", value: projectId ? <ResourceLink id={projectId} /> : "–" },
    {
      name: "End user",
      value: endUser === null ? "–" : <EndUserLink externalId={endUser} />,
    },
    { name: "Created", value: <ExactTime at={createdAt} /> },
    { name: "Changed", value: <ExactTime at={updatedAt} /> },
  ];
}
