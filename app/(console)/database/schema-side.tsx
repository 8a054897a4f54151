"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useDatabase } from "#app/(console)/database/use-database.ts";
import { routes } from "#components/routes.ts";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { ConsoleLink } from "#components/ui/console-link.tsx";
import { inDigits, inShort } from "#components/ui/digits.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { sizeText } from "#components/ui/size.tsx";

/** From this number of tables on, a search is shown. */
const MANY = 8;

/** Lists tables, views and functions beside the page; on a narrow screen behind a button. */
export function SchemaSide() {
  const { database } = useDatabase();
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState("");
  if (!database) return null;
  const { tables, views, functions } = database;
  const matching = <Entry extends { name: string }>(entries: readonly Entry[]) =>
    entries.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
    <aside aria-label="Schema" className="flex min-w-0 flex-col gap-2">
      <div className="lg:hidden">
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Hide schema" : "Show schema"}
        </Button>
      </div>
      <div
        className={cn(
          "flex flex-col gap-4 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:overflow-y-auto lg:p-1",
          !open && "max-lg:hidden",
        )}
      >
        {tables.length + views.length + functions.length > MANY && (
          <Input
            type="search"
            aria-label="Find in schema"
            placeholder="Find"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        )}
        <Group title="Tables">
          {matching(tables).map(({ name, columns, rowEstimate, sizeBytes }) => (
            <Relation
              key={name}
              name={name}
              columns={columns}
              numbers={`${about(rowEstimate)}, ${sizeText(sizeBytes)}`}
            />
          ))}
        </Group>
        <Group title="Views">
          {matching(views).map(({ name, columns, materialized, rowEstimate, sizeBytes }) => (
            <Relation
              key={name}
              name={name}
              columns={columns}
              numbers={
                materialized ? `stored, ${about(rowEstimate ?? 0)}, ${sizeText(sizeBytes)}` : "stores no rows"
              }
            />
          ))}
        </Group>
        <Group title="Functions">
          {matching(functions).map(({ name, arguments: parameters, returns, kind }) => (
            <li key={`${name}(${parameters})`} className="px-2 py-1 text-13">
              <span className="block break-words font-mono">{`${name}(${parameters})`}</span>
              <span className="block break-words text-12 text-muted">
                {kind}
                {returns !== null && ` that returns ${returns}`}
              </span>
            </li>
          ))}
        </Group>
      </div>
    </aside>
  );
}

const about = (rows: number) => `about ${rows < 1000 ? inDigits(rows) : inShort(rows)} rows`;

function Group({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <div>
      <h2 className="px-2 pb-1 font-medium text-12 text-muted">{title}</h2>
      <ul aria-label={`${title} of the schema`}>{children}</ul>
    </div>
  );
}

type Columns = readonly { name: string; type: string }[];

/** A table or view: a link to its rows, and below it its columns on request. */
function Relation({ name, columns, numbers }: { name: string; columns: Columns; numbers: string }) {
  const [open, setOpen] = useState(false);
  const path = routes.database.table(name);
  const pathname = usePathname();
  const isHere = pathname === path || pathname.startsWith(`${path}/`);
  return (
    <li>
      <div className="flex items-start">
        <IconButton
          icon={open ? ChevronDown : ChevronRight}
          label={`${open ? "Hide" : "Show"} the columns of ${name}`}
          aria-expanded={open}
          className="mt-0.5"
          onClick={() => setOpen(!open)}
        />
        <ConsoleLink
          href={path}
          prefetch={false}
          aria-current={isHere ? "page" : undefined}
          title={name}
          className="block min-w-0 flex-1 rounded-md px-2 py-1 hover:bg-hover focus-visible:-outline-offset-2 aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-text"
        >
          <span className="block truncate text-13">{name}</span>
          <span className="block truncate text-12 text-muted">{numbers}</span>
        </ConsoleLink>
      </div>
      {open && (
        <ul aria-label={`Columns of ${name}`} className="ml-3.5 border-l py-1 pl-5.5">
          {columns.map((column) => (
            <li key={column.name} className="flex flex-wrap justify-between gap-x-2 py-0.5 pr-2 text-12">
              <span className="break-all">{column.name}</span>
              <span className="break-all font-mono text-muted">{column.type}</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
