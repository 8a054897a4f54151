"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { LazyGlance } from "#app/(console)/projects/[projectId]/lazy-glance.tsx";
import { textsOf } from "#app/(console)/projects/[projectId]/metadata.ts";
import { useArchiving } from "#app/(console)/projects/use-archiving.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import { Copyable } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Facts, Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import { ExactTime } from "#components/ui/time.tsx";

type Props = { projectId: string; mayWrite: boolean; mayManageKeys: boolean };

export function ProjectDetail({ projectId, mayWrite, mayManageKeys }: Props) {
  const trpc = useTRPC();
  const { project } = useSuspenseQuery(trpc.projects.read.queryOptions({ projectId })).data;
  const archiving = useArchiving();
  const { label, onSelect } = archiving.actionOf(project);
  const isActive = project.status === "active";
  const metadata = Object.entries(textsOf(project.metadata));

  return (
    <Page>
      <PageHeader
        back={<TextLink href={routes.projects.list()}>Projects</TextLink>}
        title={project.name}
        sentence={project.description}
        badge={<Status value={project.status} />}
        action={
          <>
            {useChosenProject() !== projectId && (
              <TextLink href={routes.projects.choose(projectId)}>Switch to this project</TextLink>
            )}
            {mayWrite && (
              <>
                {isActive && <ButtonLink href={routes.projects.edit(projectId)}>Edit</ButtonLink>}
                <Button pending={archiving.pending} onClick={onSelect}>
                  {label}
                </Button>
              </>
            )}
          </>
        }
      />
      <ErrorNotice what="The project was not restored." error={archiving.restoreError} />
      <LazyGlance project={project} mayManageKeys={mayManageKeys} />
      <Section title="About">
        <Facts
          items={[
            { name: "Id", value: <Copyable value={project.id} full /> },
            { name: "Slug", value: <Copyable value={project.slug} full /> },
            { name: "Created", value: <ExactTime at={project.createdAt} /> },
            { name: "Changed", value: <ExactTime at={project.updatedAt} /> },
            ...(project.archivedAt
              ? [{ name: "Archived", value: <ExactTime at={project.archivedAt} /> }]
              : []),
          ]}
        />
      </Section>
      {metadata.length > 0 && (
        <Section title="Metadata">
          <Facts items={metadata.map(([name, value]) => ({ name, value }))} />
        </Section>
      )}
      {archiving.dialog}
    </Page>
  );
}
