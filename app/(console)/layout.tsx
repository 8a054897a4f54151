import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { AllProjectsLink } from "#app/(console)/_shell/all-projects-link.tsx";
import { ConsoleFrame } from "#app/(console)/_shell/console-frame.tsx";
import { LiveChanges } from "#app/(console)/_shell/live-changes.tsx";
import { ProofDialogs } from "#app/(console)/_shell/proof-dialogs.tsx";
import { requirePerson } from "#app/current-person.ts";
import { currentProject, isOfUse } from "#app/current-project.ts";
import { routes } from "#components/routes.ts";
import { DataProvider } from "#components/trpc.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { currentMs } from "#server/base/clock.ts";
import { scopesOf } from "#server/members/person.ts";
import { listAccounts } from "#server/members/switch-account.ts";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const since = currentMs();
  const person = await requirePerson();
  const sent = await headers();
  const wanted = sent.get("x-wanted") ?? "";
  // Until the person enrols, every call is refused; their own security pages need none.
  if (person.mustEnrol && !wanted.startsWith(routes.security())) redirect(routes.secondFactor());
  const { name, email, accountId, accountName, memberId } = person;
  const { accounts } = await listAccounts(person);
  const others = accounts.filter(({ current }) => !current).map(({ id, name }) => ({ id, name }));
  const { projectId, project, missing } = await currentProject();
  const allowed = scopesOf(person);
  const ofUse = await Promise.all(allowed.map(isOfUse));
  const viewer = {
    user: { name, email },
    account: { id: accountId, name: accountName },
    scopes: allowed.filter((_, index) => ofUse[index]),
    owner: memberId,
    operator: person.isOperator,
    others,
    // Known before the document is sent, so that the button does not change its width.
    commandKey: /Mac|iP(hone|ad)/.test(sent.get("user-agent") ?? "") ? ("⌘" as const) : ("Ctrl" as const),
  };
  return (
    <DataProvider projectId={projectId}>
      <div data-owner={memberId} className="contents">
        <ConsoleFrame viewer={viewer} project={project}>
          {missing ? <NoSuchProject /> : children}
        </ConsoleFrame>
      </div>
      <ProofDialogs viewer={viewer} />
      <LiveChanges since={since} />
    </DataProvider>
  );
}

/** Shown for a project that is missing or another account's; the two are indistinguishable. */
function NoSuchProject() {
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
