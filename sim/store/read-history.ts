import Libsql from 'libsql';
import * as v from 'valibot';
import { endResult } from '../../src/protocol/enumerations.ts';

const rows = v.array(v.object({ endResult, duration: v.number() }));

/** The history in the SQLite file of an exchange, read beside it. */
export interface History {
  /** How each call ended, and its length in milliseconds, in the order in which they ended. */
  read(): v.InferOutput<typeof rows>;
  close(): void;
}

/** @throws Error there is no such file, or it holds no history. */
export function openHistory(path: string): History {
  const file = new Libsql(path, { readonly: true });
  const query = file.prepare(
    'select end_result as "endResult", duration from ringback_calls order by ended_at, created_at',
  );
  return { read: () => v.parse(rows, query.all()), close: () => void file.close() };
}
