import { createTransport } from "nodemailer";
import { span } from "#server/base/telemetry.ts";
import { MailError, type Mailer, type MailSettings } from "./mailer.ts";

const TIMEOUT_MS = 10_000;
const MAX_TEXT = 300;

/** Sends mails by SMTP, on a new connection each: mails are few, and none waits for another. */
export function openSmtp({ url, from }: MailSettings): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text, id }) {
      // An address object is never parsed as a list of several.
      const recipient = { name: "", address: to };
      await span(
        "SMTP",
        () => ({ kind: "client", attributes: { "server.address": URL.parse(url)?.hostname } }),
        () => transport.sendMail({ from, to: recipient, subject, text, messageId: id }),
      ).catch((cause) => {
        throw mailError(cause);
      });
    },
  };
}

function mailError(reason: unknown): MailError {
  const { message, responseCode } = reason as { message: string; responseCode?: number };
  const text = message.length > MAX_TEXT ? `${message.slice(0, MAX_TEXT)}…` : message;
  const refused = responseCode !== undefined && responseCode >= 500;
  return new MailError(
    `The mail server (SMTP_URL) ${refused ? "refused the mail" : "did not take the mail"}: ${text}`,
    refused,
    { cause: reason },
  );
}
