import { type ChildProcess, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defined } from "../base/defined.ts";
import { type Postgres, startPostgres } from "../boot/engines/postgres.ts";
import { copyTree } from "../testing/copy-tree.ts";
import { commitOf, ROOT, withOtherTree } from "../testing/other-tree.ts";
import { measureSubject, type Subject, startSubjects } from "./pipeline.ts";
import { line, type Measure, median } from "./report.ts";

// `npm run compare -- COMMIT` measures lists and invokes of these sources and of another commit of this repository, in
// alternating rounds of one run: each tree in a process and on a PostgreSQL of its own.
const ROUNDS = 11;

const [name] = process.argv.slice(2);
if (name === undefined) {
  console.error("Usage: npm run compare -- COMMIT, a commit of this repository");
  process.exit(2);
}

interface Tree {
  subjects: Record<string, Subject>;
  cluster: Postgres;
}

const BENCH = "server/bench";
const SUBJECTS = ["list", "deep", "invoke"];
const ends: (() => unknown)[] = [];
try {
  await withOtherTree(commitOf(name), async ({ title, folder }) => {
    // Both are measured by the same programs.
    rmSync(join(folder, BENCH), { recursive: true });
    copyTree(join(ROOT, BENCH), join(folder, BENCH), copyFileSync);
    const own = await startTree(ROOT);
    const other = await startTree(folder);
    console.log(`These sources / ${title}, medians of ${ROUNDS} alternating rounds:`);
    for (const subject of SUBJECTS) report(subject, await compare(subject, own, other));
  });
} finally {
  for (const end of ends.toReversed()) await end();
}

/** Starts a tree's server on a PostgreSQL of its own. */
async function startTree(tree: string): Promise<Tree> {
  const folder = mkdtempSync(join(tmpdir(), "managed-services-compare-"));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "postgres");
  const cluster = await startPostgres({ name: "platform", dataDir, maxConnections: 100 });
  ends.push(() => cluster.stop());
  const migrate = `import(process.argv[1]).then(({ migrate }) => migrate(process.argv[2]))`;
  const boot = join(tree, "server/boot/migrate.ts");
  const { status } = spawnSync(process.execPath, ["-e", migrate, boot, cluster.url()], {
    cwd: tree,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`The database for ${tree} could not be migrated.`);
  const children: ChildProcess[] = [];
  ends.push(() => children.map((child) => child.kill("SIGKILL")));
  const subjects = await startSubjects(cluster.url(), children, join(tree, "server/bench/subjects.ts"));
  return { subjects, cluster };
}

interface Round {
  own: Measure;
  other: Measure;
}

/** Measures both trees, each first in every other round, since a round leaves work to the one that follows. */
async function compare(name: string, own: Tree, other: Tree): Promise<Round[]> {
  const measure = ({ subjects, cluster }: Tree) => measureSubject(defined(subjects[name]), cluster);
  await measure(own);
  await measure(other);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = round % 2 === 0 ? await measure(own) : null;
    const others = await measure(other);
    rounds.push({ own: before ?? (await measure(own)), other: others });
  }
  return rounds;
}

function report(subject: string, rounds: Round[]): void {
  const ratio = (of: (measure: Measure) => number) =>
    median(rounds.map(({ own, other }) => of(own) / of(other)));
  line(
    `${subject}: requests a second`,
    ratio(({ rate }) => rate),
    "≥ 0.95",
  );
  line(
    `${subject}: CPU time of a request`,
    ratio(({ server, database }) => server + database),
    "≤ 1.05",
  );
}
