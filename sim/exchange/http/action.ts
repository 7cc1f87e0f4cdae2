import { commandFrom, FrameFault, type CommandFrame } from '../../../src/protocol/envelope.ts';
import { CallError } from '../../../src/protocol/errors.ts';
import { HEADERS } from '../../../src/protocol/http.ts';
import { askFirst } from '../commands/ask-first.ts';
import { handleCommand, RequestConflict } from '../commands/commands.ts';
import { legOf } from '../call.ts';
import type { Core } from '../core.ts';
import { refusalOf } from '../faults.ts';
import { ring } from '../ring.ts';
import type { DeviceId } from '../sessions.ts';
import { authenticated, clientIdOf, HttpRefusal, type HttpRequest, type HttpResponse } from './request.ts';

/**
 * `POST /v1/action/direct_call`: a command by HTTP, while the realtime channel is away, or dial-received with the
 * short-lived token of the dial in place of a session. The answer is the reply frame, with the error of a refused command
 * inside.
 *
 * @throws HttpRefusal 400 the frame cannot be read; 401 neither session nor token; 409 its request id stood for another
 *   command before.
 */
export async function action(core: Core, request: HttpRequest): Promise<HttpResponse> {
  const shortLived = request.headers[HEADERS.shortLivedToken];
  // Who has no session learns nothing about the frame.
  const device = shortLived === undefined ? authenticated(core, request) : null;
  const frame = read(core, request.body);
  const from = device ?? granted(core, request, shortLived ?? '', frame);
  const asked = askFirst(core, from, frame);
  const refusal = asked && (await asked);
  if (refusal) return { status: 200, body: refusal };
  try {
    return { status: 200, body: handleCommand(core, from, frame) };
  } catch (error) {
    if (!(error instanceof RequestConflict)) throw error;
    throw new HttpRefusal(409, new CallError(1800300, { param: 'request_id' }));
  }
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
function granted(core: Core, request: HttpRequest, token: string, frame: CommandFrame): DeviceId {
  if (frame.type !== 'dial_rcv') throw new HttpRefusal(401, new CallError(1800303));
  const { call_id } = frame.payload;
  const device = core.shortLivedTokens.use(token, call_id, frame.request_id, clientIdOf(request));
  if (!device) throw new HttpRefusal(401, new CallError(1800303));
  const call = core.calls.get(call_id);
  // Whoever heard of the call by its webhook has had no ring.
  if (call?.state.name === 'ringing' && !legOf(call, device)) ring(core, call, device);
  return device;
}
