import { routes } from "#components/routes.ts";
import { expectNoSession } from "#components/trpc.tsx";

/** Signs the person out, removes their data from this browser, and leads to the sign-in page. */
export async function endSession(): Promise<void> {
  expectNoSession();
  const [{ signOut }, { forgetStatements }, { forgetRecent }] = await Promise.all([
    import("next-auth/react"),
    import("#app/(console)/database/sql/browser-store.ts"),
    import("#app/(console)/_shell/recent-ids.ts"),
  ]);
  forgetStatements();
  forgetRecent();
  await signOut({ callbackUrl: routes.signIn() });
}
