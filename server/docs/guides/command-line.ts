import { heading, list, type Page, paragraph, shell, table } from "../page.ts";

/** Returns the guide to the command line. */
export function commandLinePage(baseUrl: string): Page {
  return {
    path: "/docs/command-line",
    title: "Command line",
    lead: "`msp` calls every operation of this reference, for Node.js 20 and later, without dependencies. This installation serves the version that fits it.",
    blocks: [
      heading("Install and sign in"),
      shell(`npm install --global ${baseUrl}/clients/cli.tgz
msp login --base-url ${baseUrl}
msp whoami`),
      paragraph(
        "`msp login` shows a code and opens the browser. There you compare the code, and choose what the command line may do, how much it may spend and until when, as for [any app](/docs/connect-an-app). Without `--scope` it asks for all but what moves money, decides approvals or buys credits. The sign-in is a key of yours: `msp logout` ends it, and with it the keys that were made by it; so does Security in the console.",
      ),
      list([
        "Sign-ins lie in `$XDG_CONFIG_HOME/managed-services/credentials.json` (`~/.config` by default), readable by you alone. Their tokens are sent to their own installation and nowhere else.",
        "`--profile NAME` or `PLATFORM_PROFILE` takes another sign-in.",
        "`PLATFORM_API_KEY` and `PLATFORM_URL` win over a sign-in: programs and CI use these.",
      ]),
      heading("Every operation"),
      paragraph(
        "A command is an operation's id in words, the ids of its path, and its fields: `projects.create` is `msp projects create`. `msp help RESOURCE` lists commands, `--help` after one its fields.",
      ),
      shell(`msp projects create --name "Web shop" --metadata '{"team":"a"}'
msp projects list --status active --all
msp projects update proj_… --description null
msp services invoke managed-memory --operation-id list --input '{"tags":["greeting"]}'
msp wallets transactions list wal_… --output csv`),
      list([
        "Text is written as it is, JSON as it is or as `@FILE`; `null` empties a field that may be null; a list of texts is said once for each.",
        "`--json FILE` takes a JSON object with fields (`-`: standard input); fields beside it win.",
        "On a terminal answers are tables, else JSON: a line for each item of a list. `--output table|json|csv` chooses.",
        "`--project ID` and `--for-end-user ID` act in a project or for one of your users.",
        "What destroys something asks at a terminal, unless `--yes` is said.",
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
        "`keys create` writes the secret to standard output alone, once. The key lies below yours, and ends with it.",
        "`--wait` and `--follow` end with the run, with exit code 1 where it has not succeeded.",
        "Uploads and downloads show their progress on a terminal, and compare SHA-256; a download that breaks off goes on where it was, and the file is there once it is whole.",
        "`webhooks listen` follows [events](/docs/streams) and posts each to a server of yours, once, byte for byte and signed as [webhooks](/docs/webhooks) are, with a secret that stays the profile's. It tells the status of each answer.",
        "`msp db` alone asks for statements, which end with `;`. `\\dt` lists tables, `\\d NAME` a table's columns, `\\q` ends. It only reads: [databases.actions](/docs/databases.actions) writes.",
        "`doctor` looks at the address, the platform, the clock, the credential, streams and versions, and says what to do.",
      ]),
      heading("In scripts"),
      table(
        ["Exit code", "Meaning"],
        [
          ["0", "Done."],
          ["1", "It failed."],
          ["2", "The command is wrong, or what it says."],
          ["3", "Not signed in, or the key does not count."],
          ["4", "Refused: a scope, a boundary or a policy, or a payment is needed."],
          ["5", "A limit is exhausted for more than five seconds; shorter waits are waited out."],
          ["6", "Whether anything happened is not known."],
        ],
      ),
      paragraph(
        "Answers go to standard output, everything else to standard error; with `--output json` a failure is one line of JSON there. Each write has an idempotency key. After exit code 6 the message names it: the same command with `--idempotency-key` answers what happened, and [never acts twice](/docs/idempotency).",
      ),
    ],
  };
}
