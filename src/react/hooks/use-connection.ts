import { useStore } from '../../ui/store/use-store.ts';
import { useRingback } from '../ringback-context.ts';
import type { CallingConnection } from '../session/library-session.ts';

/** The connection to the calling service. */
export interface ConnectionView {
  /** The state of the connection. */
  readonly state: CallingConnection;
  /** The error while the state is `failed`, such as a `CallError` of the library. Null otherwise. */
  readonly error: unknown;
  /** Retries at once after a failure. Never rejects. */
  retry(): Promise<void>;
}

/** Returns the connection to the calling service. */
export function useConnection(): ConnectionView {
  const { connection, failure, start } = useRingback();
  const state = useStore(connection);
  const error = useStore(failure);
  return { state, error: state === 'failed' ? error : null, retry: start };
}
