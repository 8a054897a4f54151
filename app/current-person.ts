import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { isOfUse } from "#app/current-project.ts";
import { routes } from "#components/routes.ts";
import { findPerson, hasScope } from "#server/members/person.ts";
import { readSessionToken, sessionCookie } from "#server/members/session-token.ts";
import type { Scope } from "#server/operation/scopes.ts";

/** The session's token of the request that is being rendered. */
const currentSession = cache(async () => readSessionToken((await cookies()).get(sessionCookie())?.value));

/** Who looks at the page that is being rendered, if somebody is signed in. */
export const currentPerson = cache(async () => findPerson(await currentSession()));

/** Returns the signed-in person; redirects anybody else to the sign-in page, which leads back here. */
export async function requirePerson() {
  const person = await currentPerson();
  if (!person) redirect(routes.signIn({ next: (await headers()).get("x-wanted") ?? undefined }));
  return person;
}

/** Returns whether the signed-in person may use the scope on this page, so that it offers only what they may do. */
export async function may(scope: Scope): Promise<boolean> {
  return hasScope(await requirePerson(), scope) && (await isOfUse(scope));
}
