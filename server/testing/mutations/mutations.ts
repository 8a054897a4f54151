import { DRIVER_MUTATIONS, DRIVER_TESTS } from "./driver-mutations.ts";
import { FUZZ_MUTATIONS } from "./fuzz-mutations.ts";
import type { Change, Mutation, Proof } from "./mutation.ts";
import { TORTURE_MUTATIONS } from "./torture-mutations.ts";

/** The same proofs on the unchanged product, which must find nothing. */
export const CONTROL: { name: string; changes?: Change[]; proof: Proof }[] = [
  { name: "control-torture", proof: { by: "torture", seconds: 60, seed: 7 } },
  { name: "control-fuzz", proof: { by: "fuzz", requests: 3000, seed: 7 } },
  { name: "control-driver", proof: { by: "tests", file: DRIVER_TESTS } },
];

export const MUTATIONS: readonly Mutation[] = [...TORTURE_MUTATIONS, ...FUZZ_MUTATIONS, ...DRIVER_MUTATIONS];
