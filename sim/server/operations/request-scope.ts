/** Which request or socket the code that runs now serves, so that each line of the log says it. */
import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<string>();

/** Runs the work, and all that it starts, for the request of this id. */
export const inRequest = <Result>(id: string, work: () => Result): Result => scope.run(id, work);

/** Returns the id of the request that is being served; undefined outside of any. */
export const requestId = (): string | undefined => scope.getStore();
