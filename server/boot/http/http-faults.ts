import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { newId } from "../../base/ids.ts";
import { ApiError, errorBody } from "../../operation/errors.ts";
import { closeGently } from "./close-connection.ts";

const messages: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "The request line and headers are larger than 16 KB; send fewer or shorter ones.",
  ERR_HTTP_REQUEST_TIMEOUT: "The request was not sent in time; send it again in one go.",
};

type FaultCode = "invalid_request" | "internal";

/** Returns the error envelope for a request that no handler could judge. */
function envelope(baseUrl: string, code: FaultCode, message: string) {
  const requestId = newId("request");
  const error = errorBody(new ApiError(code, message), requestId, baseUrl);
  return { requestId, status: error.status, body: JSON.stringify({ ok: false, error }) };
}

/** Sends the envelope, or cuts off a response that has already begun; the request id finds it in the log. */
export function answerFault(answer: ServerResponse, baseUrl: string, code: FaultCode, message: string) {
  const { requestId, status, body } = envelope(baseUrl, code, message);
  if (answer.headersSent) {
    answer.destroy();
    return requestId;
  }
  answer.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestId,
  });
  answer.end(body);
  return requestId;
}

/** Responds to bytes that are not an HTTP request. */
export function refuseConnection(
  socket: Socket & { _httpMessage?: ServerResponse | null },
  baseUrl: string,
  fault: NodeJS.ErrnoException,
) {
  // Part of a response may already be sent: the client would read a second one as its body.
  if (!socket.writable || fault.code === "ECONNRESET" || socket._httpMessage?.headersSent)
    return void socket.destroy();
  // A client would take a response on a connection that it has opened ahead for that to its next request.
  if (fault.code === "ERR_HTTP_REQUEST_TIMEOUT" && socket.bytesRead === 0) return void socket.destroy();
  const message = messages[fault.code ?? ""] ?? `The request is not valid HTTP: ${fault.message}.`;
  const { requestId, body } = envelope(baseUrl, "invalid_request", message);
  const head = [
    "HTTP/1.1 400 Bad Request",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    "x-content-type-options: nosniff",
    "connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  closeGently(socket);
}
