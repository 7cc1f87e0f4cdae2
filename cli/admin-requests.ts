/** Requests for the views of a running exchange, as `ringback users` and `ringback calls` show them. */
import * as v from 'valibot';
import { ADMIN_API, type AdminRoute } from '../src/protocol/admin-api.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-codes.ts';

/** The longest wait for an answer. Milliseconds. */
const LIMIT_MS = 10_000;

type AnswerOf<Name extends AdminRoute> = v.InferOutput<(typeof ADMIN_API)[Name]['answer']>;

/** Reads a view. @throws CommandError in one line when no exchange answers, or it shows nothing. */
export async function readView<Name extends AdminRoute>(
  name: Name,
  server: string,
  limit: number,
): Promise<AnswerOf<Name>> {
  const { path, answer } = ADMIN_API[name];
  const response = await fetch(`${server}${path}?limit=${limit}`, { signal: AbortSignal.timeout(LIMIT_MS) }).catch(
    () => {
      throw new CommandError(
        `No exchange answers at ${server}: start one with "ringback sim --demo", or name another with --server or RINGBACK_SERVER.`,
        EXIT.environment,
      );
    },
  );
  const body: unknown = await response.json().catch(() => null);
  const read = v.safeParse(answer, body);
  if (response.ok && read.success) return read.output;
  throw new CommandError(
    `The server at ${server} does not show its users and calls: only "ringback sim" and "ringback demo" of this machine do.`,
    EXIT.environment,
  );
}
