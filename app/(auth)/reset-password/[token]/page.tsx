import type { Metadata } from "next";
import { NewPasswordForm } from "#app/(auth)/reset-password/[token]/new-password-form.tsx";
import { routes } from "#components/routes.ts";
import { TextLink } from "#components/ui/link.tsx";
import { openPasswordReset } from "#server/members/reset-password.ts";

export const metadata: Metadata = { title: "New password", robots: "noindex", referrer: "no-referrer" };

export default async function ResetPasswordPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const user = await openPasswordReset(token);
  return (
    <>
      <div className="min-w-0">
        <h1 className="font-semibold text-20">{user ? "New password" : "This link is over"}</h1>
        <p className="mt-0.5 break-words text-muted">
          {user ? `For ${user.email}.` : "It was used, or has expired."}
        </p>
      </div>
      {user ? (
        <NewPasswordForm token={token} />
      ) : (
        <p>
          <TextLink href={routes.forgotPassword()}>Ask for another link</TextLink>
        </p>
      )}
    </>
  );
}
