import { routeHandlers } from "#server/transports/route-handlers.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeHandlers("/in");
