"use client";

import type { z } from "zod";
import { useTRPCClient } from "#components/trpc.tsx";
import type { triggersService } from "#server/triggers/service.ts";
import type { workflowsService } from "#server/workflows/service.ts";

type Service = typeof triggersService | typeof workflowsService;
type Results = {
  [One in Service as One["id"]]: {
    [Operation in One["capabilities"][number] as Operation["id"]]: z.output<Operation["output"]>;
  };
};

/** Returns the function that invokes an operation of a managed service, and returns the operation's result. */
export function useInvokeService() {
  const client = useTRPCClient();
  return async <ServiceId extends keyof Results, OperationId extends keyof Results[ServiceId] & string>(
    serviceId: ServiceId,
    operationId: OperationId,
    input: unknown,
  ) => {
    const { result } = await client.services.invoke.mutate({ serviceId, operationId, input });
    // The server has parsed the result by the operation's schema.
    return result as Results[ServiceId][OperationId];
  };
}
