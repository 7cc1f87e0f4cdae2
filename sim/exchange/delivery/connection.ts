import { FrameFault, isFrameTooLarge, type AnyCommandFrame, type ReplyFrame } from '../../../src/protocol/envelope.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { decodeCommand } from '../../../src/protocol/room-envelope.ts';
import { RequestConflict } from '../commands/answer-once.ts';
import { refused } from '../commands/ask-first.ts';
import { mayCommand, NotOpen } from '../commands/commands.ts';
import { dispatch } from '../commands/dispatch.ts';
import type { Core } from '../core.ts';
import { faultReply } from '../faults.ts';
import type { Link } from '../ports.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { sendUploadLevel } from '../logging/upload-levels.ts';

/** The message is too big (RFC 6455 §7.4.1). */
const CLOSE_TOO_BIG = 1009;
const CLOSE_POLICY = 1008;

/** A device on the realtime channel, as the exchange sees it. */
export interface Connection {
  /** Receives a text message of the device. Never throws. */
  receive(text: string): void;
  /** Detaches the closed socket. Its calls continue until the silence limit ends them. */
  closed(): void;
}

/** A refused channel: the HTTP status of the upgrade, and the body of its answer. */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** The identity in the query of a channel. */
export interface ChannelIdentity {
  readonly sessionToken: string;
  readonly clientId: string;
  readonly version: string;
}

/** The exchange is starting or stopping. The client may retry. */
export const NOT_OPEN: Refusal = {
  status: 503,
  code: ErrorCode.ERR_REQUEST_FAILED,
  message: 'The exchange is starting or stopping.',
};

/**
 * Connects a device to the channel, or refuses it. 401: the session is not valid for this client. 429: too many
 * devices. 503: the exchange is not open.
 */
export function openConnection(core: Core, who: ChannelIdentity, link: Link): Connection | Refusal {
  if (!core.status.isOpen) return NOT_OPEN;
  const device = core.sessions.find(who.sessionToken, who.clientId);
  if (!device)
    return {
      status: 401,
      code: ErrorCode.USER_NOT_AUTHENTICATED,
      message: new CallError(ErrorCode.USER_NOT_AUTHENTICATED).message,
    };
  const others = core.devices.clientsOf(device.userId).filter((clientId) => clientId !== device.clientId);
  if (others.length >= core.settings.devicesPerUser) {
    return {
      status: 429,
      code: ErrorCode.ERR_SERVER_INTERNAL_ERROR,
      message: 'Too many devices of one user are connected.',
    };
  }
  core.channels.attach(device, link, core.sessions.openedWith(who.sessionToken));
  core.cluster?.devicesChanged?.(device.userId);
  core.log.info('device connected', { user: device.userId, client: device.clientId, version: who.version });
  // The answer to the upgrade comes first: a device receives nothing before its socket is open.
  void Promise.resolve().then(() => {
    if (core.channels.link(device) !== link) return;
    sendUploadLevel(core, device);
    for (const one of core.participations) one.welcome(device);
    core.cluster?.connected?.(device);
  });
  return new DeviceConnection(core, device, who.sessionToken, link);
}

/** A connected device. It has few objects of its own, since a server has one for each device. */
class DeviceConnection implements Connection {
  readonly #core: Core;
  readonly #device: DeviceId;
  readonly #sessionToken: string;
  readonly #link: Link;
  #isClosing = false;

  constructor(core: Core, device: DeviceId, sessionToken: string, link: Link) {
    this.#core = core;
    this.#device = device;
    this.#sessionToken = sessionToken;
    this.#link = link;
  }

  receive(text: string): void {
    const core = this.#core;
    const device = this.#device;
    if (this.#isClosing || !core.status.isOpen || !this.#isHere()) return;
    if (!mayCommand(core, device)) return this.#close(CLOSE_POLICY, 'too many messages');
    if (isFrameTooLarge(text)) return this.#close(CLOSE_TOO_BIG, 'message too big');
    const isCurrent = core.sessions.find(this.#sessionToken, device.clientId) !== undefined;
    const standing = { isCurrent, isHere: () => this.#isHere() };
    const answered = answerTo(core, device, text, standing, (reply) =>
      core.router.send(device, { frame: reply, text: JSON.stringify(reply) }, this.#link),
    );
    answered?.catch((error: unknown) => core.log.error('a command failed', { user: device.userId, error }));
  }

  closed(): void {
    const core = this.#core;
    const { userId, clientId } = this.#device;
    if (core.channels.detach(this.#device, this.#link)) {
      core.cluster?.devicesChanged?.(userId);
      core.log.info('device gone', { user: userId, client: clientId });
    }
  }

  /** Returns whether this is still the connection of the device. */
  #isHere(): boolean {
    return this.#core.channels.link(this.#device) === this.#link;
  }

  #close(code: number, reason: string): void {
    // Frames that the device sent before it learns of the close still arrive. They are ignored.
    this.#isClosing = true;
    this.#core.log.warn(reason, { user: this.#device.userId });
    this.#link.close(code, reason);
  }
}

interface Standing {
  /** True while the session is valid. */
  readonly isCurrent: boolean;
  /** Returns whether the device is still connected. */
  readonly isHere: () => boolean;
}

/**
 * Answers at once, except for commands that the host decides or that another exchange runs. A dial of a device that disconnected meanwhile has no
 * effect. Nor has a command that waits for its owner, when its device is signed out meanwhile.
 */
function answerTo(
  core: Core,
  device: DeviceId,
  text: string,
  { isCurrent, isHere }: Standing,
  send: (reply: ReplyFrame) => void,
): Promise<void> | void {
  let frame: AnyCommandFrame;
  try {
    frame = decodeCommand(text);
  } catch (error) {
    if (!(error instanceof FrameFault)) throw error;
    core.log.error('unreadable frame', { user: device.userId, fault: error.message });
    const reply = faultReply(error, text);
    if (reply) send(reply);
    return;
  }
  core.journal.record('in', device, frame);
  if (!isCurrent) return send(refused(frame, new CallError(ErrorCode.USER_NOT_AUTHENTICATED)));
  // A command that still waits when the exchange stops gets no reply: the client repeats it.
  const failure = (error: unknown) =>
    error instanceof NotOpen ? undefined : conflictReply(core, device, frame, error);
  const sendHere = (reply: ReplyFrame | undefined) => {
    if (reply && isHere()) send(reply);
  };
  try {
    const answer = dispatch(core, device, frame, isHere);
    if (!(answer instanceof Promise)) return send(answer);
    return answer.then(sendHere, (error: unknown) => sendHere(failure(error)));
  } catch (error) {
    return sendHere(failure(error));
  }
}

/**
 * Returns the reply to a command that failed: `INVALID_PARAMETER_VALUE` when its request id belonged to another one.
 * Otherwise `ERR_SERVER_INTERNAL_ERROR`, so that the client does not wait: a node or a store does not answer.
 */
function conflictReply(core: Pick<Core, 'log'>, device: DeviceId, frame: AnyCommandFrame, error: unknown): ReplyFrame {
  if (!(error instanceof RequestConflict)) {
    core.log.error('a command failed', { user: device.userId, type: frame.type, error });
    return refused(frame, new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR));
  }
  core.log.error('conflicting request', { user: device.userId, type: frame.type });
  return refused(frame, new CallError(ErrorCode.INVALID_PARAMETER_VALUE, { param: 'request_id' }));
}
