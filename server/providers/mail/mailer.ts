import { log } from "#server/base/log.ts";

/** A mail server (SMTP_URL), and who its mails are from (MAIL_FROM). */
export interface MailSettings {
  url: string;
  from: string;
}

/** How often a job tries to send a mail, with growing pauses, before it gives up. */
export const MAIL_ATTEMPTS = 12;
/** The priority of mails about a person's sign-in: before all mails and other jobs of accounts. */
export const SIGN_IN_MAIL = -1;

/** A mail to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same in every attempt, so that receivers know a repeated mail again. */
  id: string;
}

/** Sends mails. */
export interface Mailer {
  /** Resolves once the mail server has accepted the mail; throws `MailError`. */
  send(mail: Mail): Promise<void>;
  /** Throws if the mail server does not greet. */
  check(): Promise<void>;
}

/** Why a mail was not sent, in words for the person who requested it. */
export class MailError extends Error {
  /** True if the mail server refuses this very mail, so that sending it again is useless. */
  readonly refused: boolean;

  constructor(message: string, refused: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = "MailError";
    this.refused = refused;
  }
}

/** Sends a mail for a job: throws if the mail server is unreachable, so that the job retries; only logs a refusal. */
export async function sendUnlessRefused(mailer: Mailer, mail: Mail): Promise<void> {
  try {
    await mailer.send(mail);
  } catch (reason) {
    if (!(reason instanceof MailError && reason.refused)) throw reason;
    log.warn("The mail server refused a mail.", { subject: mail.subject, error: reason.message });
  }
}
