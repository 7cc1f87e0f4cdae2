/** What a command uses when it is not told otherwise. */
import { DEFAULT_HOSTS } from '../src/calls/client/local-hosts.ts';

/** Where callers look for an exchange when neither --server nor RINGBACK_SERVER says. */
export const DEFAULT_SERVER = DEFAULT_HOSTS.defaultApiHost;

/** Who calls and who answers. */
export const DEFAULT_CALLER = 'alice';
export const DEFAULT_CALLEE = 'bob';
/** Two tones no harmonic joins, so that each side can tell the other's from an echo of its own. */
export const CALLER_TONE = 440;
export const CALLEE_TONE = 660;

export const CALL_LENGTH_MS = 10_000;
/** The picture sent: small enough that a laptop runs eight calls, at the library's own frame rate. */
export const PICTURE = { width: 320, height: 240, fps: 24 } as const;
