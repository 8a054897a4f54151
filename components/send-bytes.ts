/** An upload of raw bytes to an operation, authenticated by the session. */
interface Upload {
  method: "POST" | "PUT";
  /** The operation's path, relative to `/v1`. */
  path: string;
  body: Blob;
  headers: Record<string, string>;
  /** Called with the sent fraction, from 0 to 1. */
  onProgress: (progress: number) => void;
  signal: AbortSignal;
  /** The same for each attempt of one upload, so that it takes effect once. */
  idempotencyKey?: string;
}

/** Sends bytes and reports the progress; returns the API's envelope, or throws it if it is an error. */
export function sendBytes<Answer>({
  method,
  path,
  body,
  headers,
  onProgress,
  signal,
  idempotencyKey = crypto.randomUUID(),
}: Upload): Promise<Answer> {
  return new Promise((done, fail) => {
    // Unlike fetch, it reports the progress of an upload.
    const request = new XMLHttpRequest();
    request.open(method, `/api/bytes${path}`);
    request.responseType = "json";
    request.setRequestHeader("idempotency-key", idempotencyKey);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
    request.onload = () =>
      request.status < 300 ? done(request.response as Answer) : fail(request.response ?? {});
    request.onerror = () =>
      fail({
        error: { code: "unreachable", message: "The upload was cut off on its way.", retryable: true },
      });
    request.onabort = () => fail({ message: "The upload was cancelled." });
    signal.addEventListener("abort", () => request.abort());
    request.send(body);
  });
}
