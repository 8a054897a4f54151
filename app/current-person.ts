import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { isOfUse } from "#app/current-project.ts";
import { routes } from "#components/routes.ts";
import { findPerson, hasScope } from "#server/members/person.ts";
import { readSessionToken, sessionCookie } from "#server/members/session-token.ts";
import type { Scope } from "#server/operation/scopes.ts";

/** Returns the session token of the current request. */
const currentSession = cache(async () => readSessionToken((await cookies()).get(sessionCookie())?.value));

/** Returns the person who is signed in on the current request, if any. */
export const currentPerson = cache(async () => findPerson(await currentSession()));

/** Returns the signed-in person; redirects to the sign-in page otherwise, which leads back here. */
export async function requirePerson() {
  const person = await currentPerson();
  if (!person) redirect(routes.signIn({ next: (await headers()).get("x-wanted") ?? undefined }));
  return person;
}

/** Returns whether the signed-in person's role has the scope. */
export async function holds(scope: Scope): Promise<boolean> {
  return hasScope(await requirePerson(), scope);
}

/** Returns whether the signed-in person may use the scope on this page, which then offers only permitted actions. */
export async function may(scope: Scope): Promise<boolean> {
  return (await holds(scope)) && (await isOfUse(scope));
}
