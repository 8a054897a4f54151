import { heading, list, type Page, paragraph, shell, table } from "../page.ts";

/** Returns the guide to the command line. */
export function commandLinePage(baseUrl: string): Page {
  return {
    path: "/docs/command-line",
    title: "Command line",
    lead: "`msp` calls every operation of this reference, for Node.js 20 and later, without dependencies. This installation serves the matching version.",
    blocks: [
      heading("Install and sign in"),
      shell(`npm install --global ${baseUrl}/clients/cli.tgz
msp login --base-url ${baseUrl}
msp whoami`),
      paragraph(
        "`msp login` shows a code and opens the browser. There you compare the code, and choose the access, the spending limit and the expiry, as for [any app](/docs/connect-an-app). Without `--scope` it requests every scope except those that move money, decide approvals or buy credits. The sign-in is a key of yours: `msp logout` revokes it together with the keys that it created. You can also revoke it under Security in the console.",
      ),
      list([
        "Sign-ins are stored in `$XDG_CONFIG_HOME/managed-services/credentials.json` (`~/.config` by default), which only you can read. Their tokens are sent only to their own installation.",
        "`--profile NAME` or `PLATFORM_PROFILE` selects another sign-in.",
        "`PLATFORM_API_KEY` and `PLATFORM_URL` take precedence over a sign-in; use them in programs and CI.",
      ]),
      heading("Every operation"),
      paragraph(
        "A command consists of an operation's id in words, the ids of its path, and its fields: `projects.create` is `msp projects create`. `msp help RESOURCE` lists commands, `--help` after one its fields.",
      ),
      shell(`msp projects create --name "Web shop" --metadata '{"team":"a"}'
msp projects list --status active --all
msp projects update proj_… --description null
msp services invoke managed-memory --operation-id list --input '{"tags":["greeting"]}'
msp wallets transactions list wal_… --output csv`),
      list([
        "Write text as it is, and JSON as it is or as `@FILE`; `null` clears a nullable field; repeat the flag for each item of a list of texts.",
        "`--json FILE` reads a JSON object with fields (`-`: standard input); fields given as flags take precedence.",
        "Responses are printed as tables on a terminal, otherwise as JSON, with one line per item of a list. `--output table|json|csv` chooses.",
        "`--project ID` and `--for-end-user ID` act in a project or for one of your users.",
        "Destructive commands ask for confirmation on a terminal, unless you pass `--yes`.",
      ]),
      heading("Beyond single operations"),
      shell(`msp keys create --label CI --scopes projects:read --scopes runs:read > secret.txt
msp runs create --service-id managed-memory --operation-id export --input '{}' --wait
msp runs logs run_… --follow
msp files up invoice.pdf report.csv
msp files down file_… copy.pdf
msp webhooks listen --forward-to http://localhost:8080/hooks --events run.*
msp db "select * from orders limit 10" --output csv
msp doctor`),
      list([
        "`keys create` writes the secret to standard output only, once. The new key is a child of yours, and ends with it.",
        "`--wait` and `--follow` end with the run, with exit code 1 if the run did not succeed.",
        "Uploads and downloads show their progress on a terminal, and compare SHA-256; an interrupted download resumes where it stopped, and the file appears once it is complete.",
        "`webhooks listen` follows [events](/docs/streams) and posts each to your server once, byte for byte and signed like [webhooks](/docs/webhooks), with a secret that stays the same for the profile. It prints the status of each response.",
        "`msp db` without a statement prompts for statements, which end with `;`. `\\dt` lists tables, `\\d NAME` a table's columns, `\\q` ends. It can only read: use [databases.actions](/docs/databases.actions) to write.",
        "`doctor` checks the address, the platform, the clock, the credential, streams and versions, and says how to fix what it finds.",
      ]),
      heading("In scripts"),
      table(
        ["Exit code", "Meaning"],
        [
          ["0", "Done."],
          ["1", "The call or the run failed."],
          ["2", "The command or one of its arguments is invalid."],
          ["3", "Not signed in, or the key is not valid."],
          ["4", "Refused by a scope, a boundary or a policy, or a payment is required."],
          ["5", "A limit is exhausted for more than five seconds; shorter waits are waited out."],
          ["6", "The outcome is unknown."],
        ],
      ),
      paragraph(
        "Responses go to standard output, everything else to standard error; with `--output json`, an error is one line of JSON there. Each write has an idempotency key. After exit code 6, the message names it: the same command with `--idempotency-key` returns the outcome, and [never acts twice](/docs/idempotency).",
      ),
    ],
  };
}
