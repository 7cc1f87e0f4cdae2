import { useStore } from '../../ui/store/use-store.ts';
import { useRingback } from '../ringback-context.ts';
import type { CallingConnection } from '../session/library-session.ts';

/** The connection to the calling service. */
export interface ConnectionView {
  /** The state of the connection. */
  readonly state: CallingConnection;
  /** The error of the last failure, such as a `CallError` of the library. Null before one, and from the next success. */
  readonly error: unknown;
  /** Retries at once after a failure. Never rejects. */
  retry(): Promise<void>;
}

/** Returns the connection to the calling service. */
export function useConnection(): ConnectionView {
  const { connection, failure, start } = useRingback();
  return { state: useStore(connection), error: useStore(failure), retry: start };
}
