/** An error of an unusable database. Its message is one line that names the database without its password. */
export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
  }
}

/** The remedies by error code of SQLite, PostgreSQL or the system. */
const WAYS_OUT: readonly (readonly [codes: RegExp, wayOut: string])[] = [
  [/^SQLITE_(CORRUPT|NOTADB)/, 'restore it from a copy, or use another file'],
  [/^(SQLITE_FULL|ENOSPC|53100)$/, 'make space on its disk'],
  [/^SQLITE_IOERR/, 'its disk fails, or is full'],
];

/** Creates the error of an unusable database, with its location, the reason, and a remedy if one is known. */
export function unusable(name: string, cause: unknown): StoreError {
  const code = codeOf(cause) ?? '';
  const wayOut = WAYS_OUT.find(([codes]) => codes.test(code))?.[1];
  const reason = reasonOf(cause).split('\n')[0];
  return new StoreError(`The database ${name} cannot be used: ${reason}${wayOut === undefined ? '' : `; ${wayOut}.`}`, {
    cause,
  });
}

/** The form of error codes of SQLite and PostgreSQL. */
const DATABASE_CODES = /^(SQLITE_\w+|\d[\dA-Z]{4})$/;

/** Runs the database work of a start. @throws StoreError when the database fails. Other errors are thrown unchanged. */
export async function orUnusable<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw DATABASE_CODES.test(codeOf(error) ?? '') ? unusable(name, error) : error;
  }
}

/**
 * The codes of SQLite, and the classes of PostgreSQL, for values that a table does not take.
 * https://www.postgresql.org/docs/15/errcodes-appendix.html
 */
const OF_VALUES = /^(?:SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG)|2[23][\dA-Z]{3}$)/;

/** Returns whether a database refused the values of a statement, so that another try is in vain. */
export const isOfValues = (error: unknown): boolean => OF_VALUES.test(codeOf(error) ?? '');

/** Returns the reason of an error. Several failed connections at once have no message, only a code. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message !== '') return cause.message;
  return codeOf(cause) ?? cause.name;
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;
