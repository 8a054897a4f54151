import type { Address } from "viem";
import { getAddress, isAddress } from "viem/utils";
import { z } from "zod";

/** Adds the checksum; leaves an invalid address unchanged, for the check that refuses it. */
const checksummed = (text: Address) => (isAddress(text, { strict: false }) ? getAddress(text) : text);

const wrongAddress =
  "Not an address: 0x and 40 hexadecimal digits, with a right EIP-55 checksum where letters are in both cases.";

/** An account or contract on a chain; returned with its EIP-55 checksum, even if it was sent in lower case. */
export const address = z
  .string()
  .refine((text) => isAddress(text), wrongAddress)
  .overwrite(checksummed)
  .meta({
    description: "An address, with its EIP-55 checksum.",
    examples: ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"],
  });

/** A chain. */
export const network = z
  .string()
  .regex(/^eip155:[1-9]\d{0,15}$/, "Not a chain: write eip155: and its number, like eip155:8453.")
  .meta({ id: "Network", description: "The chain (CAIP-2).", examples: ["eip155:31337"] });

/** An asset of a chain. */
export const asset = z
  .string()
  .refine(
    (text) => text === "native" || isAddress(text),
    `Neither "native" nor a token's address: 0x and 40 hexadecimal digits with a right EIP-55 checksum.`,
  )
  .overwrite((text) => (text === "native" ? text : checksummed(text)))
  .meta({ id: "Asset", description: "`native`, or the token's address.", examples: ["native"] });

/** An amount to send: zero or more whole units. `toUnits` checks the number of decimals. */
export const decimalAmount = z
  .string()
  .regex(
    /^(0|[1-9]\d{0,29})(\.\d{1,30})?$/,
    'Not an amount: digits with a point before decimals, like "12.5"; no sign, exponent or leading zero.',
  )
  .meta({ description: "A decimal string in whole units.", examples: ["12.5"] });

/** An amount above zero. */
export const positiveAmount = decimalAmount
  .refine((text) => /[1-9]/.test(text), "Must be more than zero.")
  .meta({ description: "A decimal string in whole units, more than zero.", examples: ["12.5"] });
