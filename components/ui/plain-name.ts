import type { ReactNode } from "react";

const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Shows the characters of a name that would change the direction of the surrounding text by their code: `‹U+202E›`. */
export const plainName = (name: string) =>
  name.replace(
    DIRECTION,
    (found) => `‹U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}›`,
  );

/** Shows the content like `plainName` if it is a text. */
export const plainText = (content: ReactNode): ReactNode =>
  typeof content === "string" ? plainName(content) : content;
