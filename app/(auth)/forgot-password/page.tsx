import type { Metadata } from "next";
import { ForgotPasswordForm } from "#app/(auth)/forgot-password/forgot-password-form.tsx";
import { routes } from "#components/routes.ts";
import { TextLink } from "#components/ui/link.tsx";
import { mailsPasswordResets } from "#server/members/reset-password.ts";

export const metadata: Metadata = { title: "Forgot password" };

export default function ForgotPasswordPage() {
  return (
    <>
      <h1 className="font-semibold text-20">Forgot password</h1>
      {mailsPasswordResets() ? (
        <ForgotPasswordForm />
      ) : (
        <p className="text-muted">
          This installation sends no mail. Its operator makes a link for you with{" "}
          <code>npm run account -- reset-password --email …</code>
        </p>
      )}
      <p>
        <TextLink href={routes.signIn()}>Go to sign-in</TextLink>
      </p>
    </>
  );
}
