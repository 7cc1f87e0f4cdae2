/** The defaults of the commands. */
import { DEFAULT_HOSTS } from '../src/calls/client/local-hosts.ts';

/** The address of the exchange when neither --server nor RINGBACK_SERVER sets it. */
export const DEFAULT_SERVER = DEFAULT_HOSTS.defaultApiHost;

/** The caller and the callee. */
export const DEFAULT_CALLER = 'alice';
export const DEFAULT_CALLEE = 'bob';
/** Two tones without a common harmonic, so that each side can tell the other tone from an echo of its own. */
export const CALLER_TONE = 440;
export const CALLEE_TONE = 660;

export const CALL_LENGTH_MS = 10_000;
/** The size of the sent picture: small enough that a laptop runs eight calls, at the frame rate of the library. */
export const PICTURE = { width: 320, height: 240, fps: 24 } as const;
