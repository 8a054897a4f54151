import { routes } from "#components/routes.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Section } from "#components/ui/section.tsx";

/** The way to another password. */
export function PasswordSection() {
  return (
    <Section
      title="Password"
      description="A new password signs you out everywhere else."
      action={<ButtonLink href={routes.password()}>Change password</ButtonLink>}
    />
  );
}
