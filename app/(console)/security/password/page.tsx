import type { Metadata } from "next";
import { ChangePasswordForm } from "#app/(console)/security/password/change-password-form.tsx";
import { routes } from "#components/routes.ts";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export const metadata: Metadata = { title: "Change password" };

export default function ChangePasswordPage() {
  return (
    <Page>
      <PageHeader
        title="Change password"
        sentence="Afterwards you are signed out everywhere else."
        back={<TextLink href={routes.security()}>Security</TextLink>}
      />
      <ChangePasswordForm />
    </Page>
  );
}
