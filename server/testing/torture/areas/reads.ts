import type { Random } from "#server/testing/random.ts";
import type { Area, AreaContext } from "../area.ts";

const READERS = 3;
const PROJECTS = 5;
const CREDITS = 1000;
/** The number of concurrent reads of a page. */
const PAGE = [5, 12] as const;
/** Lists of resources that the reader has never had, which stay empty. */
const LISTS = [
  "projects",
  "files",
  "wallets",
  "credits/ledger",
  "runs",
  "swaps",
  "trading/orders",
  "trading/positions",
  "connections",
  "artifacts",
  "webhooks",
  "webhook-deliveries",
];

interface Reader {
  key: string;
  /** The response of each path, while nobody changes the account. */
  answers: Map<string, string>;
  /** The paths that name a resource. */
  own: string[];
}

/** Pages of accounts that nobody changes: each read returns the same bytes, and nothing of another account. */
export const reads: Area = {
  name: "reads",
  weight: 10,
  async start(context) {
    const { client, report } = context;
    const readers: Reader[] = [];
    for (let left = READERS; left > 0; left--) readers.push(await makeReader(context));

    async function readOwn({ key, answers }: Reader, random: Random) {
      const [path, due] = random.pick([...answers]);
      const answer = await client.send({ method: "GET", path, key }, random);
      if (!answer || answer.status >= 500) return;
      const came = JSON.stringify(answer.body);
      if (came !== due) report(`GET ${path} was answered ${answer.status}, ${came}, not ${due}.`);
    }

    async function readForeign({ key }: Reader, other: Reader, random: Random) {
      const path = random.pick(other.own);
      const answer = await client.send({ method: "GET", path, key }, random);
      if (!answer || answer.status === 404 || answer.status >= 500) return;
      report(`GET ${path} was answered ${answer.status} to another account.`);
    }

    return {
      async call(random) {
        const reader = random.pick(readers);
        const others = readers.filter((other) => other !== reader);
        const page = Array.from({ length: random.between(...PAGE) }, () =>
          random.chance(0.15) ? readForeign(reader, random.pick(others), random) : readOwn(reader, random),
        );
        await Promise.all(page);
      },
      check: async () => [],
    };
  },
};

async function makeReader({ client, createAccount, marker }: AreaContext): Promise<Reader> {
  const { key } = await createAccount(CREDITS);
  const own: string[] = [];

  async function make(path: string, body: unknown) {
    const headers = { "idempotency-key": marker("readable") };
    return client.must({ method: "POST", path, key, body, headers });
  }
  for (let left = PROJECTS; left > 0; left--) {
    const { project } = await make("/v1/projects", { name: marker("readable") });
    own.push(`/v1/projects/${project.id}`);
  }
  const { wallet } = await make("/v1/wallets", { label: marker("readable") });
  own.push(`/v1/wallets/${wallet.id}`);
  const input = { content: marker("readable") };
  await make("/v1/services/managed-memory/invoke", { operationId: "put", input });

  const answers = new Map<string, string>();
  for (const path of [...LISTS.map((list) => `/v1/${list}`), ...own])
    answers.set(path, JSON.stringify(await client.must({ method: "GET", path, key })));
  return { key, answers, own };
}
