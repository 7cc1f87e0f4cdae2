import { commandFrom, FrameFault, type CommandFrame } from '../../../src/protocol/envelope.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { HEADERS } from '../../../src/protocol/http.ts';
import type { RequestHead } from '../../budgets/admission.ts';
import { askFirst } from '../commands/ask-first.ts';
import { handleCommand, mayCommand, RequestConflict } from '../commands/commands.ts';
import { legOf } from '../calls/call.ts';
import type { Core } from '../core.ts';
import { refusalOf } from '../faults.ts';
import { ring } from '../calls/ring.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { authenticated, clientIdOf, HttpRefusal, tooMany, type HttpRequest, type HttpResponse } from './request.ts';

/**
 * `POST /v1/action/direct_call`: a command by HTTP, while the realtime channel is away, or dial-received with the
 * short-lived token of the dial in place of a session. The answer is the reply frame, with the error of a refused command
 * inside.
 *
 * @throws HttpRefusal 400 the frame cannot be read; 401 neither session nor token; 409 its request id stood for another
 *   command before; 429 too many commands of the device, by socket and by HTTP together.
 */
export async function action(core: Core, request: HttpRequest): Promise<HttpResponse> {
  // A request without a session or a token that was issued is refused before its frame is read.
  const device = sender(core, request);
  if (device && !mayCommand(core, device)) throw tooMany(1, 'Too many commands. Try again later.');
  const frame = read(core, request.body);
  const from = device ?? granted(core, request, frame);
  try {
    const asked = askFirst(core, from, frame, (callId) => handleCommand(core, from, frame, callId));
    return { status: 200, body: asked ? await asked : handleCommand(core, from, frame) };
  } catch (error) {
    if (!(error instanceof RequestConflict)) throw error;
    throw new HttpRefusal(409, new CallError(ErrorCode.INVALID_PARAMETER_VALUE, { param: 'request_id' }));
  }
}

/**
 * The device whose session the request brings; null where it brings a short-lived token that was issued, which speaks for a device as
 * soon as the frame names the call.
 *
 * @throws HttpRefusal 401 neither of them holds.
 */
export function sender(core: Core, head: RequestHead): DeviceId | null {
  const shortLived = head.headers[HEADERS.shortLivedToken];
  if (shortLived === undefined) return authenticated(core, head);
  if (!core.shortLivedTokens.isKnown(shortLived))
    throw new HttpRefusal(401, new CallError(ErrorCode.USER_NOT_AUTHENTICATED));
  return null;
}

function read(core: Core, body: unknown): CommandFrame {
  try {
    return commandFrom(body);
  } catch (error) {
    if (!(error instanceof FrameFault)) throw error;
    core.log.error('unreadable frame by HTTP', { fault: error.message });
    throw new HttpRefusal(400, refusalOf(error));
  }
}

/** The token speaks for one device, about one call, and says one thing (S11). */
function granted(core: Core, request: HttpRequest, frame: CommandFrame): DeviceId {
  if (frame.type !== 'dial_rcv') throw new HttpRefusal(401, new CallError(ErrorCode.USER_NOT_AUTHENTICATED));
  const { call_id } = frame.payload;
  const token = request.headers[HEADERS.shortLivedToken] ?? '';
  const device = core.shortLivedTokens.use(token, call_id, frame.request_id, clientIdOf(request));
  if (!device) throw new HttpRefusal(401, new CallError(ErrorCode.USER_NOT_AUTHENTICATED));
  const call = core.calls.get(call_id);
  // A device that learnt of the call by its webhook has had no ring.
  if (call?.state.name === 'ringing' && !legOf(call, device)) ring(core, call, device);
  return device;
}
