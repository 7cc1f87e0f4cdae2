import type { CallingLibrary } from '../../../react/index.ts';

/** Loads the calling library in a separate chunk after the login. No other file of the app imports the library. */
export async function loadCallingLibrary(): Promise<CallingLibrary> {
  return await import('../../../calls/index.ts');
}
