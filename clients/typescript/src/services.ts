import type { Call, CallOptions } from "./call.ts";
import type { Services } from "./generated/services.ts";
import type { CreateRun, InvokeService, InvokeServiceResponse, Run } from "./generated/types.ts";

type ServiceId = keyof Services;
type Contract<S extends ServiceId, O extends keyof Services[S]> = Services[S][O] extends {
  input: infer Input;
  output: infer Output;
}
  ? { input: Input; output: Output }
  : never;

/** Invokes an operation of a service; operations of the platform's own services are typed by both ids. */
export interface Invoke {
  <S extends ServiceId, O extends keyof Services[S] & string>(
    serviceId: S,
    input: Omit<InvokeService, "operationId" | "input"> & {
      operationId: O;
      input: Contract<S, O>["input"];
    },
    options?: CallOptions,
  ): Call<Omit<InvokeServiceResponse, "result"> & { result: Contract<S, O>["output"] }>;
  <S extends string>(
    serviceId: S extends ServiceId ? never : S,
    input: InvokeService,
    options?: CallOptions,
  ): Call<InvokeServiceResponse>;
}

/** Creates a run of a service's operation; inputs of the platform's own services are typed by both ids. */
export interface CreateRunCall {
  <S extends ServiceId, O extends keyof Services[S] & string>(
    input: Omit<CreateRun, "serviceId" | "operationId" | "input"> & {
      serviceId: S;
      operationId: O;
      input: Contract<S, O>["input"];
    },
    options?: CallOptions,
  ): Call<Run>;
  <S extends string>(
    input: Omit<CreateRun, "serviceId"> & { serviceId: S extends ServiceId ? never : S },
    options?: CallOptions,
  ): Call<Run>;
}
