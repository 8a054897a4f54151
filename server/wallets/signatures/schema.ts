import { z } from "zod";
import { address } from "#server/chains/schema.ts";
import { exampleId, instant, typeId } from "#server/operation/fields.ts";
import { approvalId, failure, ofWallet } from "../schema.ts";

/** The size limits of signed data. */
const SIGNATURE_LIMITS = { maximumMessageCharacters: 32_768 } as const;

const MOST_TYPES = 100;

const name = z
  .string()
  .max(100)
  .regex(/^[A-Za-z_$][\w$]*$/, "Not a name: letters, digits, _ and $, not beginning with a digit.");

const TypedData = z.strictObject({
  domain: z
    .strictObject({
      name: z
        .string()
        .max(1000)
        .optional()
        .meta({ description: "What the contract calls itself.", examples: ["Example"] }),
      version: z
        .string()
        .max(1000)
        .optional()
        .meta({ description: "Which version of it.", examples: ["1"] }),
      chainId: z
        .union([z.int().min(0), z.string().regex(/^(\d{1,15}|0x[0-9a-fA-F]{1,12})$/)])
        .optional()
        .meta({ description: "The chain that it is for, as EIP-155.", examples: [31337] }),
      verifyingContract: address.optional().describe("The contract that will verify the signature."),
      salt: z
        .string()
        .regex(/^0x[0-9a-fA-F]{64}$/)
        .optional()
        .meta({ description: "Separates the domain from others.", examples: [`0x${"0".repeat(63)}1`] }),
    })
    .describe("Whom and what it is for; what is left out does not bind the signature."),
  types: z
    .record(
      name,
      z
        .array(
          z.strictObject({
            name: name.meta({ description: "The field.", examples: ["contents"] }),
            type: z
              .string()
              .max(120)
              .meta({ description: "Its type.", examples: ["string"] }),
          }),
        )
        .max(MOST_TYPES, `At most ${MOST_TYPES}.`),
    )
    .refine((types) => Object.keys(types).length <= MOST_TYPES, `At most ${MOST_TYPES}.`)
    .meta({
      description: "The structs, each with its fields in their order.",
      examples: [{ Mail: [{ name: "contents", type: "string" }] }],
    }),
  primaryType: name.meta({ description: "The struct that is signed.", examples: ["Mail"] }),
  message: z.record(z.string(), z.json()).meta({
    description: "Its values. Integers beyond 2^53 are sent as text.",
    examples: [{ contents: "Hello, Bob!" }],
  }),
});

export type TypedData = z.output<typeof TypedData>;

const SignatureKind = z
  .enum(["message", "typed_data"])
  .meta({ id: "SignatureKind", description: "A message (EIP-191) or typed data (EIP-712)." });

export const QuoteSignature = z.object({
  kind: SignatureKind,
  message: z
    .string()
    .max(
      SIGNATURE_LIMITS.maximumMessageCharacters,
      `At most ${SIGNATURE_LIMITS.maximumMessageCharacters} characters.`,
    )
    .optional()
    .meta({ description: "The text, for `message`.", examples: ["I am the owner of this wallet."] }),
  typedData: TypedData.optional().describe("What is signed, for `typed_data`."),
});

export const CreateSignature = z.object({
  quoteId: typeId("quote").describe("The quote to execute, within its 60 seconds, once."),
});

export const Signature = z
  .object({
    id: typeId("signature"),
    walletId: typeId("wallet"),
    quoteId: typeId("quote"),
    kind: SignatureKind,
    payloadHash: z.string().describe("The hash that is signed, by EIP-191 or EIP-712."),
    display: z
      .object({
        summary: z.string().describe("What the signature does, in a sentence."),
        fields: z
          .array(
            z.object({
              name: z.string().describe("Where it stands: `message.to`."),
              value: z.string().describe("What stands there; characters that show nothing are spelled out."),
            }),
          )
          .describe("Everything that is signed, in its order."),
      })
      .describe("What is signed, for a person who decides."),
    status: z
      .enum(["awaiting_approval", "signed", "rejected", "expired"])
      .describe("`rejected` by an approver, or by the policy when it was judged again; `failure` says so."),
    signature: z.string().nullable().describe("65 bytes in hex, once it is signed."),
    failure,
    approvalId,
    ...ofWallet,
    createdAt: instant,
    endedAt: instant.nullable().describe("When it was signed, rejected or expired."),
  })
  .meta({
    id: "Signature",
    description: "What a wallet has signed, or will when it is approved.",
    examples: [
      {
        id: exampleId("signature"),
        walletId: exampleId("wallet"),
        quoteId: exampleId("quote"),
        kind: "message",
        payloadHash: `0x${"5f2a6b1c".repeat(8)}`,
        display: {
          summary: 'Sign the message "I am the owner of this wallet.".',
          fields: [{ name: "message", value: "I am the owner of this wallet." }],
        },
        status: "signed",
        signature: `0x${"1b2c3d4e5f6a7b8c".repeat(8)}1b`,
        failure: null,
        approvalId: null,
        projectId: null,
        endUser: null,
        createdAt: "2027-01-31T12:00:00.000Z",
        endedAt: "2027-01-31T12:00:00.000Z",
      },
    ],
  });

export type Signature = z.output<typeof Signature>;
