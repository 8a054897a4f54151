"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Section } from "#components/ui/section.tsx";
import { Badge } from "#components/ui/status.tsx";

/** Shows whether a second factor is on, with a link to change that. */
export function SecondFactorStatus() {
  const trpc = useTRPC();
  const { secondFactor } = useSuspenseQuery(trpc.me.read.queryOptions()).data;
  return (
    <Section
      title="Second factor"
      description="A code of an authenticator app beside the password, so that a stolen password is not enough."
      action={
        <ButtonLink href={routes.secondFactor()}>
          {secondFactor ? "Turn off second factor" : "Set up second factor"}
        </ButtonLink>
      }
    >
      <p>{secondFactor ? <Badge tone="ok">On</Badge> : <Badge tone="warn">Off</Badge>}</p>
    </Section>
  );
}
