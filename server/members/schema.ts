import { z } from "zod";

const MIN_PASSWORD = 12;

/** Normalised, so that one address is one person however it is typed. */
export const Email = z
  .string()
  .trim()
  .max(254, "At most 254 characters.")
  .transform((text) => text.normalize("NFKC").toLowerCase())
  .pipe(z.email("Send an e-mail address, e.g. ada@example.com."));

export const NewPassword = z
  .string()
  .refine((text) => [...text].length >= MIN_PASSWORD, {
    error: ({ input }) =>
      `The password has ${[...String(input)].length} characters. Use at least ${MIN_PASSWORD}.`,
  })
  .max(1024, "At most 1,024 characters.");

const Name = z
  .string()
  .trim()
  .min(1, "Say what you are called.")
  .max(200, "At most 200 characters.")
  .regex(/^\P{Cc}*$/u, "Leave control characters out.");

export const SignUp = z.object({ name: Name, email: Email, password: NewPassword });

const Password = z.string().min(1, "Enter your password.").max(1024, "At most 1,024 characters.");

/** What the sign-in form sends; `code` is of the authenticator app, or a recovery code. */
export const SignIn = z.object({ email: Email, password: Password, code: z.string().max(100).optional() });

export const ConfirmPassword = z.object({ password: Password });

export const ConfirmCode = z.object({ code: z.string().min(1, "Enter the code.").max(100) });

export const ConfirmBoth = z.object({ ...ConfirmPassword.shape, ...ConfirmCode.shape });
