/** The id of the request or socket that the running code serves, so that each line of the log has it. */
import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<string>();
/** The requests under way. */
let underWay = 0;
/** The socket whose frame is being processed in this turn of the event loop. */
let socket: string | undefined;

/**
 * Runs the work of a request, and all that it starts before it settles, in the scope of the request with this id.
 *
 * On Node 20 a scope makes every promise of the process slower. So it is off while no request is under way.
 */
export async function inRequest<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
  underWay += 1;
  try {
    return await scope.run(id, work);
  } finally {
    underWay -= 1;
    if (underWay === 0) scope.disable();
  }
}

/**
 * Processes a frame or the end of a socket in the scope of the socket with this id, until it first waits. A scope of all
 * that follows would take about a tenth of the processor time of a call.
 */
export function inFrame(id: string, work: () => void): void {
  const outer = socket;
  socket = id;
  try {
    work();
  } finally {
    socket = outer;
  }
}

/** Returns the id of the request or socket that is being served. Undefined outside of any. */
export const requestId = (): string | undefined => socket ?? scope.getStore();
