"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Command } from "cmdk";
import { usePathname } from "next/navigation";
import { useTheme } from "next-themes";
import { Dialog } from "radix-ui";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { FindProject } from "#app/(console)/_shell/find-project.tsx";
import { pageButtons } from "#app/(console)/_shell/page-buttons.ts";
import { actionsOn, generalActions, isCalled } from "#app/(console)/_shell/palette-actions.ts";
import { placeIcons } from "#app/(console)/_shell/place-icons.ts";
import { idIn, ownerIn, recentIds } from "#app/(console)/_shell/recent-ids.ts";
import { kindWords, LONGEST, pageOf, textToSend } from "#app/(console)/_shell/search-results.ts";
import { useSearch } from "#app/(console)/_shell/use-search.ts";
import type { Viewer } from "#app/(console)/_shell/viewer.ts";
import { places, routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useChosenProject, useIsInProject } from "#components/ui/chosen-project.ts";
import { copyId } from "#components/ui/copy-text.ts";
import { shorten } from "#components/ui/copyable.tsx";
import { useDialogFocus } from "#components/ui/dialog-focus.ts";
import { scrim } from "#components/ui/dialog-open.tsx";
import { KeyboardHint } from "#components/ui/keyboard-hint.tsx";
import { mayGoTo } from "#components/ui/leaving.ts";
import { plainName } from "#components/ui/plain-name.ts";
import { readProblem } from "#components/ui/problem.ts";
import { useRouter } from "#components/ui/use-router.ts";
import type { Found } from "#server/search/schema.ts";

const group =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:text-muted";

type Props = { viewer: NonNullable<Viewer>; open: boolean; onOpenChange: (open: boolean) => void };

/** Searches the account's resources, all pages and actions; loaded when it first opens. */
export function Palette({ open, onOpenChange, viewer }: Props) {
  const focus = useDialogFocus();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={scrim} />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-x-2 top-[12vh] z-40 mx-auto max-w-2xl animate-appear overflow-hidden rounded-md border bg-raised shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">Command palette</Dialog.Title>
          <Parts viewer={viewer} onDone={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The search, or, once chosen there, the list of projects to switch to. */
function Parts(props: { viewer: Props["viewer"]; onDone: () => void }) {
  const projectId = useChosenProject();
  const [switching, setSwitching] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (switching) ref.current?.querySelector("input")?.focus();
  }, [switching]);
  if (!switching) return <Search {...props} onSwitch={() => setSwitching(true)} />;
  return (
    <div ref={ref}>
      <FindProject chosen={projectId} />
    </div>
  );
}

function Search({
  viewer,
  onDone,
  onSwitch,
}: {
  viewer: Props["viewer"];
  onDone: () => void;
  onSwitch: () => void;
}) {
  const router = useRouter();
  const { setTheme } = useTheme();
  const pathname = usePathname();
  const projectId = useChosenProject();
  const [typed, setTyped] = useState("");
  const { text, hidden, cut } = textToSend(typed);
  const here = idIn(pathname);
  const [recent] = useState(() => recentIds(ownerIn(viewer.owner, projectId)).filter((id) => id !== here));
  const { found, settled, error } = useSearch(text, recent);
  const fits = ({ label }: { label: string }) => text === "" || isCalled(label, text);

  function act(action: () => void) {
    onDone();
    action();
  }
  const go = (href: string) => mayGoTo(href) && act(() => router.push(href));

  const copy = here ? [{ label: "Copy the id", onSelect: () => act(() => copyId(here)) }] : [];
  const fitting = actionsOn(pathname, viewer.scopes, useFailedStep(here));
  const [buttons] = useState(pageButtons);
  const onPage = [
    ...buttons.map(({ label, press }) => ({ label, onSelect: () => act(press) })),
    ...fitting.map(({ label, href }) => ({ label, onSelect: () => go(href) })),
    ...copy,
  ].filter(fits);
  const security = { label: "Security", path: routes.security(), key: "" };
  const goTo = [...places.flat(), security].filter(fits);
  const offered = new Set(fitting.map(({ href }) => href));
  const forms = generalActions(viewer.scopes).filter((form) => fits(form) && !offered.has(form.href));
  const switching = [{ label: "Switch project", onSelect: onSwitch }].filter(fits);
  const themes = ["system", "light", "dark"]
    .map((theme) => ({ theme, label: `Use the ${theme} theme` }))
    .filter(fits);
  const results = (
    <Results
      heading={text === "" ? "Recent" : "Found"}
      text={text.toLowerCase()}
      found={found}
      onSelect={(one) => go(pageOf(one))}
    />
  );

  return (
    <Command label="Command palette" loop shouldFilter={false}>
      <Command.Input
        value={typed}
        onValueChange={setTyped}
        placeholder="Find by name, id, hash or address, or do something"
        className="h-12 w-full border-b bg-transparent px-4 text-16 outline-none sm:text-14"
      />
      <p role="status" className="sr-only">
        {text !== "" &&
          settled &&
          (found.length === 1 ? "1 result found." : `${found.length} results found.`)}
      </p>
      <Command.List className="max-h-[60vh] overflow-y-auto p-1">
        {hidden && <Note>Secrets stay in this browser: a key is found by its first characters alone.</Note>}
        {cut && <Note>Only the first {LONGEST} characters are searched for.</Note>}
        {error && <Note>The search failed. {readProblem(error).message}</Note>}
        <Command.Empty className="px-3 py-6 text-center text-muted">
          {settled ? "Nothing has this name." : "Searching…"}
        </Command.Empty>
        {text === "" && results}
        <Entries heading="On this page" entries={onPage} />
        {goTo.length > 0 && (
          <Command.Group heading="Go to" className={group}>
            {goTo.map(({ label, path, key }) => (
              <Entry
                key={label}
                value={`go ${label}`}
                icon={label}
                onSelect={() => go(path)}
                hint={key && <KeyboardHint keys={["g", key]} />}
              >
                {label}
              </Entry>
            ))}
          </Command.Group>
        )}
        <Entries
          heading="Do"
          entries={[
            ...switching,
            ...forms.map(({ label, href }) => ({ label, onSelect: () => go(href) })),
            ...themes.map(({ label, theme }) => ({ label, onSelect: () => act(() => setTheme(theme)) })),
          ]}
        />
        {text !== "" && results}
      </Command.List>
    </Command>
  );
}

