import { parseArgs } from "node:util";
import { codeOf, messageOf } from "#server/base/thrown.ts";
import { toUnits } from "../../chains/amounts.ts";
import { address as addressField, positiveAmount } from "../../chains/schema.ts";
import { type ChainSettings, openChains } from "../../providers/chain/chains.ts";
import { sandboxAccounts } from "../../providers/chain/sandbox/accounts.ts";
import { giveAway } from "../../providers/chain/sandbox/faucet.ts";
import { startChains } from "../chains.ts";
import { Refusal, sayFailure } from "../refusal.ts";
import { withDatabase } from "../with-database.ts";

const usage = `Use npm run --silent faucet -- --address A [--usd N] [--eth N] [--network eip155:31337]`;

const options = {
  address: { type: "string" },
  usd: { type: "string" },
  eth: { type: "string" },
  network: { type: "string" },
} as const;

type Values = Partial<Record<keyof typeof options, string>>;

function readGifts({ address, usd, eth }: Values) {
  const to = addressField.safeParse(address);
  if (!to.success) throw new Refusal(address ? `--address ${address} is no address.` : usage);
  const amounts = Object.entries({ usd, eth }).flatMap(([name, amount]) =>
    amount ? [{ name, amount }] : [],
  );
  if (amounts.length === 0) throw new Refusal(`Name an amount: --usd N, --eth N.\n${usage}`);
  for (const { name, amount } of amounts) {
    if (!positiveAmount.safeParse(amount).success) throw new Refusal(`--${name} ${amount} is no amount.`);
  }
  return { to: to.data, amounts };
}

async function give(values: Values, settings: readonly ChainSettings[], mnemonic: string) {
  const { to, amounts } = readGifts(values);
  const { all } = openChains(settings);
  const chain = all.find(({ network }) => values.network === undefined || values.network === network);
  if (!chain) {
    const known = all.map(({ network }) => network).join(" and ");
    throw new Refusal(`--network ${values.network} is no chain of the sandbox; it has ${known}.`);
  }
  const accounts = sandboxAccounts(mnemonic);
  const transactions: string[] = [];
  for (const { name, amount } of amounts) {
    const [asset, decimals] = name === "usd" ? [chain.contracts.usd, 6] : (["native", 18] as const);
    transactions.push(
      await giveAway(chain.client, accounts, { to, asset, units: toUnits(amount, decimals, `--${name}`) }),
    );
  }
  return { address: to, network: chain.network, transactions };
}

try {
  const { values } = parseArgs({ options });
  readGifts(values);
  const given = await withDatabase(async (_database, env, url) => {
    if (env.sandboxMnemonic === null)
      throw new Refusal(
        "The faucet sends test money of the sandbox; it is not available with CHAINS or DATABASE_URL.",
      );
    const stops: (() => unknown)[] = [];
    try {
      const chains = await startChains(env, url, stops);
      return await give(values, chains, env.sandboxMnemonic);
    } finally {
      for (const stop of stops.toReversed()) await stop();
    }
  });
  console.log(JSON.stringify(given));
} catch (error) {
  const wrongUse = codeOf(error)?.startsWith("ERR_PARSE_ARGS");
  sayFailure(wrongUse ? new Refusal(`${messageOf(error)}\n${usage}`) : error);
}
