import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { newId } from "../ids.ts";
import { ApiError, errorBody } from "../operation/errors.ts";
import { closeGently } from "./close-connection.ts";

const messages: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "The request line and headers are larger than 16 KB; send fewer or shorter ones.",
  ERR_HTTP_REQUEST_TIMEOUT: "The request was not sent in time; send it again in one go.",
};

type FaultCode = "invalid_request" | "internal";

/** The error envelope of what no handler could judge. */
function envelope(baseUrl: string, code: FaultCode, message: string) {
  const requestId = newId("request");
  const error = errorBody(new ApiError(code, message), requestId, baseUrl);
  return { requestId, status: error.status, body: JSON.stringify({ ok: false, error }) };
}

/** Answers the envelope, or where an answer has begun already cuts it off; the request id finds it in the log. */
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

/** Answers bytes that are no HTTP request. */
export function refuseConnection(
  socket: Socket & { _httpMessage?: ServerResponse | null },
  baseUrl: string,
  fault: NodeJS.ErrnoException,
) {
  // Half an answer may be on its way already: another one after it would be read as its body.
  if (!socket.writable || fault.code === "ECONNRESET" || socket._httpMessage?.headersSent)
    return void socket.destroy();
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
