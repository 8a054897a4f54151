import { getAddress, isAddress, isHex, size, type TypedDataDefinition } from "viem";
import { keysOf } from "#server/base/keys-of.ts";
import { type Issue, invalid } from "#server/operation/errors.ts";
import { invalidRequest } from "#server/operation/input.ts";
import type { TypedData } from "./schema.ts";

const DOMAIN = {
  name: "string",
  version: "string",
  chainId: "uint256",
  verifyingContract: "address",
  salt: "bytes32",
} as const;
const ATOMIC = /^(address|bool|string|bytes([1-9]|[12]\d|3[0-2])?|u?int([1-9]\d{0,2}))$/;
/** Names that no struct may have: encoders take a name with this beginning for a built-in type. */
const RESERVED = /^(address|bool|string)$|^(bytes|u?int)/;
const PATH = "body.typedData";
/** How many characters may be hashed: each struct's hash is over its types too, however short it is itself. */
const MAX_CHARACTERS = 131_072;
/** The minimum size that any value adds to the hash. */
const WORD = 32;

/** A field of the signed data, for people. */
export interface Leaf {
  name: string;
  value: string;
}

/**
 * Returns typed data as it is signed, and each of its fields as text. Refuses values that do not match their types
 * exactly, so that the shown fields are the signed ones, complete and unchanged.
 */
export function readTypedData(data: TypedData): { definition: TypedDataDefinition; fields: Leaf[] } {
  const { primaryType } = data;
  // Without a prototype: no type is called like something that every object has.
  const types: TypedData["types"] = Object.assign(Object.create(null), data.types);
  const issues: Issue[] = [];
  const fault = (path: string, message: string) => void issues.push({ path: `${PATH}.${path}`, message });
  checkTypes({ ...data, types }, fault);
  const domainFields = domainOf({ ...data, types }, fault);
  if (issues.length > 0) throw invalidRequest(issues);
  const fields: Leaf[] = [];
  Object.assign(types, { EIP712Domain: domainFields });
  const reader: Reader = { types, fault, fields, charactersOfTypes: charactersOf(types), characters: 0 };
  const domain = readStruct(reader, "EIP712Domain", data.domain, "domain");
  const message = readStruct(reader, primaryType, data.message, "message");
  if (issues.length > 0) throw invalidRequest(issues);
  const definition = { domain, types: reader.types, primaryType, message };
  return { definition: definition as TypedDataDefinition, fields };
}

type Fault = (path: string, message: string) => void;

function checkTypes({ types, primaryType }: TypedData, fault: Fault): void {
  if (primaryType === "EIP712Domain" || !types[primaryType])
    fault("primaryType", `${primaryType} is not among the types.`);
  for (const [struct, fields] of Object.entries(types)) {
    if (RESERVED.test(struct))
      fault(`types.${struct}`, "Is or begins like the name of a type of its own. Choose another.");
    const names = fields.map((field) => field.name);
    for (const [index, { name, type }] of fields.entries()) {
      const base = type.replace(/(\[\d*\])*$/, "");
      const bits = Number(/^u?int(\d+)$/.exec(base)?.[1] ?? 256);
      const known = (ATOMIC.test(base) && bits % 8 === 0 && bits > 0 && bits <= 256) || types[base];
      if (!known)
        fault(
          `types.${struct}.${index}.type`,
          `${type} is no type${/^u?int$/.test(base) ? `; send ${base}256` : ""}.`,
        );
      if (names.indexOf(name) !== index)
        fault(`types.${struct}.${index}.name`, `${name} stands there twice.`);
    }
  }
}

/** The domain's type: as sent, if it names exactly the domain's fields; derived from the domain if none was sent. */
function domainOf({ domain, types }: TypedData, fault: Fault) {
  const present = keysOf(DOMAIN).filter((name) => name in domain);
  const sent = types.EIP712Domain;
  if (!sent) return present.map((name) => ({ name, type: DOMAIN[name] }));
  const fits = (name: string, type: string) =>
    Object.entries(DOMAIN).some(([known, its]) => known === name && its === type);
  if (sent.length !== present.length || sent.some(({ name, type }) => !fits(name, type) || !(name in domain)))
    fault("types.EIP712Domain", "Must name exactly the fields of the domain, each with its type.");
  return sent;
}

