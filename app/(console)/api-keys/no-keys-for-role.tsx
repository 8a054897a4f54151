import { EmptyState } from "#components/ui/empty-state.tsx";

/** Shown instead of keys if the person's role may not see them. */
export function NoKeysForRole() {
  return (
    <div className="rounded-md border">
      <EmptyState title="Keys are not shown to your role">
        Who may see and make keys holds api_keys:manage: owners, admins and developers of this account.
      </EmptyState>
    </div>
  );
}
