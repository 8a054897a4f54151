import { SMTPServer } from "smtp-server";
import { portOf } from "#server/boot/processes.ts";
import { onCleanup } from "./cleanup.ts";

/** A mail that the server has accepted. */
interface TakenMail {
  from: string;
  to: string[];
  /** Headers and body, decoded. */
  text: string;
}

/** Starts a real mail server on this machine, until the test file ends. It refuses recipients called `nobody@…`. */
export async function startMailServer(port = 0) {
  const mails: TakenMail[] = [];
  const held = new Map<string, Promise<void>>();
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _, done) {
      const refusal = Object.assign(new Error("No such mailbox"), { responseCode: 550 });
      done(address.startsWith("nobody@") ? refusal : null);
    },
    async onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part);
      const raw = Buffer.concat(parts).toString();
      const text = raw
        .replace(/=\r\n/g, "")
        .replace(/(=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll("=", ""), "hex").toString());
      mails.push({
        from: envelope.mailFrom ? envelope.mailFrom.address : "",
        to: envelope.rcptTo.map((to) => to.address),
        text,
      });
      await Promise.all(envelope.rcptTo.map(({ address }) => held.get(address)));
      done();
    },
  });
  await new Promise<void>((resolve) => smtp.listen(port, "127.0.0.1", resolve));
  let stopped = false;
  const stop = () =>
    new Promise<void>((resolve) => {
      if (stopped) return resolve();
      stopped = true;
      smtp.close(resolve);
    });
  onCleanup(stop);
  const used = portOf(smtp.server);
  /** Withholds the confirmation of mails to this address until the returned function is called. */
  function hold(address: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(address, promise);
    return resolve;
  }
  return { port: used, url: `smtp://127.0.0.1:${used}`, mails, stop, hold };
}
