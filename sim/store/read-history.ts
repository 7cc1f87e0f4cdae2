import Libsql from 'libsql';
import * as v from 'valibot';
import { endResult } from '../../src/protocol/enumerations.ts';

const rows = v.array(v.object({ endResult, duration: v.number() }));

/** The history in the SQLite file of an exchange, opened read-only beside it. */
export interface History {
  /** Reads the result of each call and its duration in milliseconds, in the order in which the calls ended. */
  read(): v.InferOutput<typeof rows>;
  close(): void;
}

/** Opens the history. @throws Error when there is no such file, or it has no history. */
export function openHistory(path: string): History {
  const file = new Libsql(path, { readonly: true });
  const query = file.prepare(
    'select end_result as "endResult", duration from ringback_calls order by ended_at, created_at',
  );
  return { read: () => v.parse(rows, query.all()), close: () => void file.close() };
}
