import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceFolder } from "#server/base/source-folder.ts";
import { code, heading, list, type Page, paragraph, table } from "../page.ts";

const settingsFile = () => join(sourceFolder(), ".env.example");

/** Returns the guide for operators. */
export function selfHostingPage(): Page {
  return {
    path: "/docs/self-hosting",
    title: "Running it yourself",
    lead: "One command starts everything embedded. Settings replace the parts by your own database, buckets and chains; the code is the same.",
    blocks: [
      heading("Start"),
      code("sh", "npm start"),
      paragraph(
        "You need only Node 20 or later and npm. PostgreSQL, blobs and the sandbox's chains are embedded and stored in `DATA_DIR`; secrets are created at the first start.",
      ),
      heading("In production"),
      list([
        "Configure a PostgreSQL 18 by `DATABASE_URL`, a bucket by `BLOBS_URL`, and the same secrets for every process; a start without them names the missing ones. If all processes share one `DATA_DIR`, `BLOBS_SHARED_FOLDER=yes` replaces the bucket.",
        "Start as many `ROLE=web` and `ROLE=worker` processes as you want: they hold no state. When a worker dies, others take over its work within seconds.",
        "`npm start` runs the web server and a worker as two processes and restarts one that dies. Under a supervisor of your own, run a process per role. SIGTERM stops a process in a second or two; wait 60 seconds before you kill it.",
        "The sources contain an image, a Compose file, Kubernetes manifests and a systemd unit, with the commands, in `docs/operating.md`.",
        "Set `TRUSTED_PROXIES` to your proxy's networks, and `BASE_URL` to the public origin.",
        "Monitor `/health`: it returns version, commit and schema; it responds 503 while the database is down, and `degraded` while another component is, with the setting that names it.",
        "A component that is not configured answers 503 `service_unavailable` with the setting's name; the others work.",
      ]),
      heading("Back up"),
      list([
        'The platform\'s database, the clusters of `MANAGED_DATABASE_URLS`, and blobs (the folder `blobs` of `DATA_DIR`, or your bucket), all of the same point in time. With the embedded databases, `npm run backup` copies everything (`docs/operating.md`, "Backups").',
        "The secrets, apart from the databases: `DATA_DIR/secrets.json`, or the settings. Without them, sealed data can never be opened again.",
      ]),
      heading("Settings"),
      table(["Setting", "Meaning"], settingRows(readFileSync(settingsFile(), "utf8"))),
    ],
  };
}

/** Returns a row for each setting of an example file, with the comment above it. */
function settingRows(text: string): string[][] {
  return [...text.matchAll(/((?:^# .*\n)+)^([A-Z][A-Z0-9_]*)=/gm)].map(([, comment = "", name]) => [
    `\`${name}\``,
    comment.replace(/^# /gm, "").trim().replaceAll("\n", " "),
  ]);
}
