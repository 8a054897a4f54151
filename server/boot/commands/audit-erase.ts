import { parseArgs } from "node:util";
import { messageOf } from "#server/base/thrown.ts";
import { erasePerson, type Person } from "../../audit/erase-person.ts";
import { accountIdOf } from "../account-id.ts";
import { Refusal, sayFailure } from "../refusal.ts";
import { withDatabase } from "../with-database.ts";

const usage = `Use one of
  npm run --silent audit:erase -- --account A --end-user EXTERNAL_ID
  npm run --silent audit:erase -- --account A --member M
  npm run --silent audit:erase -- --account A --key K`;

function read(args: string[]): { accountId: string; person: Person } {
  const text = { type: "string" } as const;
  try {
    const options = { account: text, "end-user": text, member: text, key: text };
    const { account = "", "end-user": endUser, ...others } = parseArgs({ args, options }).values;
    const named = Object.entries({ endUser, ...others }).filter(([, value]) => value !== undefined);
    const accountId = accountIdOf(account);
    if (account && !accountId) throw new Refusal(`--account ${account} is no account's id.\n${usage}`);
    if (accountId && named.length === 1) return { accountId, person: Object.fromEntries(named) as Person };
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(`${messageOf(error)}\n${usage}`);
  }
  throw new Refusal(usage);
}

try {
  const { accountId, person } = read(process.argv.slice(2));
  if (!(await withDatabase(({ db }) => erasePerson(db, accountId, person))))
    throw new Refusal(`Account ${accountId} has no member, key or end user ${Object.values(person)[0]}.`);
} catch (error) {
  sayFailure(error);
}
