import { FrameFault, type AnyCommandFrame } from '../../../src/protocol/envelope.ts';
import { invalidValue } from '../../../src/protocol/errors.ts';
import { HEADERS } from '../../../src/protocol/http.ts';
import { anyCommandFrom } from '../../../src/protocol/room-envelope.ts';
import type { RequestHead } from '../../http/request.ts';
import { RequestConflict } from '../commands/answer-once.ts';
import { mayCommand, NotOpen } from '../commands/commands.ts';
import { dispatch } from '../commands/dispatch.ts';
import type { Core } from '../core.ts';
import { refusalOf } from '../faults.ts';
import { NOT_OPEN } from '../delivery/connection.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { clientIdOf } from './authenticate.ts';
import type { Answer, Asked } from './handlers.ts';
import { refuse, refuseWith, tooMany } from './refusals.ts';

/**
 * Handles `POST /v1/action/direct_call`: a command by HTTP without a realtime channel. A dial-received may bring the
 * short-lived token of the dial instead of a session. The answer is the reply frame, with the error of a refused
 * command inside.
 *
 * @throws HttpRefusal 400 when the frame cannot be read. 401 without a session or token. 409 when the request id
 *   belonged to another command before. 429 when the device sends too many commands, by socket and by HTTP together.
 *   503 when the exchange stops before the command has run.
 */
export async function action(core: Core, { device, head, body }: Asked<'action'>): Promise<Answer<'action'>> {
  if (device && !mayCommand(core, device)) throw tooMany(1, 'Too many commands. Try again later.');
  const frame = read(core, body);
  const from = device ?? (await granted(core, head, frame));
  core.journal.record('in', from, frame);
  try {
    const answer = dispatch(core, from, frame);
    const reply = answer instanceof Promise ? await answer : answer;
    core.journal.record('out', from, reply);
    return reply;
  } catch (error) {
    if (error instanceof NotOpen) throw refuseWith(NOT_OPEN.status, NOT_OPEN);
    if (!(error instanceof RequestConflict)) throw error;
    throw refuseWith(409, invalidValue('request_id'));
  }
}

function read(core: Core, body: unknown): AnyCommandFrame {
  try {
    return anyCommandFrom(body);
  } catch (error) {
    if (!(error instanceof FrameFault)) throw error;
    core.log.error('unreadable frame by HTTP', { fault: error.message });
    throw refuseWith(400, refusalOf(error));
  }
}

/** Returns the device of a short-lived token, which allows one device one command about one call (S11). */
async function granted(core: Core, head: RequestHead, frame: AnyCommandFrame): Promise<DeviceId> {
  if (frame.type !== 'dial_rcv') throw refuse(401, 'USER_NOT_AUTHENTICATED');
  const { call_id } = frame.payload;
  const token = head.headers[HEADERS.shortLivedToken] ?? '';
  const device = await core.shortLivedTokens.use(token, call_id, frame.request_id, clientIdOf(head));
  if (!device) throw refuse(401, 'USER_NOT_AUTHENTICATED');
  // A device that learned of the call by a webhook has no ring yet.
  for (const one of core.participations) one.reach(call_id, device);
  return device;
}
