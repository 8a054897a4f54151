import { onlineManager } from "@tanstack/react-query";
import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { readProblem } from "#components/ui/problem.ts";
import type { ConsoleRouter } from "#server/transports/console-router.ts";

/** What a call may be refused for until the person does it: prove their identity, or sign in again. */
export type Wanted = "proof" | "session";
/** Asks the person; answers whether they did it. */
export type AskPerson = (wanted: Wanted) => Promise<boolean>;

let ask: AskPerson | null = null;
const asking = new Map<Wanted, Promise<boolean>>();

/** Registers the component that asks, for as long as its dialogs are on the page. */
export function offerToAsk(offered: AskPerson): () => void {
  ask = offered;
  return () => {
    if (ask === offered) ask = null;
  };
}

/** Calls that are refused together are answered by one dialog. */
export function askPerson(wanted: Wanted): Promise<boolean> {
  const asked = asking.get(wanted) ?? ask?.(wanted) ?? Promise.resolve(false);
  asking.set(wanted, asked);
  return asked.finally(() => asking.delete(wanted));
}

function wantedBy(error: unknown): Wanted | null {
  const { code, needs } = readProblem(error);
  if (needs === "proof") return "proof";
  return code === "unauthenticated" ? "session" : null;
}

/**
 * Where an act is refused until the person has done something, asks for that and makes the same call again, under the
 * same idempotency key. A person who closes the dialog instead sees the refusal.
 */
export const askAndRepeat: TRPCLink<ConsoleRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      const asked = new Set<Wanted>();
      let subscription = send();
      function send() {
        return next(op).subscribe({
          next(value) {
            // A server that answers can be reached: what follows need not wait until that is found out.
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
