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
  .describe("A note for people about the address.");

const uses = {
  firstUsedAt: instant
    .nullable()
    .describe("The time when the account first sent to the address; null if it never did."),
  lastUsedAt: instant
    .nullable()
    .describe("The time when the account last sent to the address; null if it never did."),
};

export const Contact = z
  .object({
    id: typeId("contact"),
    name: z.string().describe("The name of the address."),
    address: z.string().describe("The address, with an EIP-55 checksum."),
    note,
    ...uses,
    projectId: typeId("project")
      .nullable()
      .describe("The project to whose address book the contact belongs."),
    endUser: z.string().nullable().describe("The end user to whom the contact belongs, by your own id."),
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
  name: label.describe("The name of the address."),
  address,
  note: note.optional(),
});

export const UpdateContact = CreateContact.partial();

const ADDRESS_KINDS = ["wallet", "contact", "contract"] as const;

export const AddressName = z
  .object({
    address: z.string().describe("The address, with an EIP-55 checksum."),
    kind: z
      .enum(ADDRESS_KINDS)
      .describe(
        "A wallet of the account, a contact of its address book, or a contract that this installation knows.",
      ),
    id: z.string().nullable().describe("The id of the wallet or contact."),
    name: z.string().describe("The name."),
  })
  .meta({ id: "AddressName", description: "The name of an address." });

export type AddressName = z.output<typeof AddressName>;
