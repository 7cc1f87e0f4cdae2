import { createContext, useContext } from 'react';
import type { Ringback } from './ringback.ts';

/** The session of the page for its components. A host with a session of its own provides it here. */
export const RingbackContext = /* @__PURE__ */ createContext<Ringback | null>(null);

/**
 * Returns the session of the page. Its functions stay the same, so that this hook renders no component again.
 *
 * @throws Error outside of a provider.
 */
export function useRingback(): Ringback {
  const ringback = useContext(RingbackContext);
  if (ringback === null) throw new Error('This component must be inside of a RingbackProvider');
  return ringback;
}
