"use client";

import { type ReactNode, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { Scrolling } from "#components/ui/scrolling.tsx";
import { Badge } from "#components/ui/status.tsx";

/** The outcome for one of many items; `problem` says why nothing was done. */
export type Outcome = { problem: string | null; more?: ReactNode };

export type ManyDialogProps = {
  /** Names the action and the number of items: `Revoke 3 keys`. */
  title: string;
  verb: string;
  danger?: boolean;
  /** The consequence for each item. */
  children: ReactNode;
  items: readonly { id: string; name: string; note?: ReactNode }[];
  /** Executes the action and reports the outcome of each item as soon as it is known. */
  act: (ids: string[], report: (id: string, outcome: Outcome) => void) => Promise<void>;
  /** `done` has the ids of the changed items; null if the person left everything as it was. */
  onClose: (done: string[] | null) => void;
};

/** The dialog behind `ManyDialog`. */
export function OpenManyDialog({ verb, danger, children, act, onClose, ...asked }: ManyDialogProps) {
  // The action changes the chosen rows: the dialog keeps showing them as they were.
  const [{ title, items: shown }] = useState(asked);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [state, setState] = useState<"asked" | "busy" | "done">("asked");
  const done = [...outcomes].filter(([, { problem }]) => problem === null).map(([id]) => id);
  const close = () => onClose(state === "done" ? done : null);

  async function start() {
    setState("busy");
    const report = (id: string, outcome: Outcome) =>
      setOutcomes((before) => new Map(before).set(id, outcome));
    await act(
      shown.map(({ id }) => id),
      report,
    );
    setState("done");
  }

  return (
    <Dialog
      open
      onOpenChange={close}
      title={title}
      persistent={state === "busy"}
      footer={
        state === "done" ? (
          <Button onClick={close}>Close</Button>
        ) : (
          <>
            <Button onClick={close} disabled={state === "busy"}>
              Keep as it is
            </Button>
            <Button variant={danger ? "danger" : "primary"} pending={state === "busy"} onClick={start}>
              {verb}
            </Button>
          </>
        )
      }
    >
      <div className="text-13">{children}</div>
      <p role="status" className="text-13 text-muted">
        {state === "asked" ? "Nothing has happened yet." : `Done: ${done.length} of ${shown.length}.`}
      </p>
      <Scrolling label="Selected rows" className="max-h-72 rounded-md border">
        <ul className="divide-y text-13">
          {shown.map(({ id, name, note }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
              <bdi className="min-w-0 break-words font-medium">{plainName(name)}</bdi>
              <span className="text-muted">{note}</span>
              <Result outcome={outcomes.get(id)} />
            </li>
          ))}
        </ul>
      </Scrolling>
    </Dialog>
  );
}

function Result({ outcome }: { outcome: Outcome | undefined }) {
  if (!outcome) return null;
  if (outcome.problem !== null)
    return <span className="min-w-0 basis-full break-words text-bad">{outcome.problem}</span>;
  return (
    <>
      <Badge tone="ok">Done</Badge>
      {outcome.more}
    </>
  );
}
