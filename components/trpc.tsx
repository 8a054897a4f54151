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
import { makeQueryClient } from "#components/query-client.ts";
import { routes } from "#components/routes.ts";
import { ChosenProject } from "#components/ui/chosen-project.ts";
import { RequestPage } from "#components/ui/error-notice.tsx";
import { readProblem } from "#components/ui/problem.ts";
import { anythingTyped } from "#components/ui/typed.ts";
import { UNANSWERED } from "#components/unanswered.ts";
import type { ConsoleRouter } from "#server/transports/console-router.ts";

const URL = "/api/trpc";
const ATTEMPTS = 3;
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 2_000;
const MAX_BATCH = 20;

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<ConsoleRouter>();

export { useTRPC, useTRPCClient };

/** Gives a mutation its idempotency key, before any link that may repeat it. */
const nameAct: TRPCLink<ConsoleRouter> =
  () =>
  ({ op, next }) =>
    next({ ...op, context: { idempotencyKey: crypto.randomUUID(), ...op.context } });

/** True if a mutation may still be repeated: while the server can't be reached, it is repeated without a limit. */
function mayYetBeAnswered(attempts: number): boolean {
  window.dispatchEvent(new Event(UNANSWERED));
  return attempts < ATTEMPTS || !onlineManager.isOnline();
}

/** Returns the mutation's headers; its context may name the project that it belongs to. */
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
          // Only an unanswered mutation is repeated; its idempotency key makes it take effect once.
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

let sessionEnds = false;
/**
 * Disables the redirect to the sign-in page before an action that ends the session and leads there itself; queries of the
 * page may find the session ended before the action is answered. With `false`, the action has failed.
 */
export function expectNoSession(ends = true) {
  sessionEnds = ends;
}

/**
 * Handles an ended session and a missing second factor: a person signs in again, on the page if they have typed
 * something, else on the sign-in page, which leads back here; or they set up the second factor.
 */
async function goOnWithoutSession(error: unknown) {
  if (sessionEnds) return;
  const { code, needs } = readProblem(error);
  const { pathname, search } = window.location;
  if (code === "unauthenticated" && !(anythingTyped() && (await askPerson("session"))))
    window.location.assign(routes.signIn({ next: pathname + search }));
  if (needs === "second_factor" && !pathname.startsWith(routes.security()))
    window.location.assign(routes.secondFactor());
}

/** Returns the query client: a new one for each request on the server, a single one in the browser. */
function queryClient() {
  if (typeof window === "undefined") return makeQueryClient();
  browserClient ??= makeQueryClient(goOnWithoutSession);
  return browserClient;
}

/**
 * Gives pages their data: `const trpc = useTRPC(); useSuspenseQuery(trpc.projects.list.queryOptions())`; inside a
 * project, only that project's data.
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
