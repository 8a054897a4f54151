import { createTransport } from "nodemailer";
import { parseConnectionUrl } from "nodemailer/lib/shared/index.js";
import SMTPConnection from "nodemailer/lib/smtp-connection/index.js";
import { span } from "#server/base/telemetry.ts";
import { MailError, type Mailer, type MailSettings } from "./mailer.ts";

const TIMEOUT_MS = 10_000;
const CHECK_TIMEOUT_MS = 2000;
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
    check: () => greet(url),
  };
}

/** Exchanges greetings and encryption, without signing in: some mail servers limit how often one may. */
async function greet(url: string): Promise<void> {
  const connection = new SMTPConnection({
    ...parseConnectionUrl(url),
    connectionTimeout: CHECK_TIMEOUT_MS,
    greetingTimeout: CHECK_TIMEOUT_MS,
    socketTimeout: CHECK_TIMEOUT_MS,
  });
  try {
    await new Promise<void>((resolve, reject) => {
      // It stays: an error without a listener, such as one behind the greeting, would end the process.
      connection.on("error", reject);
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    connection.quit();
  } catch (reason) {
    connection.close();
    throw reason;
  }
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
