/** The id of the request or socket that the running code serves, so that each line of the log has it. */
import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<string>();

/** Runs the work, and all that it starts, in the scope of the request with this id. */
export const inRequest = <Result>(id: string, work: () => Result): Result => scope.run(id, work);

/** Returns the id of the request that is being served. Undefined outside of any. */
export const requestId = (): string | undefined => scope.getStore();
