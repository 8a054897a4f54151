export type { Answer, Call, CallOptions, List, Page, RateLimit, Total } from "./call.ts";
export type { Payment, PaymentRequired, PlatformOptions } from "./client.ts";
export type { Download } from "./download.ts";
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  LimitError,
  NotFoundError,
  OutcomeUnknownError,
  PaymentError,
  PermissionError,
  PlatformError,
  ServerError,
  TimeoutError,
} from "./errors.ts";
export type { EventFilter, FollowEventsOptions } from "./events.ts";
export type { Services } from "./generated/services.ts";
export type * from "./generated/types.ts";
export { Platform } from "./platform.ts";
export type { FollowOptions, WrittenText } from "./runs.ts";
export type { Source } from "./upload.ts";