/** Returns the step in which the run on the page failed, if the run can be retried. */
function useFailedStep(here: string | undefined): string | undefined {
  const key = useTRPC().runs.read.queryKey({ runId: here ?? "" });
  const run = useQueryClient().getQueryData(key)?.run;
  const canRetry = run && run.finishedAt !== null && run.input !== null;
  return (canRetry && run.error?.step) || undefined;
}

function Results({
  heading,
  text,
  found,
  onSelect,
}: {
  heading: string;
  /** The text to search for, in lower case. */
  text: string;
  found: readonly Found[];
  onSelect: (one: Found) => void;
}) {
  const isInProject = useIsInProject();
  if (found.length === 0) return null;
  return (
    <Command.Group heading={heading} className={group}>
      {found.map((one) => {
        const { word, place } = kindWords[one.kind];
        const isOfAllProjects = isInProject && one.kind === "endUser";
        const isNamed = `${one.label}\n${one.detail}`.toLowerCase().includes(text);
        const label = one.label.length > 200 || one.label.startsWith("0x") ? shorten(one.label) : one.label;
        return (
          <Entry
            key={`${one.kind} ${one.parentId} ${one.id}`}
            value={`${one.kind} ${one.parentId} ${one.id}`}
            icon={place}
            onSelect={() => onSelect(one)}
            hint={
              <span className="shrink-0 text-12 text-muted">
                {isOfAllProjects ? `${word} of all projects` : word}
              </span>
            }
          >
            <bdi>{plainName(label)}</bdi>
            {isNamed || !one.id.includes(text)
              ? one.detail && (
                  <bdi className="ml-2 text-12 text-muted">{plainName(detailText(one.detail))}</bdi>
                )
              : // Found by a part of its id: without it, nobody sees why.
                one.id !== one.label && <span className="ml-2 font-mono text-12 text-muted">{one.id}</span>}
          </Entry>
        );
      })}
    </Command.Group>
  );
}

const detailText = (detail: string) =>
  detail.startsWith("0x")
    ? shorten(detail)
    : (detail.startsWith("svc_") ? detail : detail.replaceAll("_", " ")).slice(0, 100);

type Simple = { label: string; onSelect: () => void };

function Entries({ heading, entries }: { heading: string; entries: readonly Simple[] }) {
  if (entries.length === 0) return null;
  return (
    <Command.Group heading={heading} className={group}>
      {entries.map(({ label, onSelect }) => (
        <Entry key={label} value={`do ${label}`} onSelect={onSelect}>
          {label}
        </Entry>
      ))}
    </Command.Group>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <p className="px-3 py-2 text-13 text-muted">{children}</p>;
}

function Entry({
  value,
  icon,
  hint,
  onSelect,
  children,
}: {
  value: string;
  icon?: string;
  hint?: ReactNode;
  onSelect: () => void;
  children: ReactNode;
}) {
  const Icon = icon === undefined ? undefined : placeIcons[icon];
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 data-[selected=true]:bg-hover"
    >
      {Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted" />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint}
    </Command.Item>
  );
}
