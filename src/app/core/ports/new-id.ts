import type { NewId } from './ports.ts';

const BYTES = 16;

/** Returns a random id of 32 hexadecimal digits. */
export const newRandomId: NewId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');
