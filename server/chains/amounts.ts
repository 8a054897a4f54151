import { formatUnits, maxUint256, parseUnits } from "viem";
import { invalid } from "#server/operation/errors.ts";

/** Returns the amount in the asset's smallest units. Refuses more decimals than the asset has, naming `path`. */
export function toUnits(amount: string, decimals: number, path = "body.amount"): bigint {
  const places = amount.split(".")[1]?.replace(/0+$/, "").length ?? 0;
  if (places > decimals)
    throw invalid(path, `${amount} has ${places} decimals; this asset has ${decimals}. Round it.`);
  const units = parseUnits(amount, decimals);
  if (units > maxUint256)
    throw invalid(path, `${amount} is more than any token can have. Send a smaller amount.`);
  return units;
}

/** Returns smallest units as a decimal string of whole units, without trailing zeros. */
export function fromUnits(units: bigint, decimals: number): string {
  return formatUnits(units, decimals);
}
