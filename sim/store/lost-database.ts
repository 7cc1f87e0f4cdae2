/** The errors of connections. Their codes are those of any connection, so the place where they occur counts. */
const ofConnections = new WeakSet<Error>();

/** Marks an error as that of a connection to the database, and returns it. */
export function ofConnection(error: unknown): unknown {
  if (error instanceof Error) ofConnections.add(error);
  return error;
}

/**
 * The codes with which PostgreSQL ends a connection or refuses one while it stops and starts.
 * https://www.postgresql.org/docs/15/errcodes-appendix.html
 */
const CODES = /^(?:08\w{3}|57P0[123])$/;
/** The errors of `pg` about a connection that has ended. They have no code. */
const MESSAGES = /^(?:Connection terminated|Client has encountered a connection error)/;
/** The most causes that are looked at: an error may be its own cause. */
const MOST_CAUSES = 10;

/** Returns whether an error, or one of its causes, says that the server had no connection to its database. */
export function isDatabaseLost(error: unknown): boolean {
  let one = error;
  for (let step = 0; step < MOST_CAUSES && one instanceof Error; step += 1) {
    const code = 'code' in one ? String(one.code) : '';
    if (ofConnections.has(one) || CODES.test(code) || MESSAGES.test(one.message)) return true;
    one = one.cause;
  }
  return false;
}
