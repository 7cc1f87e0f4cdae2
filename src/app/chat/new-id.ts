const BYTES = 16;

/** A name that nothing else has. Not `randomUUID`, which pages over plain http do not have. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}
