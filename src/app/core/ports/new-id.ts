const BYTES = 16;

/** A function that returns a unique id. It does not use `randomUUID`, which pages over plain http do not have. */
export type NewId = () => string;

/** Returns a random id of 32 hexadecimal digits. */
export const newRandomId: NewId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');
