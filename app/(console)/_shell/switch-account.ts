import { routes } from "#components/routes.ts";
import type { useTRPCClient } from "#components/trpc.tsx";
import { readProblem } from "#components/ui/problem.ts";
import { toast } from "#components/ui/toast.tsx";

/** Switches to another account of the person, with a new document, so that no state of the previous account remains. */
export async function switchAccount(client: ReturnType<typeof useTRPCClient>, accountId: string) {
  try {
    await client.me.accounts.switch.mutate({ accountId });
    window.location.assign(routes.overview());
  } catch (error) {
    toast(`The account was not switched. ${readProblem(error).message}`, { failed: true });
  }
}
