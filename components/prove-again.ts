import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { readProblem } from "#components/ui/problem.ts";
import type { ConsoleRouter } from "#server/transports/console-router.ts";

/** Asks the person to prove that it is he; answers whether he did. */
export type AskForProof = () => Promise<boolean>;

let ask: AskForProof | null = null;
let asking: Promise<boolean> | null = null;

/** Makes known who asks, for as long as his dialog is on the page. */
export function offerProof(offered: AskForProof): () => void {
  ask = offered;
  return () => {
    if (ask === offered) ask = null;
  };
}

/** Calls that are refused together are answered by one proof. */
function askOnce(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = null;
  });
  return asking;
}

/**
 * Where an act is refused until the person proves that it is he, asks for that and makes the same call again, under
 * the same idempotency key. Whoever closes the dialog instead sees the refusal.
 */
export const proveAgain: TRPCLink<ConsoleRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let subscription = send(true);
      function send(first: boolean) {
        return next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error(error) {
            if (!first || readProblem(error).needs !== "proof") return observer.error(error);
            askOnce().then((proved) => {
              if (proved) subscription = send(false);
              else observer.error(error);
            });
          },
        });
      }
      return () => subscription.unsubscribe();
    });
