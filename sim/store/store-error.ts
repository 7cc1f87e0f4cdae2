/** A database that cannot be used, told in one line that names it without its password. */
export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
  }
}

/** What mends a fault, by the code of SQLite, of PostgreSQL or of the system. */
const WAYS_OUT: readonly (readonly [codes: RegExp, wayOut: string])[] = [
  [/^SQLITE_(CORRUPT|NOTADB)/, 'restore it from a copy, or use another file'],
  [/^(SQLITE_FULL|ENOSPC|53100)$/, 'make space on its disk'],
  [/^SQLITE_IOERR/, 'its disk fails, or is full'],
];

/** Makes the error of a database that cannot be used: its place, why, and where it is known what to do. */
export function unusable(name: string, cause: unknown): StoreError {
  const code = codeOf(cause) ?? '';
  const wayOut = WAYS_OUT.find(([codes]) => codes.test(code))?.[1];
  const reason = reasonOf(cause).split('\n')[0];
  return new StoreError(`The database ${name} cannot be used: ${reason}${wayOut === undefined ? '' : `; ${wayOut}.`}`, {
    cause,
  });
}

/** Codes of SQLite and PostgreSQL. */
const DATABASE_CODES = /^(SQLITE_\w+|\d[\dA-Z]{4})$/;

/** Does what a start needs of the database. @throws StoreError where the database fails; what else the work throws, as it is. */
export async function orUnusable<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw DATABASE_CODES.test(codeOf(error) ?? '') ? unusable(name, error) : error;
  }
}

/** Several failed connections at once have no message of their own, only a code. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message !== '') return cause.message;
  return codeOf(cause) ?? cause.name;
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;
