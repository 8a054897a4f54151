import { onlineManager } from "@tanstack/react-query";
import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { readProblem } from "#components/ui/problem.ts";
import type { ConsoleRouter } from "#server/transports/console-router.ts";

/** The actions that the API may demand of the person before a call: to prove their identity, or to sign in again. */
export type Demand = "proof" | "session";
/** Asks the person to do it; resolves to true if they did. */
type AskPerson = (wanted: Demand) => Promise<boolean>;

let ask: AskPerson | null = null;
const asking = new Map<Demand, Promise<boolean>>();

/** Registers the component that shows the dialogs; returns a function that removes it. */
export function registerDialogs(offered: AskPerson): () => void {
  ask = offered;
  return () => {
    if (ask === offered) ask = null;
  };
}

/** Asks the person. Calls that are refused at the same time share one dialog. */
export function askPerson(wanted: Demand): Promise<boolean> {
  const asked = asking.get(wanted) ?? ask?.(wanted) ?? Promise.resolve(false);
  asking.set(wanted, asked);
  return asked.finally(() => asking.delete(wanted));
}

function wantedBy(error: unknown): Demand | null {
  const { code, needs } = readProblem(error);
  if (needs === "proof") return "proof";
  return code === "unauthenticated" ? "session" : null;
}

/**
 * If a call is refused until the person has done something, asks them for it and repeats the call under the same
 * idempotency key. If the person closes the dialog, the call fails with the refusal.
 */
export const askAndRepeat: TRPCLink<ConsoleRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      const asked = new Set<Demand>();
      let subscription = send();
      function send() {
        return next(op).subscribe({
          next(value) {
            // A refusal proves that the server can be reached, so the repeated call need not wait for that check.
            onlineManager.setOnline(true);
            observer.next(value);
          },
          complete: () => observer.complete(),
          error(error) {
            const wanted = wantedBy(error);
            if (!wanted || asked.has(wanted)) return observer.error(error);
            asked.add(wanted);
            askPerson(wanted).then((done) => {
              if (done) subscription = send();
              else observer.error(error);
            });
          },
        });
      }
      return () => subscription.unsubscribe();
    });
