/**
 * The parts of the library that are loaded on their first use, so that a call does not load them.
 *
 * A part is a module that other files import as a type only: an `import()` here is the one path to its code. A client
 * gets its parts by `ClientOptions.parts`. The package passes {@link importedParts}, of which the bundler makes chunks
 * beside the entry. A program without a network passes `loadedParts` (loaded-parts.ts): there, virtual time would not
 * wait for an import.
 *
 * To add a part: a row in {@link LazyParts}, one in `importedParts`, one in `loadedParts`. Its user gets the row, and
 * waits for `load()` where it is asynchronous anyway. `loaded` has the part without a wait.
 *
 * The ports of the browser (platform/browser) never run in virtual time, so they import their parts by themselves.
 */
import { lazyPart, type LazyPart } from '../../common/lazy-part.ts';
import type * as logText from '../logging/log-text.ts';
import type * as rooms from '../room/rooms-part.ts';

export interface LazyParts {
  /** Makes the texts of log lines. Loaded by the first line of a level that the host or the exchange wants. */
  readonly logText: LazyPart<typeof logText>;
  /** Creates and enters rooms. Loaded by the first function of rooms, or by the first invitation. */
  readonly rooms: LazyPart<typeof rooms>;
}

/** Returns the parts of a page, which imports each at its first use. */
export const importedParts = (): LazyParts => ({
  logText: lazyPart(() => import('../logging/log-text.ts')),
  rooms: lazyPart(() => import('../room/rooms-part.ts')),
});
