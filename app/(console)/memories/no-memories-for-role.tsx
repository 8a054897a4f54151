import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

/** Shown instead of memories if the person's role may not read them. */
export function NoMemoriesForRole() {
  return (
    <Page>
      <PageHeader title="Memories" />
      <div className="rounded-md border">
        <EmptyState title="Memories are not shown to your role">
          Reading and storing them needs services:invoke, which owners, admins and developers have.
        </EmptyState>
      </div>
    </Page>
  );
}
