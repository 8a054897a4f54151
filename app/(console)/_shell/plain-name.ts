const DIRECTION = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A name without what turns the direction of the text around it. */
export const plainName = (name: string) => name.replace(DIRECTION, "");
