"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { NoDatabase } from "#app/(console)/database/no-database.tsx";
import { SchemaSide } from "#app/(console)/database/schema-side.tsx";
import { useDatabase } from "#app/(console)/database/use-database.ts";
import { routes } from "#components/routes.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { Status } from "#components/ui/status.tsx";
import { TabLinks } from "#components/ui/tabs.tsx";

const tabs = [
  { href: routes.database.tables(), label: "Tables", also: "/database/tables" },
  { href: routes.database.sql(), label: "SQL" },
  { href: routes.database.copies(), label: "Copies" },
];

/** For accounts whose database was deleted. */
const CopyList = inBrowser(() =>
  import("#app/(console)/database/copy-list.tsx").then(({ CopyList }) => CopyList),
);

/** The frame of every page about the account's database; without a database, the page that creates one. */
export function DatabaseFrame({ children }: { children: ReactNode }) {
  const { database, error } = useDatabase();
  const pathname = usePathname();
  return (
    <Page>
      <PageHeader
        title="Database"
        sentence="A PostgreSQL database of the account's own, with a role that reaches nothing else."
        badge={database && database.status !== "ready" && <Status value={database.status} />}
      />
      <ErrorNotice what="The database could not be read." error={error} />
      {!database && !error && <Skeleton className="h-24" />}
      {database?.status === "absent" && (
        <>
          <NoDatabase />
          {pathname === routes.database.copies() ? children : <CopyList />}
        </>
      )}
      {database?.status === "ready" && (
        <>
          <TabLinks label="Database" tabs={tabs} />
          {pathname === routes.database.sql() ||
          pathname.startsWith(`${routes.database.tables()}/tables/`) ? (
            <div className="grid min-w-0 grid-cols-1 items-start gap-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
              <SchemaSide />
              <div className="flex min-w-0 flex-col gap-6">{children}</div>
            </div>
          ) : (
            children
          )}
        </>
      )}
    </Page>
  );
}
