import type { Metadata } from "next";
import { JoinAccount } from "#app/(auth)/invitation/[token]/join-account.tsx";
import { OtherPerson } from "#app/(auth)/invitation/[token]/other-person.tsx";
import { SignInForm } from "#app/(auth)/sign-in/sign-in-form.tsx";
import { SignUpForm } from "#app/(auth)/sign-up/sign-up-form.tsx";
import { currentPerson } from "#app/current-person.ts";
import { routes } from "#components/routes.ts";
import { TextLink } from "#components/ui/link.tsx";
import { openInvitation } from "#server/members/accept-invitation.ts";

export const metadata: Metadata = { title: "Invitation", robots: "noindex" };

export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const [invitation, person] = await Promise.all([openInvitation(token), currentPerson()]);
  if (!invitation) return <InvitationOver />;
  const { email, role, accountName, invitedBy, known } = invitation;
  const invited = { email, invitation: token };
  return (
    <>
      <div className="min-w-0">
        <h1 className="break-words font-semibold text-20">Join {accountName}</h1>
        <p className="mt-0.5 break-words text-muted">
          {invitedBy ?? "An owner"} invites {email} to work here as {role}.
        </p>
      </div>
      {person ? (
        person.email.toLowerCase() === email ? (
          <JoinAccount token={token} />
        ) : (
          <OtherPerson email={person.email} />
        )
      ) : known ? (
        <SignInForm next={routes.overview()} invited={invited} />
      ) : (
        <SignUpForm next={routes.overview()} invited={invited} />
      )}
    </>
  );
}

function InvitationOver() {
  return (
    <>
      <div>
        <h1 className="font-semibold text-20">This invitation is over</h1>
        <p className="mt-0.5 text-muted">
          It was used, revoked, or has expired. Ask its sender for another one.
        </p>
      </div>
      <p>
        <TextLink href={routes.signIn()}>Go to sign-in</TextLink>
      </p>
    </>
  );
}
