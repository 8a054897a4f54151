import { AllProjectsLink } from "#app/(console)/_shell/all-projects-link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

/** Shown for a project that is missing or another account's; the two are indistinguishable. */
export function NoSuchProject() {
  return (
    <Page>
      <PageHeader
        title="Not found"
        sentence="There is no such project in this account."
        action={<AllProjectsLink>Look in all projects</AllProjectsLink>}
      />
    </Page>
  );
}
