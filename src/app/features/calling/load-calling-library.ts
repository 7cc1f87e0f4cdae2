import type { CallingLibrary } from './calling-library.ts';

/** The one place in the app that imports the calling library: a chunk of its own, fetched after login only. */
export async function loadCallingLibrary(): Promise<CallingLibrary> {
  return await import('../../../calls/index.ts');
}
