import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceFolder } from "#server/source-folder.ts";
import { code, heading, list, type Page, paragraph, table } from "../page.ts";

const settingsFile = () => join(sourceFolder(), ".env.example");

/** Returns the guide for operators. */
export function selfHostingPage(): Page {
  return {
    path: "/docs/self-hosting",
    title: "Running it yourself",
    lead: "One command with everything embedded; your own database, buckets and chains by settings, through the same code.",
    blocks: [
      heading("Start"),
      code("sh", "npm start"),
      paragraph(
        "Node 20 or later and npm are all it needs. PostgreSQL, blobs and the sandbox's chains are embedded and kept in `DATA_DIR`; secrets are made at the first start.",
      ),
      heading("In production"),
      list([
        "Give it a PostgreSQL 18 by `DATABASE_URL`, a bucket by `BLOBS_URL`, and the same secrets to every process; a start without them says which are missing. Where every process sees one and the same `DATA_DIR`, `BLOBS_SHARED_FOLDER=yes` takes the place of a bucket.",
        "Start as many `ROLE=web` and `ROLE=worker` processes as you want: they hold nothing. A worker that dies has its work taken over in seconds.",
        "`npm start` runs the web server and a worker as two processes and starts one that dies again. Under a supervisor of your own, run a process per role. SIGTERM stops it, in a second or two; let it take 60 seconds before you kill it.",
        "The sources have an image, a Compose file, Kubernetes manifests and a systemd unit, with the commands, in `docs/operating.md`.",
        "Put your proxy's networks into `TRUSTED_PROXIES`, and the public origin into `BASE_URL`.",
        "Ask `/health`: version, commit and schema; 503 while the database is away, `degraded` while another part is, with the setting that names it.",
        "A component that is not configured answers 503 `service_unavailable` with the setting's name; the rest works.",
      ]),
      heading("Back up"),
      list([
        "The database, and `DATA_DIR/secrets.json` or the secrets' settings: without them nothing sealed opens again.",
        "Blobs: the folder `blobs` of `DATA_DIR`, or your bucket.",
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
