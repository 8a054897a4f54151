import { useMutation } from "@tanstack/react-query";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { readProblem } from "#components/ui/problem.ts";
import { toast } from "#components/ui/toast.tsx";

/** Goes on in another account of the person, in a whole new page: nothing of the one before stays. */
export function useSwitchingAccount() {
  const trpc = useTRPC();
  return useMutation(
    trpc.me.accounts.switch.mutationOptions({
      onSuccess: () => window.location.assign(routes.overview()),
      onError: (error) => toast(`The account was not switched. ${readProblem(error).message}`),
    }),
  );
}
