import type { ApiKey } from "../../../typescript/src/index.ts";
import { formatOf, optionsOf } from "../arguments.ts";
import { signatureOf } from "../commands.ts";
import { argumentsOf, call } from "../operation.ts";
import { print, printOne, say } from "../output.ts";
import type { OwnCommand } from "../own-command.ts";
import { openSession } from "../session.ts";

/** `keys create`: prints only the secret to standard output, so that it can be piped into a secret store. */
export const createKey: OwnCommand = {
  words: [
    ["keys", "create"],
    ["api-keys", "create"],
  ],
  usage: "--label TEXT --scopes SCOPE …",
  summary: "Create a key below yours; its secret is printed once",
  operation: "apiKeys.create",
  options: () => optionsOf(signatureOf("apiKeys.create")),
  async run(given) {
    const signature = signatureOf("apiKeys.create");
    const session = await openSession(given);
    const made = (await call(session, signature, await argumentsOf(given, signature), given)) as {
      apiKey: ApiKey;
      secret: string;
    };
    if (given.values.output) return printOne(made, formatOf(given));
    print(`${made.secret}\n`);
    const { id, label, scopes, expiresAt } = made.apiKey;
    say(`${id} "${label}" has ${scopes.join(", ") || "no scope"}, until ${expiresAt} at the latest.`);
    say("It ends with the key or the sign-in that made it.");
  },
};
