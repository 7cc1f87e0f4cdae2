import { type Compilable, CompiledQuery, type DialectAdapter, type Kysely } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** The place of a value in a compiled statement: the row that has it, and its name there. */
class Place {
  readonly row: number;
  readonly name: string;

  constructor(row: number, name: string) {
    this.row = row;
    this.name = name;
  }
}

/** The most rows of a statement that stays compiled. */
const COMPILED_ROWS = 64;

/** The places of the rows of compiled statements, by row and name. Statements of each number of rows share them. */
const places: Map<string, Place>[] = Array.from({ length: COMPILED_ROWS }, () => new Map());

function placeOf(row: number, name: string): Place {
  const place = places[row]?.get(name) ?? new Place(row, name);
  places[row]?.set(name, place);
  return place;
}

/** Returns a row that has a place for each name. */
const placesOf = (row: number): object => new Proxy({}, { get: (_, name) => placeOf(row, String(name)) });

/** A statement with its values. */
export interface Ready {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Whether it has at most one row. A native call for each row is then saved. */
  readonly isOfOne: boolean;
}

/**
 * Runs a compiled statement at once and returns its rows, or resolves with them when they are on the disk. Undefined
 * while the connection is not free.
 */
export type RunAtOnce = (ready: Ready) => unknown[] | Promise<unknown[]> | undefined;

const atOnce = new WeakMap<Kysely<Tables>, RunAtOnce>();

/**
 * Lets the statements of a database or transaction run at once. Kysely makes about ten promises for each of them.
 * Returns the function that ends this: then Kysely refuses the statements of a transaction that is over.
 */
export function runsAtOnce(db: Kysely<Tables>, run: RunAtOnce): () => void {
  atOnce.set(db, run);
  return () => void atOnce.delete(db);
}

/**
 * Creates a statement that each database compiles once. Otherwise a query is built and compiled anew for each use, which
 * takes as long as SQLite needs to run it.
 *
 * @param build - builds the query. It must pass each value to the query unread: it gets no values but their places.
 * @returns the function that runs the statement and returns its rows.
 */
export function statement<Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, values: Values) => Promise<Row[]> {
  // The query uses places as it uses values: it only carries them.
  const compiled = new Compiled((db) => build(db, placesOf(0) as Values));
  return (db, values) => compiled.run(db, [values]);
}

/** Creates a statement as {@link statement}, which has at most one row: it selects or changes by a unique key. */
export function statementOfOne<Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, values: Values) => Promise<Row | undefined> {
  const compiled = new Compiled((db) => build(db, placesOf(0) as Values), true);
  return async (db, values) => (await compiled.run(db, [values]))[0];
}

/**
 * Creates a statement of any number of rows, at least one. Each database compiles it once for each number.
 *
 * @param build - builds the query as in {@link statement}. It may use the first row for values that all rows share.
 */
export function statementOfRows<Values extends object, Row>(
  build: (db: Kysely<Tables>, rows: readonly [Values, ...Values[]]) => Compilable<Row>,
): (db: Kysely<Tables>, rows: readonly Values[]) => Promise<Row[]> {
  const byCount = new Map<number, Compiled<Row>>();
  return (db, rows) => {
    const known = byCount.get(rows.length);
    if (known) return known.run(db, rows);
    const { length } = rows;
    const rowsOfPlaces = () => Array.from({ length }, (_, row) => placesOf(row)) as [Values, ...Values[]];
    const compiled = new Compiled((of) => build(of, rowsOfPlaces()));
    if (length <= COMPILED_ROWS) byCount.set(length, compiled);
    return compiled.run(db, rows);
  };
}

/** A query with places for its values, as each kind of database runs it. */
class Compiled<Row> {
  readonly #build: (db: Kysely<Tables>) => Compilable<Row>;
  readonly #isOfOne: boolean;
  readonly #byAdapter = new WeakMap<DialectAdapter, Pick<CompiledQuery, 'sql' | 'parameters'>>();

  constructor(build: (db: Kysely<Tables>) => Compilable<Row>, isOfOne = false) {
    this.#build = build;
    this.#isOfOne = isOfOne;
  }

  /** Runs the statement and returns its rows. */
  async run(db: Kysely<Tables>, values: readonly object[]): Promise<Row[]> {
    const { adapter } = db.getExecutor();
    const query = this.#byAdapter.get(adapter) ?? this.#compile(db);
    this.#byAdapter.set(adapter, query);
    const parameters = query.parameters.map((one): unknown =>
      one instanceof Place ? Reflect.get(values[one.row] ?? {}, one.name) : one,
    );
    const rows = atOnce.get(db)?.({ sql: query.sql, parameters, isOfOne: this.#isOfOne });
    // The database has run the very query that has these rows.
    if (rows) return (await rows) as Row[];
    return (await db.executeQuery<Row>(CompiledQuery.raw(query.sql, parameters))).rows;
  }

  /** Compiles the query. Its tree has several kilobytes for each row, so only the text and the places are kept. */
  #compile(db: Kysely<Tables>): Pick<CompiledQuery, 'sql' | 'parameters'> {
    const { sql, parameters } = this.#build(db).compile();
    return { sql, parameters };
  }
}
