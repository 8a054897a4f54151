export type ReplyHeaders = Record<string, string | string[]>;

/** What a reply is made of, for who writes it to a connection. */
export interface ReplyParts {
  status: number;
  headers: ReplyHeaders;
  body: string | Uint8Array | null;
}

// By `Symbol.for`, since the server and the bundle of Next.js each have their own copy of this module.
const partsOf = Symbol.for("managed-services.reply");

function toHeaders(headers: ReplyHeaders) {
  const made = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value]) made.append(name, one);
  }
  return made;
}

class Reply {
  [partsOf]: ReplyParts | undefined;
  #parts: ReplyParts;
  #response: Response | undefined;

  constructor(parts: ReplyParts) {
    this[partsOf] = parts;
    this.#parts = parts;
  }

  /** The true Response; whoever holds it may change it, so from here on it alone counts. */
  #real() {
    if (!this.#response) {
      const { status, headers, body } = this.#parts;
      this.#response = new Response(body as BodyInit | null, { status, headers: toHeaders(headers) });
      this[partsOf] = undefined;
    }
    return this.#response;
  }

  get status() {
    return this.#parts.status;
  }
  get ok() {
    return this.#parts.status >= 200 && this.#parts.status < 300;
  }
  get statusText() {
    return "";
  }
  get type() {
    return "default";
  }
  get url() {
    return "";
  }
  get redirected() {
    return false;
  }
  get headers() {
    return this.#real().headers;
  }
  get body() {
    return this.#real().body;
  }
  get bodyUsed() {
    return this.#response?.bodyUsed ?? false;
  }
  clone() {
    return this.#real().clone();
  }
  json() {
    return this.#real().json();
  }
  text() {
    return this.#real().text();
  }
  arrayBuffer() {
    return this.#real().arrayBuffer();
  }
  bytes() {
    return this.#real().bytes();
  }
  blob() {
    return this.#real().blob();
  }
  formData() {
    return this.#real().formData();
  }
}

Object.setPrototypeOf(Reply.prototype, Response.prototype);

/**
 * A Response that costs nothing until somebody looks into it: building and unpacking a true one takes 25 µs of CPU,
 * more than the rest of the connection's work. It is `instanceof Response`; `readReply` answers its parts as given.
 */
export function reply(
  body: string | Uint8Array | null,
  init: { status?: number; headers?: ReplyHeaders } = {},
): Response {
  return new Reply({ status: init.status ?? 200, headers: init.headers ?? {}, body }) as unknown as Response;
}

/** The parts of a reply, or undefined for another Response or one whose headers or body were opened. */
export function readReply(response: Response): ReplyParts | undefined {
  return (response as unknown as Reply)[partsOf];
}
