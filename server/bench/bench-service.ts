import { z } from "zod";
import type { RunContext } from "../runs/run-context.ts";
import { capability, type ServiceDefinition } from "../services/service.ts";

/** Returns a service with a single free operation, whose runs only do the work to be measured. */
export function benchService(id: string, work: (context: RunContext) => Promise<void>): ServiceDefinition {
  return {
    id: "bench",
    name: "Bench",
    description: "Runs for measurements.",
    capabilities: [
      capability({
        id,
        title: "Measure runs",
        description: "Does the work to be measured.",
        input: z.strictObject({}),
        output: z.object({}),
        modes: ["run"],
        readOnly: false,
        destructive: false,
        requiresApproval: false,
        price: { unit: "call", credits: 0, maximum: 0 },
        async run(context) {
          await work(context);
          return {};
        },
      }),
    ],
  };
}
