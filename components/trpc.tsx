"use client";

import { onlineManager, QueryClientProvider } from "@tanstack/react-query";
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  type Operation,
  retryLink,
  splitLink,
  type TRPCLink,
} from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import { askAndRepeat, askPerson } from "#components/ask-person.ts";
import { anythingTyped } from "#components/form/typed.ts";
import { makeQueryClient } from "#components/query-client.ts";
import { routes } from "#components/routes.ts";
import { ChosenProject } from "#components/ui/chosen-project.ts";
import { RequestPage } from "#components/ui/error-notice.tsx";
import { readProblem } from "#components/ui/problem.ts";
import { UNANSWERED } from "#components/unanswered.ts";
import type { ConsoleRouter } from "#server/transports/console-router.ts";

const URL = "/api/trpc";
const ATTEMPTS = 3;
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 2_000;
const MAX_BATCH = 20;

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<ConsoleRouter>();

export { useTRPC, useTRPCClient };

/** Gives an act its idempotency key, before anything that may send it again. */
const nameAct: TRPCLink<ConsoleRouter> =
  () =>
  ({ op, next }) =>
    next({ ...op, context: { idempotencyKey: crypto.randomUUID(), ...op.context } });

/** As long as the server can't be reached, an act waits for it. */
function mayYetBeAnswered(attempts: number): boolean {
  window.dispatchEvent(new Event(UNANSWERED));
  return attempts < ATTEMPTS || !onlineManager.isOnline();
}

/** An act may name the project that it belongs to in its context. */
function headersOf({ context: { idempotencyKey, projectId } }: Operation): Record<string, string> {
  return {
    "idempotency-key": String(idempotencyKey),
    ...(typeof projectId === "string" && { "x-service-project": projectId }),
  };
}

function makeClient(projectId: string | null) {
  const selected: Record<string, string> = projectId ? { "x-service-project": projectId } : {};
  return createTRPCClient<ConsoleRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === "mutation",
        true: [
          nameAct,
          askAndRepeat,
          // Only what was not answered is sent again; under its key it takes effect once.
          retryLink({
            retry: ({ error, attempts }) => !error.data && mayYetBeAnswered(attempts),
            retryDelayMs: (attempt) => Math.min(FIRST_RETRY_MS * 2 ** attempt, LONGEST_RETRY_MS),
          }),
          httpLink({ url: URL, headers: ({ op }) => ({ ...selected, ...headersOf(op) }) }),
        ],
        false: httpBatchLink({ url: URL, maxItems: MAX_BATCH, headers: selected }),
      }),
    ],
  });
}

const auditOf = (requestId: string) => routes.audit({ requestId });

let browserClient: ReturnType<typeof makeQueryClient> | undefined;

let signingOut = false;
/** Before a person ends their session: they are leaving already, and need not come back here. */
export function expectNoSession() {
  signingOut = true;
}

/**
 * A session that ended meanwhile: sign in again, on the page where something was typed, else on the way back to it.
 * A factor that is asked for: set it up.
 */
async function goOnWithoutSession(error: unknown) {
  if (signingOut) return;
  const { code, needs } = readProblem(error);
  const { pathname, search } = window.location;
  if (code === "unauthenticated" && !(anythingTyped() && (await askPerson("session"))))
    window.location.assign(routes.signIn({ next: pathname + search }));
  if (needs === "second_factor" && !pathname.startsWith(routes.security()))
    window.location.assign(routes.secondFactor());
}

/** The server renders each request with a client of its own; the browser keeps one. */
function queryClient() {
  if (typeof window === "undefined") return makeQueryClient();
  browserClient ??= makeQueryClient(goOnWithoutSession);
  return browserClient;
}

/**
 * Gives pages their data: `const trpc = useTRPC(); useSuspenseQuery(trpc.projects.list.queryOptions())`; within a project
 * that of the project alone.
 */
export function DataProvider({ projectId, children }: { projectId: string | null; children: ReactNode }) {
  const client = queryClient();
  const [chosen] = useState(projectId);
  const [trpcClient] = useState(() => makeClient(chosen));
  return (
    <ChosenProject value={chosen}>
      <QueryClientProvider client={client}>
        <TRPCProvider trpcClient={trpcClient} queryClient={client}>
          <RequestPage value={auditOf}>{children}</RequestPage>
        </TRPCProvider>
      </QueryClientProvider>
    </ChosenProject>
  );
}
