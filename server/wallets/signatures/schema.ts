import { z } from "zod";
import { address } from "#server/chains/schema.ts";
import { exampleId, instant, sentId, typeId } from "#server/operation/fields.ts";
import { approvalId, failure, ofWallet } from "../schema.ts";

/** The size limits of signed data. */
const SIGNATURE_LIMITS = { maximumMessageCharacters: 32_768 } as const;

const MAX_TYPES = 100;

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
        .meta({ description: "The name of the contract or application.", examples: ["Example"] }),
      version: z
        .string()
        .max(1000)
        .optional()
        .meta({ description: "Its version.", examples: ["1"] }),
      chainId: z
        .union([z.int().min(0), z.string().regex(/^(\d{1,15}|0x[0-9a-fA-F]{1,12})$/)])
        .optional()
        .meta({ description: "The EIP-155 id of the chain.", examples: [31337] }),
      verifyingContract: address.optional().describe("The contract that verifies the signature."),
      salt: z
        .string()
        .regex(/^0x[0-9a-fA-F]{64}$/)
        .optional()
        .meta({
          description: "A value that separates this domain from others.",
          examples: [`0x${"0".repeat(63)}1`],
        }),
    })
    .describe("The domain of the signature; a field that is left out does not bind it."),
  types: z
    .record(
      name,
      z
        .array(
          z.strictObject({
            name: name.meta({ description: "The field's name.", examples: ["contents"] }),
            type: z
              .string()
              .max(120)
              .meta({ description: "The field's type.", examples: ["string"] }),
          }),
        )
        .max(MAX_TYPES, `At most ${MAX_TYPES}.`),
    )
    .refine((types) => Object.keys(types).length <= MAX_TYPES, `At most ${MAX_TYPES}.`)
    .meta({
      description: "The structs, each with its fields in their order.",
      examples: [{ Mail: [{ name: "contents", type: "string" }] }],
    }),
  primaryType: name.meta({ description: "The struct that is signed.", examples: ["Mail"] }),
  message: z.record(z.string(), z.json()).meta({
    description: "The values of the signed struct. Send integers beyond 2^53 as text.",
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
  typedData: TypedData.optional().describe("The typed data, for `typed_data`."),
});

export const CreateSignature = z.object({
  quoteId: sentId("quote").describe("The quote to execute, once, within its 60 seconds."),
});

export const Signature = z
  .object({
    id: typeId("signature"),
    walletId: typeId("wallet"),
    quoteId: typeId("quote"),
    kind: SignatureKind,
    payloadHash: z.string().describe("The signed hash, by EIP-191 or EIP-712."),
    display: z
      .object({
        summary: z.string().describe("A sentence that describes the effect of the signature."),
        fields: z
          .array(
            z.object({
              name: z.string().describe("The path of the field, e.g. `message.to`."),
              value: z
                .string()
                .describe("The value of the field; invisible characters are written as their codes."),
            }),
          )
          .describe("All signed fields, in order."),
      })
      .describe("The signed content in a form for the approver."),
    status: z
      .enum(["awaiting_approval", "signed", "rejected", "expired"])
      .describe(
        "`rejected` by an approver, or by the policy when it was judged again; `failure` has the reason.",
      ),
    signature: z.string().nullable().describe("The signature, 65 bytes in hex; null until it is signed."),
    failure,
    approvalId,
    ...ofWallet,
    createdAt: instant,
    endedAt: instant.nullable().describe("The time when it was signed, rejected or expired."),
  })
  .meta({
    id: "Signature",
    description: "A signature by a wallet, or one that waits for an approval.",
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
