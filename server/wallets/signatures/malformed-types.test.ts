import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRandom } from "#server/testing/random.ts";
import { SILENT_CHAIN } from "#server/testing/silent-chain.ts";

const api = await startApi({ settings: { chains: [SILENT_CHAIN] } });
const { key } = await createPayingKey(api, 1000);
const { wallet } = (await api.send("POST", "/v1/wallets", { key, body: { label: unique("Wallet") } })).body;

const quote = (typedData: object) =>
  api.send("POST", `/v1/wallets/${wallet.id}/signatures/quote`, {
    key,
    body: { kind: "typed_data", typedData },
  });

type Types = Record<string, { name: string; type: string }[]>;
const field = (type: string): Types => ({ Odd: [{ name: "a", type }] });
const B = [{ name: "b", type: "uint8" }];

// biome-ignore format: a table
const ODD: [name: string, types: Types, message: object, path: string][] = [
  ["an integer without its bits", field("uint"), { a: "1" }, "types.Odd.0.type"],
  ["a signed integer without its bits", field("int[]"), { a: [] }, "types.Odd.0.type"],
  ["an integer of odd bits", field("uint7"), { a: "1" }, "types.Odd.0.type"],
  ["an integer of too many bits", field("uint512"), { a: "1" }, "types.Odd.0.type"],
  ["a struct called almost like an integer", { ...field("uint256x"), uint256x: B }, { a: { b: 1 } }, "types.uint256x"],
  ["a struct called almost like bytes", { ...field("bytes33"), bytes33: B }, { a: { b: 1 } }, "types.bytes33"],
  ["a struct called like an address", { ...field("address"), address: B }, { a: { b: 1 } }, "types.address"],
  ["an unknown type", field("Nothing"), { a: 1 }, "types.Odd.0.type"],
  ["the name of a property that every object has", field("constructor"), { a: 1 }, "types.Odd.0.type"],
  ["a value out of range", field("uint8"), { a: 256 }, "message.a"],
  ["a negative value", field("uint8"), { a: "-1" }, "message.a"],
  ["a struct in itself without an end", field("Odd"), { a: { a: {} } }, "message.a.a.a"],
  ["a list of another length", field("uint8[2]"), { a: [1] }, "message.a"],
  ["a list of an endless length", field("uint8[99999999999999999999999]"), { a: [] }, "message.a"],
  ["too few structs", { ...field("B[2][]"), B }, { a: [[{ b: 1 }]] }, "message.a.0"],
];

test.each(ODD)("refuses %s, naming the place", async (_, types, message, path) => {
  const { status, body } = await quote({ domain: {}, types, primaryType: "Odd", message });
  expect([status, body.error?.code]).toEqual([400, "invalid_request"]);
  expect(body.error.issues.map((issue: { path: string }) => issue.path)).toContain(`body.typedData.${path}`);
});

test("accepts lists of structs, recursive structs, and types without a domain's", async () => {
  const types = { ...field("B[2][]"), B };
  const lists = await quote({
    domain: {},
    types,
    primaryType: "Odd",
    message: { a: [[{ b: 1 }, { b: 2 }]] },
  });
  const itself = await quote({
    domain: {},
    types: field("Odd[]"),
    primaryType: "Odd",
    message: { a: [{ a: [] }] },
  });
  expect([lists.status, itself.status]).toEqual([201, 201]);
});

test("answers typed data of any shape with 201 or 400", async () => {
  // The same sequence in every run.
  const { pick, chance } = createRandom(20_261_122);
  const bases = [
    "uint256",
    "uint",
    "int8",
    "bool",
    "address",
    "bytes",
    "bytes32",
    "bytes0",
    "string",
    "A",
    "B",
    "uintx",
    "é",
    "",
  ];
  const typeName = () => pick(bases) + pick(["", "", "[]", "[2]", "[][1]", "[0]", "[-1]", "[", "]"]);
  const value = (depth: number): unknown =>
    pick([
      () => pick([0, 1, -1, 1.5, 2 ** 53, null, true, "", "0x", "0xzz", "-0x1", "é", `0x${"f".repeat(64)}`]),
      () => (depth > 3 ? [] : [value(depth + 1), value(depth + 1)]),
      () => (depth > 3 ? {} : { a: value(depth + 1), b: value(depth + 1) }),
    ])();
  const struct = () => pick([["a"], ["a", "b"], ["a", "a"], []]).map((name) => ({ name, type: typeName() }));
  for (let nth = 0; nth < 300; nth += 1) {
    const types = { A: struct(), B: struct(), ...(chance(0.2) && { [pick(bases)]: struct() }) };
    const domain = pick([{}, { name: "x" }, { chainId: "0x1" }, { salt: "0x" }, { name: "é", version: "1" }]);
    const message = { a: value(0), b: value(0) };
    const { status, body } = await quote({ domain, types, primaryType: pick(["A", "B", "C"]), message });
    expect([201, 400], JSON.stringify({ types, domain, message, body })).toContain(status);
  }
});
