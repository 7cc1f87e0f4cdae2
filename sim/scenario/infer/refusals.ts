/** What the server refused, for any reason: each refusal becomes a fault, so that the exchange refuses it again. */
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { codeOf, type Command, type Fact, type Request } from './facts.ts';
import type { RecordedUsers } from './recorded-users.ts';
import type { FaultChange } from './story-events.ts';

/** The refusals of a dial that need no fault: the callee is no user, or has never signed in. */
const OF_CALLEE: readonly (number | undefined)[] = [
  ErrorCode.ERR_CALLEE_DOES_NOT_EXIST,
  ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE,
];
/** The status of a refusal whose status was not recorded. */
const BAD_REQUEST = 400;

/** Returns a fault for each refusal of a command on the channel, and of a request about custom items. */
export const refusals = (facts: readonly Fact[], users: RecordedUsers): FaultChange[] =>
  facts.flatMap((fact) => {
    if ((fact.kind !== 'command' && fact.kind !== 'request') || fact.unseen) return [];
    const name = users.nameOf(fact.device);
    return fact.kind === 'command' ? ofCommand(fact, name) : ofRequest(fact, name);
  });

function ofCommand({ at, type, reply }: Command, name: string): FaultChange[] {
  const code = reply?.error;
  if (code === undefined || (type === 'dial' && OF_CALLEE.includes(code))) return [];
  const fault = { kind: 'refuse', from: name, cmd: type, code };
  return [{ kind: 'fault', at, step: { fault, first: 1 }, comment: `The server refused the ${type} of ${name}.` }];
}

function ofRequest({ at, method, path, answer }: Request, name: string): FaultChange[] {
  const code = codeOf(answer?.body);
  if (code === undefined || !path.endsWith('/custom_items')) return [];
  const request = `/^${method} .*custom_items$/`;
  const fault = { kind: 'http', actor: name, how: 'status', request, status: answer?.status ?? BAD_REQUEST, code };
  return [{ kind: 'fault', at, step: { fault, first: 1 }, comment: `The server refused the ${method} of ${name}.` }];
}
