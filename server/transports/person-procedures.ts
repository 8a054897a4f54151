import { z } from "zod";
import { changePassword } from "#server/members/change-password.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
} from "#server/members/enrol-second-factor.ts";
import { findPerson, sessionEnded } from "#server/members/person.ts";
import { provePerson } from "#server/members/prove-person.ts";
import { askPasswordReset, resetPassword } from "#server/members/reset-password.ts";
import {
  AskPasswordReset,
  ChangePassword,
  ConfirmBoth,
  ConfirmCode,
  ConfirmPassword,
  FollowInvitation,
  Proof,
  ResetPassword,
  SignUp,
} from "#server/members/schema.ts";
import { listSessions, revokeOtherSessions, revokeSession } from "#server/members/sessions.ts";
import { signUp } from "#server/members/sign-up.ts";
import { joinAccount, listAccounts, switchAccount } from "#server/members/switch-account.ts";
import { invalidRequest, issuesOf } from "#server/operation/input.ts";
import { followChanges } from "./follow-changes.ts";
import { type ConsoleContext, failureOf, read, t, write } from "./procedures.ts";

/** Validates an input as the pipeline validates a body. */
function checked<Schema extends z.ZodObject>(schema: Schema) {
  const strict = schema.strict();
  return (input: unknown): z.output<Schema> => {
    const result = strict.safeParse(input ?? {});
    if (!result.success) throw invalidRequest(issuesOf(result.error, "body"));
    return result.data as z.output<Schema>;
  };
}

async function personOf({ session }: ConsoleContext) {
  const person = await findPerson(session);
  if (!person || !session) throw failureOf(sessionEnded());
  return { person, session };
}

const myRead = read.use(async ({ ctx, next }) => next({ ctx: await personOf(ctx) }));
const myWrite = write.use(async ({ ctx, next }) => next({ ctx: await personOf(ctx) }));

/**
 * Procedures for a person outside of any account. They need no role, so they are not operations of the registry;
 * members, invitations and roles belong to an account and are.
 */
const persons = t.router({
  signUp: write.input(checked(SignUp)).mutation(({ ctx, input }) => signUp(input, ctx)),
  passwordReset: t.router({
    ask: write.input(checked(AskPasswordReset)).mutation(({ ctx, input }) => askPasswordReset(input, ctx)),
    choose: write.input(checked(ResetPassword)).mutation(({ ctx, input }) => resetPassword(input, ctx)),
  }),
  me: t.router({
    read: myRead.query(({ ctx: { person } }) => person),
    changes: myRead
      .input(checked(z.object({ since: z.number().default(0) })))
      .subscription(({ ctx, input, signal }) => followChanges(ctx, input.since, signal)),
    sessions: t.router({
      list: myRead.query(({ ctx }) => listSessions(ctx.person)),
      revoke: myWrite
        .input(checked(z.object({ sessionId: z.string() })))
        .mutation(({ ctx, input }) => revokeSession(ctx.person, input.sessionId, ctx)),
      revokeOthers: myWrite.mutation(({ ctx }) => revokeOtherSessions(ctx.person, ctx)),
    }),
    prove: myWrite.input(checked(Proof)).mutation(({ ctx, input }) => provePerson(ctx.person, input, ctx)),
    password: t.router({
      change: myWrite
        .input(checked(ChangePassword))
        .mutation(({ ctx, input }) => changePassword(ctx.person, input, ctx)),
    }),
    accounts: t.router({
      list: myRead.query(({ ctx }) => listAccounts(ctx.person)),
      switch: myWrite.input(checked(z.object({ accountId: z.string() }))).mutation(async ({ ctx, input }) => {
        ctx.cookies.push(await switchAccount(ctx.person, ctx.session, input.accountId, ctx));
      }),
      join: myWrite.input(checked(FollowInvitation)).mutation(async ({ ctx, input }) => {
        const { accountId, cookie } = await joinAccount(ctx.person, ctx.session, input.token, ctx);
        ctx.cookies.push(cookie);
        return { accountId };
      }),
    }),
    secondFactor: t.router({
      begin: myWrite
        .input(checked(ConfirmPassword))
        .mutation(({ ctx, input }) => beginSecondFactor(ctx.person, input)),
      confirm: myWrite
        .input(checked(ConfirmCode))
        .mutation(({ ctx, input }) => confirmSecondFactor(ctx.person, input, ctx)),
      disable: myWrite
        .input(checked(ConfirmBoth))
        .mutation(({ ctx, input }) => disableSecondFactor(ctx.person, input, ctx)),
    }),
  }),
});

export const personProcedures = persons._def.record;
export type PersonProcedures = typeof personProcedures;
