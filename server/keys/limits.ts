/** The greatest depth of a key; a root key has depth 0. */
export const MAX_DEPTH = 8;
