import type { Upstream } from './addresses.ts';
import type { Recording } from './recording.ts';

/** What the recorder needs to forward a request to the server. */
export interface UpstreamContext {
  readonly upstream: Upstream;
  readonly recording: Recording;
  /** Returns the recorder's address. It is known once the recorder listens. */
  readonly own: () => URL;
  /** Replaces the server's addresses in a text by the recorder's. */
  readonly rewrite: (text: string) => string;
}
