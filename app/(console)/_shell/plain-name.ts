const DIRECTION = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Removes characters from a name that would change the direction of the surrounding text. */
export const plainName = (name: string) => name.replace(DIRECTION, "");
