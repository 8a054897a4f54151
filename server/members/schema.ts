import { z } from "zod";
import { ROLES } from "#server/operation/caller.ts";
import { instant, keepsDirection, label, turnsDirection, typeId } from "#server/operation/fields.ts";
import { APP_CONNECTORS } from "#server/operation/roles.ts";
import { INVITATION_STATUSES } from "./statuses.ts";

const MIN_PASSWORD = 12;

/** An e-mail address, normalised so that one address is one person however it is typed. */
export const Email = z
  .string()
  .trim()
  .max(254, "At most 254 characters.")
  .transform((text) => text.normalize("NFKC").toLowerCase())
  .pipe(z.email("Send an e-mail address, e.g. ada@example.com."));

const NewPassword = z
  .string()
  .refine((text) => [...text].length >= MIN_PASSWORD, {
    error: ({ input }) =>
      `The password has ${[...String(input)].length} characters. Use at least ${MIN_PASSWORD}.`,
  })
  .max(1024, "At most 1,024 characters.");

const Name = z
  .string()
  .trim()
  .min(1, "Enter your name.")
  .max(200, "At most 200 characters.")
  .regex(/^\P{Cc}*$/u, "Leave control characters out.")
  .refine((text) => text.isWellFormed(), "Contains a lone surrogate.")
  .refine(keepsDirection, turnsDirection);

/** The token of a link. */
const LinkToken = z.string().max(200);

/** The sign-up form. With an invitation the person joins its account and gets no account of their own. */
export const SignUp = z.object({
  name: Name,
  email: Email,
  password: NewPassword,
  invitation: LinkToken.optional(),
});

const Password = z.string().min(1, "Enter your password.").max(1024, "At most 1,024 characters.");

/** The sign-in form; `code` is from the authenticator app, or a recovery code. */
export const SignIn = z.object({
  email: Email,
  password: Password,
  code: z.string().max(100).optional(),
  invitation: LinkToken.optional(),
});

export const FollowInvitation = z.object({ token: LinkToken });

export const ConfirmPassword = z.object({ password: Password });

/** The form to change a password. */
export const ChangePassword = z.object({ password: Password, newPassword: NewPassword });

/** The form to request a password reset link. */
export const AskPasswordReset = z.object({ email: Email });

/** The form to set a new password by such a link. */
export const ResetPassword = z.object({ token: LinkToken, newPassword: NewPassword });

export const ConfirmCode = z.object({ code: z.string().min(1, "Enter the code.").max(100) });

export const ConfirmBoth = z.object({ ...ConfirmPassword.shape, ...ConfirmCode.shape });

/** The proof of identity when asked again: a code if a second factor is set up, else the password. */
export const Proof = z.object({
  password: Password.optional(),
  code: ConfirmCode.shape.code.optional(),
});

const Role = z
  .enum(ROLES)
  .describe(
    "The member's role, from fewest to most permissions: viewer < approver, developer < admin < owner.",
  );

export const Member = z
  .object({
    id: typeId("member"),
    name: z.string().describe("The person's name."),
    email: z.string().describe("The e-mail address that the person signs in with."),
    role: Role,
    secondFactor: z.boolean().describe("True if the person has set up a second factor."),
    createdAt: instant.describe("When the person became a member."),
  })
  .meta({ id: "Member", description: "A person's role in the account." });
export type Member = z.infer<typeof Member>;

export const MemberParams = z.object({ memberId: typeId("member") });

export const UpdateMember = z.object({ role: Role });

export const Account = z
  .object({
    id: typeId("account"),
    name: label.describe("The account's name in the console."),
    requireSecondFactor: z.boolean().describe("True if every member needs a second factor."),
    appConnectors: z
      .enum(APP_CONNECTORS)
      .describe("Which members may connect apps, each within their role; `admins` includes owners."),
    createdAt: instant.describe("When the account was created."),
  })
  .meta({ id: "Account", description: "A customer of the platform." });

export const UpdateAccount = z
  .object({
    name: Account.shape.name,
    requireSecondFactor: Account.shape.requireSecondFactor,
    appConnectors: Account.shape.appConnectors,
  })
  .partial();

export const Invitation = z
  .object({
    id: typeId("invitation"),
    email: z
      .string()
      .describe("The e-mail address of the invited person; nobody else can accept the invitation."),
    role: Role,
    status: z.enum(INVITATION_STATUSES).describe("The status; only a `pending` invitation can be accepted."),
    mail: z
      .enum(["none", "waiting", "sent", "failed"])
      .describe("The status of the mail; `none` if the link was handed over instead."),
    mailError: z.string().nullable().describe("Why the mail was not sent; null if there was no error."),
    invitedBy: z.string().nullable().describe("The inviting member; null after they have left."),
    expiresAt: instant.describe("When the invitation expires."),
    createdAt: instant.describe("When the invitation was created."),
  })
  .meta({ id: "Invitation", description: "An invitation of a person to the account." });
export type Invitation = z.infer<typeof Invitation>;

export const InvitationParams = z.object({ invitationId: typeId("invitation") });

export const CreateInvitation = z.object({
  email: Email.describe("The e-mail address of the person to invite."),
  role: Role,
});
