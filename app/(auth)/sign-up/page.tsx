import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { nextPath } from "#app/(auth)/next-path.ts";
import { SignUpForm } from "#app/(auth)/sign-up/sign-up-form.tsx";
import { currentPerson } from "#app/current-person.ts";

type Search = { next?: string | string[] };

export const metadata: Metadata = {
  title: "Sign up",
  description:
    "Open an account with your name, email and a password, and make a first call to wallets, workflows, agents and more within minutes.",
};

export default async function SignUpPage({ searchParams }: { searchParams: Promise<Search> }) {
  const next = nextPath((await searchParams).next);
  if (await currentPerson()) redirect(next);
  return <SignUpForm next={next} />;
}
