import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { nextPath } from "#app/(auth)/next-path.ts";
import { SignInForm } from "#app/(auth)/sign-in/sign-in-form.tsx";
import { currentPerson } from "#app/current-person.ts";

type Search = { next?: string | string[] };

export const metadata: Metadata = {
  title: "Sign in",
  description: "Sign in to your account: its projects, keys, wallets, runs, approvals and credits.",
};

export default async function SignInPage({ searchParams }: { searchParams: Promise<Search> }) {
  const next = nextPath((await searchParams).next);
  if (await currentPerson()) redirect(next);
  return <SignInForm next={next} />;
}
