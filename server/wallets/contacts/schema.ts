import { z } from "zod";
import { address } from "#server/chains/schema.ts";
import {
  exampleId,
  instant,
  keepsDirection,
  label,
  turnsDirection,
  typeId,
} from "#server/operation/fields.ts";

const note = z
  .string()
  .max(1000, "At most 1,000 characters.")
  .refine(keepsDirection, turnsDirection)
  .nullable()
  .describe("What else people should know of it.");

const uses = {
  firstUsedAt: instant.nullable().describe("When the account first sent to it; null: never."),
  lastUsedAt: instant.nullable().describe("When the account last sent to it; null: never."),
};

export const Contact = z
  .object({
    id: typeId("contact"),
    name: z.string().describe("What people call the address."),
    address: z.string().describe("The address, with its EIP-55 checksum."),
    note,
    ...uses,
    projectId: typeId("project").nullable().describe("The project whose address book has it."),
    endUser: z.string().nullable().describe("The end user whose it is, by your own id."),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: "Contact",
    description: "An entry of the address book.",
    examples: [
      {
        id: exampleId("contact"),
        name: "Payroll",
        address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        note: null,
        firstUsedAt: "2027-01-31T12:00:00.000Z",
        lastUsedAt: "2027-01-31T12:00:00.000Z",
        projectId: null,
        endUser: null,
        createdAt: "2027-01-31T12:00:00.000Z",
        updatedAt: "2027-01-31T12:00:00.000Z",
      },
    ],
  });

export type Contact = z.output<typeof Contact>;

export const ContactParams = z.object({ contactId: typeId("contact") });

export const CreateContact = z.object({
  name: label.describe("What people call the address."),
  address,
  note: note.optional(),
});

export const UpdateContact = CreateContact.partial();

const ADDRESS_KINDS = ["wallet", "contact", "contract"] as const;

export const AddressName = z
  .object({
    address: z.string().describe("The address, with its EIP-55 checksum."),
    kind: z
      .enum(ADDRESS_KINDS)
      .describe(
        "A wallet of the account, an entry of its address book, or a contract that this installation knows.",
      ),
    id: z.string().nullable().describe("The wallet's or the contact's id."),
    name: z.string().describe("What it is called."),
  })
  .meta({ id: "AddressName", description: "What an address is called." });

export type AddressName = z.output<typeof AddressName>;
