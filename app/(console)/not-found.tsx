import { AllProjectsLink } from "#app/(console)/_shell/all-projects-link.tsx";
import { currentProject } from "#app/current-project.ts";
import { routes } from "#components/routes.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

/** Shown for ids that are missing or another account's; the two are indistinguishable. */
export default async function NotFound() {
  const { projectId } = await currentProject();
  return (
    <Page>
      <PageHeader
        title="Not found"
        sentence={`There is nothing at this address in this ${projectId ? "project" : "account"}.`}
        action={
          <>
            {projectId && <AllProjectsLink>Look in all projects</AllProjectsLink>}
            <ButtonLink href={routes.overview()}>Go to the overview</ButtonLink>
          </>
        }
      />
    </Page>
  );
}
