const BYTES = 16;

/** A name or a key that nothing else has. Not `randomUUID`, which pages over plain http do not have. */
export type NewId = () => string;

export const newRandomId: NewId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');
