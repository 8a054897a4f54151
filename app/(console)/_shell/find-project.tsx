"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { Check } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { addressIn } from "#app/(console)/_shell/project-address.ts";
import { useTRPC } from "#components/trpc.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { readProblem } from "#components/ui/problem.ts";
import type { Project } from "#server/projects/schema.ts";

const SHOWN = 50;
const PAUSE_MS = 120;
const ALL = "all";

const heading =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:text-muted";

/** Lets the person switch to any project, which the server searches by name. */
export function FindProject({ chosen }: { chosen: string | null }) {
  const [text, setText] = useState("");
  const search = usePaused(text.trim().slice(0, 200));
  const active = useProjects("active", search);
  const archived = useProjects("archived", search);
  const settled = search === text.trim().slice(0, 200) && !active.isFetching && !archived.isFetching;
  const found = (active.data?.projects.length ?? 0) + (archived.data?.projects.length ?? 0);
  const error = active.error ?? archived.error;
  const more = active.data?.nextCursor || archived.data?.nextCursor;

  // While the person types, the highlighted project may leave the list; Enter then takes the new first one.
  const [wanted, setWanted] = useState(chosen ?? ALL);
  const offered = [
    ...(text === "" ? [ALL] : []),
    ...[...(active.data?.projects ?? []), ...(archived.data?.projects ?? [])].map(({ id }) => id),
  ];
  const selected = offered.includes(wanted) ? wanted : (offered[0] ?? "");

  // A new document, so that no state of the previous project remains; another tab keeps its project.
  const go = (projectId: string | null) => window.location.assign(addressIn(projectId, window.location));

  return (
    <Command label="Find a project" loop shouldFilter={false} value={selected} onValueChange={setWanted}>
      <Command.Input
        value={text}
        onValueChange={setText}
        placeholder="Find a project by name"
        className="h-10 w-full border-b bg-transparent px-3 text-16 outline-none sm:text-14"
      />
      <p role="status" className="sr-only">
        {text !== "" && settled && (found === 1 ? "1 project found." : `${found} projects found.`)}
      </p>
      <Command.List className="max-h-[min(24rem,60vh)] overflow-y-auto p-1">
        {error && (
          <p className="px-2 py-2 text-13 text-muted">
            The projects could not be loaded. {readProblem(error).message}
          </p>
        )}
        {text === "" && (
          <Choice value={ALL} current={chosen === null} onSelect={() => go(null)}>
            All projects
          </Choice>
        )}
        <Command.Empty className="px-2 py-6 text-center text-muted">
          {settled ? "No project is called so." : "Searching…"}
        </Command.Empty>
        <Group title="Active" projects={active.data?.projects} chosen={chosen} onChoose={go} />
        <Group title="Archived" projects={archived.data?.projects} chosen={chosen} onChoose={go} />
        {more && <p className="px-2 py-2 text-12 text-muted">There are more: type a part of a name.</p>}
      </Command.List>
    </Command>
  );
}

function useProjects(status: Project["status"], search: string) {
  const query = useTRPC().projects.list.queryOptions({ status, limit: SHOWN, ...(search && { search }) });
  return useQuery({ ...query, placeholderData: keepPreviousData });
}

/** Returns the text once the person has stopped typing. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

function Group({
  title,
  projects = [],
  chosen,
  onChoose,
}: {
  title: string;
  projects: readonly Project[] | undefined;
  chosen: string | null;
  onChoose: (projectId: string) => void;
}) {
  if (projects.length === 0) return null;
  return (
    <Command.Group heading={title} className={heading}>
      {projects.map(({ id, name, slug }) => (
        <Choice
          key={id}
          value={id}
          current={id === chosen}
          hint={<span className="max-w-32 shrink-0 truncate font-mono text-12 text-muted">{slug}</span>}
          onSelect={() => onChoose(id)}
        >
          <bdi>{plainName(name)}</bdi>
        </Choice>
      ))}
    </Command.Group>
  );
}

function Choice({
  value,
  current,
  hint,
  onSelect,
  children,
}: {
  value: string;
  current: boolean;
  hint?: ReactNode;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-2 rounded-md px-2 data-[selected=true]:bg-hover"
    >
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint}
      {current && (
        <>
          <Check aria-hidden className="size-4 shrink-0 text-accent-text" />
          <span className="sr-only">chosen</span>
        </>
      )}
    </Command.Item>
  );
}
