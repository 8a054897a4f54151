import { formatUnits, maxUint256, parseUnits } from "viem";
import { invalid } from "#server/operation/errors.ts";

/** The amount in the asset's smallest units. One with more decimals than the asset has is refused, naming `path`. */
export function toUnits(amount: string, decimals: number, path = "body.amount"): bigint {
  const places = amount.split(".")[1]?.replace(/0+$/, "").length ?? 0;
  if (places > decimals)
    throw invalid(path, `${amount} has ${places} decimals; this asset has ${decimals}. Round it.`);
  const units = parseUnits(amount, decimals);
  if (units > maxUint256)
    throw invalid(path, `${amount} is more than any token can have. Send a smaller amount.`);
  return units;
}

/** Units as a decimal string in whole ones, without trailing zeros. */
export function fromUnits(units: bigint, decimals: number): string {
  return formatUnits(units, decimals);
}