function charactersOf(types: Reader["types"]): number {
  return Object.entries(types).reduce(
    (all, [struct, members]) =>
      members.reduce((sum, { name, type }) => sum + name.length + type.length + 2, all + struct.length + 2),
    0,
  );
}

/** Counts the hashed values, and refuses too many before they are read. */
function count(reader: Reader, characters: number): void {
  reader.characters += characters;
  if (reader.characters > MAX_CHARACTERS)
    throw invalid(
      `${PATH}.message`,
      `More than ${MAX_CHARACTERS} characters would be hashed, the types with each struct. Send fewer values.`,
    );
}

interface Reader {
  types: Record<string, readonly { name: string; type: string }[]>;
  fault: Fault;
  fields: Leaf[];
  charactersOfTypes: number;
  /** The number of hashed values so far. */
  characters: number;
}

function readStruct(reader: Reader, struct: string, value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    reader.fault(path, `Must be an object: a ${struct}.`);
    return {};
  }
  count(reader, reader.charactersOfTypes);
  const declared = reader.types[struct] ?? [];
  for (const name of Object.keys(value))
    if (!declared.some((field) => field.name === name))
      reader.fault(`${path}.${name}`, `Is no field of ${struct}: it would be shown and not signed.`);
  return Object.fromEntries(
    declared.map(({ name, type }) => [
      name,
      readValue(reader, type, (value as Record<string, unknown>)[name], `${path}.${name}`),
    ]),
  );
}

function readValue(reader: Reader, type: string, value: unknown, path: string): unknown {
  const array = /^(.*)\[(\d*)\]$/.exec(type);
  if (array) {
    const [, inner = "", length] = array;
    const fits = Array.isArray(value) && (length === "" || value.length === Number(length));
    if (!fits) return reader.fault(path, `Must be a list of ${length ? `${length} ` : ""}${inner}.`);
    if (value.length === 0) reader.fields.push({ name: path, value: "nothing" });
    return value.map((item, index) => readValue(reader, inner, item, `${path}.${index}`));
  }
  if (reader.types[type]) return readStruct(reader, type, value, path);
  const read = readAtom(type, value);
  if (read === undefined) return reader.fault(path, `Must be ${wanted(type)}.`);
  const text = String(read);
  count(reader, WORD + text.length);
  reader.fields.push({ name: path, value: text });
  return read;
}

function readAtom(type: string, value: unknown): unknown {
  if (type === "bool") return typeof value === "boolean" ? value : undefined;
  if (typeof value === "string") {
    if (type === "string") return value;
    if (type === "address") return isAddress(value) ? getAddress(value) : undefined;
    if (type.startsWith("bytes")) {
      if (!isHex(value) || value.length % 2 === 1) return undefined;
      return type === "bytes" || size(value) === Number(type.slice(5)) ? value : undefined;
    }
  }
  return /^u?int/.test(type) ? readInteger(type, value) : undefined;
}

function readInteger(type: string, value: unknown): bigint | undefined {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== "string" || !/^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(text)) return undefined;
  const read = BigInt(text);
  const bits = BigInt(/\d+$/.exec(type)?.[0] ?? 256);
  const signed = type.startsWith("int");
  const [least, most] = signed ? [-(1n << (bits - 1n)), 1n << (bits - 1n)] : [0n, 1n << bits];
  return read >= least && read < most ? read : undefined;
}

function wanted(type: string): string {
  if (type === "address") return "an address: 0x and 40 hexadecimal digits with a right EIP-55 checksum";
  if (/^u?int/.test(type)) return `${type}: an integer, as text beyond 2^53`;
  return type === "bool"
    ? "true or false"
    : `${type}${type.startsWith("bytes") ? ": hexadecimal after 0x" : ""}`;
}
