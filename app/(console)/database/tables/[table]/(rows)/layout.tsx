import type { Metadata } from "next";
import type { ReactNode } from "react";
import { TableBrowser } from "#app/(console)/database/tables/[table]/table-browser.tsx";
import { may } from "#app/current-person.ts";

type Props = { params: Promise<{ table: string }> };

const nameOf = async ({ params }: Props) => decodeURIComponent((await params).table);

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: await nameOf(props) };
}

export default async function TableLayout({ children, ...props }: Props & { children: ReactNode }) {
  const name = await nameOf(props);
  return (
    <>
      <TableBrowser key={name} name={name} mayWrite={await may("databases:write")} />
      {children}
    </>
  );
}
