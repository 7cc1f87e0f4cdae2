import type { Compilable, CompiledQuery, DialectAdapter, Kysely } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** The place of a value in a compiled statement. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Has a place for each name. */
const places = new Proxy({}, { get: (_, name) => new Place(String(name)) });

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
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>();
  return async (db, values) => {
    const { adapter } = db.getExecutor();
    // The query uses places as it uses values: it only carries them.
    const query = compiled.get(adapter) ?? build(db, places as Values).compile();
    compiled.set(adapter, query);
    const parameters = query.parameters.map((one): unknown =>
      one instanceof Place ? Reflect.get(values, one.name) : one,
    );
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
