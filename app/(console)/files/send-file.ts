/** Sends a file by the session; `told` gets how much has gone, from 0 to 1. Throws the API's envelope. */
export function sendFile(
  file: File,
  { told, signal }: { told: (progress: number) => void; signal: AbortSignal },
): Promise<void> {
  return new Promise((done, fail) => {
    // Unlike fetch, it tells how far an upload has come.
    const request = new XMLHttpRequest();
    request.open("POST", "/api/bytes/files");
    request.responseType = "json";
    request.setRequestHeader("idempotency-key", crypto.randomUUID());
    request.setRequestHeader("x-file-name", `UTF-8''${encodeURIComponent(file.name)}`);
    request.setRequestHeader("content-type", file.type || "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => told(total > 0 ? loaded / total : 1);
    request.onload = () => (request.status < 300 ? done() : fail(request.response ?? {}));
    request.onerror = () => fail({ message: "The upload was cut off on its way." });
    request.onabort = () => fail({ message: "The upload was cancelled." });
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}
