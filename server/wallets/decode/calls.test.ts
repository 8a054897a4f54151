import { describe, expect, test } from "vitest";
import { ADA, chain, data, ME, multicall, ROUTER, swap, USD, WETH } from "#server/testing/contract-calls.ts";
import type { Call } from "../effects.ts";
import { decodeCalls } from "./calls.ts";
import { PERMIT2 } from "./token.ts";

describe("the calls of a transaction, argument by argument", () => {
  const calls = (call: Partial<Call>) =>
    decodeCalls({ chain, from: ME, to: USD, value: 0n, data: "0x", ...call });

  test("are all calls of a router's batch, with the fields of structs by their path", () => {
    const bytes = multicall(swap(USD, WETH, ROUTER, 60n), data("unwrapWETH9(uint256, address)", [1n, ME]));
    const [first, second, ...others] = calls({ to: ROUTER, data: bytes });
    expect(first?.arguments?.slice(0, 3)).toEqual([
      { name: "swap.tokenIn", type: "address", value: USD },
      { name: "swap.tokenOut", type: "address", value: WETH },
      { name: "swap.fee", type: "uint24", value: "3000" },
    ]);
    expect(second).toMatchObject({ contract: ROUTER, method: "unwrapWETH9(uint256,address)" });
    expect(others).toEqual([]);
  });

  test("name each item of a list of structs", () => {
    const details = [
      [USD, 5n, 1, 0],
      [WETH, 7n, 1, 0],
    ];
    const bytes = data("permit(address, ((address, uint160, uint48, uint48)[], address, uint256), bytes)", [
      ME,
      [details, ADA, 9n],
      "0x",
    ]);
    expect(calls({ to: PERMIT2, data: bytes })[0]?.arguments).toMatchObject([
      { name: "owner", value: ME },
      { name: "permitBatch.details[0].token", type: "address", value: USD },
      { name: "permitBatch.details[0].amount", type: "uint160", value: "5" },
      { name: "permitBatch.details[0].expiration", value: "1" },
      { name: "permitBatch.details[0].nonce", value: "0" },
      { name: "permitBatch.details[1].token", value: WETH },
      { name: "permitBatch.details[1].amount", value: "7" },
      { name: "permitBatch.details[1].expiration", value: "1" },
      { name: "permitBatch.details[1].nonce", value: "0" },
      { name: "permitBatch.spender", value: ADA },
      { name: "permitBatch.sigDeadline", value: "9" },
      { name: "signature", type: "bytes", value: "0x" },
    ]);
  });

  test("have no arguments if the function is unknown or its data is malformed, and are empty for a plain send", () => {
    expect(calls({ to: ADA, value: 7n })).toEqual([]);
    expect(calls({ data: "0x12345678" })).toEqual([{ contract: USD, method: "0x12345678", arguments: null }]);
    expect(calls({ data: "0xa9059cbb00" })).toEqual([
      { contract: USD, method: "0xa9059cbb", arguments: null },
    ]);
    expect(calls({ data: "0x12" })).toEqual([{ contract: USD, method: null, arguments: null }]);
  });
});
