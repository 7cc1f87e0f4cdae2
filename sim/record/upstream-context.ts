import type { Upstream } from './addresses.ts';
import type { Recording } from './recording.ts';

/** What leads a request from a client to the server. */
export interface UpstreamContext {
  readonly upstream: Upstream;
  readonly recording: Recording;
  /** Where clients find the recorder; known once it listens. */
  readonly own: () => URL;
  /** Replaces the addresses of the server in what it says by those of the recorder. */
  readonly rewrite: (text: string) => string;
}
