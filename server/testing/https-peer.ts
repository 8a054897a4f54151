import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import tls from "node:tls";
import { portOf } from "#server/boot/processes.ts";
import { onCleanup } from "./cleanup.ts";

/** For localhost, valid until 2126; only a process that has started a peer trusts it. */
const CERT = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUVncZdzX3yQLpHIwUroxN0sr+/PgwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzA5MzkxNVoYDzIxMjYxMDMw
MDkzOTE1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATcRXiv8iImp4oI3bTGrOty8uD/JJ+Y9i8QhTg+Hz2qMpTMIwtBkBzq
gjydFAHgwNNGsumirOsl6zyezdQLeupNo28wbTAdBgNVHQ4EFgQUXdYEcN1ZgcOX
LKdWDgwNkCOLcckwHwYDVR0jBBgwFoAUXdYEcN1ZgcOXLKdWDgwNkCOLcckwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgJlY10ma8bdqZltZgU5mHbMRwhRFqNN0djk+1C/lc1XoCIQCh
H6buGiof8hQdTHxT5ZPzYIzWHdzXFEzj63NLcRQX/w==
-----END CERTIFICATE-----`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgiMB1UoOYrOWIs4Ah
iEg+uB8r/AeLMfH3SG6enyHD2HKhRANCAATcRXiv8iImp4oI3bTGrOty8uD/JJ+Y
9i8QhTg+Hz2qMpTMIwtBkBzqgjydFAHgwNNGsumirOsl6zyezdQLeupN
-----END PRIVATE KEY-----`;

/** An https server on this machine that this process trusts; it is closed after the test. */
export async function startHttpsPeer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), CERT]);
  const server = createServer({ cert: CERT, key: KEY }, answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onCleanup(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${portOf(server)}`;
}
