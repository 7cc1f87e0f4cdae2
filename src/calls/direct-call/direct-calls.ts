import { incomingDialOf } from './webhook-data.ts';
import { OtherCalls } from './other-calls.ts';
import type { LegDeps, RecordingNews } from './leg-deps.ts';
import type { CallFrame } from './incoming-signals.ts';
import { DirectCall, type CallPolicy } from './direct-call.ts';
import type { CustomItemsChange } from '../host/custom-item-requests.ts';
import { CALLS, type SignalledCalls } from './call-signals.ts';
import { CallRegistry } from './call-registry.ts';
import type { CallLeg } from './call-leg.ts';
import { checkDialParams, mediaSettings, type DialParams } from './call-options.ts';
import { action, statsLog, summary } from '../rest/requests.ts';
import type { Platform } from '../platform/platform.ts';
import type { CallSounds } from '../media/sounds.ts';
import type { MediaDevices } from '../media/media-devices.ts';
import type { Logger } from '../logging/log.ts';
import type { Connection } from '../connection/connection.ts';
import { asCallError, callHost } from '../host/call-host.ts';
import type { ServerEventPayload } from '../../protocol/messages/events.ts';
import type { CommandPayload } from '../../protocol/messages/commands.ts';
import { PROTOCOL_VERSION } from '../../protocol/limits.ts';
import type { UserPayload } from '../../protocol/entities.ts';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import { TURN_CHANGED } from '../../protocol/enumerations.ts';
import { readReply, type CommandFrame } from '../../protocol/envelope.ts';

type IncomingDial = ServerEventPayload<'dial'>;

/** The refusals of dial-received for a call that is over or unknown, and for an expired short-lived token. */
const TOO_LATE = [
  ErrorCode.ERR_INVALID_CALL_STATUS,
  ErrorCode.ERR_CALL_DOES_NOT_EXIST,
  ErrorCode.USER_NOT_AUTHENTICATED,
];

/** How long the dial-received of a call that was accepted at once waits: media connects meanwhile. */
const CONFIRMATION_WAIT_MS = 2_000;

/** The route of an incoming dial. */
interface Arrival {
  readonly receivedBy: CommandPayload<'dial_rcv'>['received_type'];
  /** Its number among the signals of its leg. 0 for a dial outside the sequence. */
  readonly lastSignal: number;
}

/** A function that gets the answer of the exchange to a dial: the call, and an error when the exchange refused it. */
export type DialCallback = (call?: DirectCall, error?: CallError) => void;

export interface DirectCallsOptions {
  readonly platform: Platform;
  readonly log: Logger;
  readonly devices: MediaDevices;
  readonly sounds: CallSounds;
  readonly settings: LegDeps['settings'];
  readonly recordings: RecordingNews;
  /** Reports an incoming call. */
  readonly ringing: (call: DirectCall) => void;
  /** Runs when a call has ended and released its resources. */
  readonly over: () => void;
}

/** The direct calls of the signed-in user: it dials, receives, and passes each signal to its call. */
export class DirectCalls implements SignalledCalls<Connection> {
  readonly #options: DirectCallsOptions;
  readonly #registry = new CallRegistry();
  readonly #others: OtherCalls;
  readonly #policy: CallPolicy;
  /** Signals of calls whose dial has not been acknowledged yet. */
  readonly #unclaimed: CallFrame[] = [];

  constructor(options: DirectCallsOptions) {
    this.#options = options;
    this.#others = new OtherCalls(this.#registry, options.log);
    this.#policy = {
      holdOrEndOthers: (call, hold) => this.#others.holdOrEndOthers(call, hold),
      ringing: options.ringing,
    };
  }

  get(callId: string): DirectCall | undefined {
    return this.#registry.get(callId);
  }

  /** Returns the live calls, including those that dial, ring or are on hold. */
  ongoing(): DirectCall[] {
    return this.#registry.all().filter((call) => !call.isEnded);
  }

  /** Returns the ids of the live calls that the exchange knows. */
  liveIds(): string[] {
    return this.ongoing()
      .map(({ callId }) => callId)
      .filter(Boolean);
  }

  /**
   * Starts a call and returns it at once. `callback` gets the call, and an error when the exchange refused it.
   *
   * @throws CallError `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE` for the wrong parameter.
   *   `MY_USER_ID_NOT_ALLOWED` when the callee is the caller.
   */
  dial(params: DialParams, callback: DialCallback | undefined, self: UserPayload, connection: Connection): DirectCall {
    const { userId, isVideoCall, callOption, customItems, sendBirdChatOptions, holdActiveCall, webhook } =
      checkDialParams(params);
    if (userId === self.user_id) throw new CallError(ErrorCode.MY_USER_ID_NOT_ALLOWED);
    const nobodyYet = { user_id: userId, nickname: '', profile_url: '', metadata: {}, is_active: true };
    const call: DirectCall = new DirectCall(
      {
        role: 'dc_caller',
        isVideoCall,
        caller: { ...self, role: 'dc_caller' },
        callee: { ...nobodyYet, role: 'dc_callee' },
        customItems: customItems ?? {},
      },
      this.#depsOf(connection, () => call),
      this.#policy,
    );
    const leg = DirectCall.leg(call);
    this.#others.holdOrEndOthers(call, holdActiveCall ?? false);
    this.#registry.add(call);
    connection.hasten();
    leg.media.choose(callOption);
    const { audioEnabled, videoEnabled } = mediaSettings(callOption);
    const tell = (error?: CallError) => callHost(this.#options.log, 'the dial callback', callback, call, error);
    connection.signalling
      .request('dial', {
        callee_id: userId,
        is_video_call: isVideoCall,
        constraints: { audio: audioEnabled, video: isVideoCall && videoEnabled },
        capabilities: [TURN_CHANGED],
        ...(customItems ? { custom_items: customItems } : {}),
        ...(sendBirdChatOptions ? { sb_chat: { channel_url: sendBirdChatOptions.channelUrl } } : {}),
        ...(webhook ? { webhook } : {}),
      })
      .then(
        (reply) => {
          if (call.isEnded) {
            leg.cancelLate(reply.call_id);
            return tell(new CallError(ErrorCode.DIAL_CANCELED));
          }
          leg.acknowledged(reply);
          this.#registry.learn(call);
          this.#claim(call);
          return tell();
        },
        (error: unknown) => {
          if (call.isEnded) return tell(new CallError(ErrorCode.DIAL_CANCELED));
          this.#options.log.warning('the dial failed', { error });
          leg.lifecycle.raise('dialFailed');
          return tell(asCallError(error));
        },
      )
      .catch((error: unknown) => this.#options.log.error('the dial went wrong', { error }));
    // The devices open while the dial is on its way.
    leg.media.open();
    return call;
  }

  /** Handles an event about a call. An event of an unknown call is ignored. */
  receive(frame: CallFrame, connection: Connection): void {
    const call = this.#registry.get(frame.payload.call_id);
    // The dial of a known call arrived before by another route. It still has its number among the call's signals.
    if (call) DirectCall.leg(call).receive(frame);
    else if (frame.type === 'dial') {
      const { sequence_number, delivery_info } = frame;
      this.#ring(frame.payload, { lastSignal: sequence_number, receivedBy: delivery_info.channel }, connection);
    } else if (this.#registry.all().some(({ callId }) => callId === '')) this.#unclaimed.push(frame);
    else this.#options.log.debug('a signal for no call here', { type: frame.type });
  }

  /**
   * Rings for an incoming dial of a webhook.
   * @throws CallError as {@link incomingDialOf}.
   */
  ringFromWebhook(data: unknown, userId: string, connection: Connection): void {
    const dial = incomingDialOf(data, userId);
    // No signal of the channel has been applied yet. When the channel opens, all of them are.
    if (dial) this.#ring(dial, { lastSignal: 0, receivedBy: 'webhook' }, connection);
  }

  /** Passes a call with a new id the signals that arrived before. A dial and its events may take different routes. */
  #claim(call: DirectCall): void {
    const frames = this.#unclaimed.splice(0);
    for (const frame of frames) {
      if (frame.payload.call_id === call.callId) DirectCall.leg(call).receive(frame);
      else this.#unclaimed.push(frame);
    }
    if (this.#registry.all().every(({ callId }) => callId !== '')) this.#unclaimed.length = 0;
  }

  /** Applies a change of custom items that was made by the call's id. */
  customItemsChanged(callId: string, change: CustomItemsChange): void {
    const call = this.#registry.get(callId);
    if (call) DirectCall.leg(call).takeCustomItems(change);
  }

  /** Ends a live call that the exchange does not know, with an unknown result (D12). */
  unknown(callId: string): void {
    const call = this.#registry.get(callId);
    if (call) DirectCall.leg(call).lifecycle.raise('remoteEnded', { result: 'unknown' });
  }

  /**
   * Ends and forgets every call when the user signs out. Returns whether a call is still ending, which happens in a
   * listener of the host.
   */
  endAll(): boolean {
    for (const call of this.#registry.all()) call.end();
    const isEnding = this.ongoing().length > 0;
    this.#unclaimed.length = 0;
    this.#registry.clear();
    return isEnding;
  }

  #ring(dial: IncomingDial, { lastSignal, receivedBy }: Arrival, connection: Connection): void {
    const { call_id, is_video_call, caller, callee, constraints, custom_items, turn_credential } = dial;
    // The dial may arrive by the channel, by a push, and again in the catch-up.
    if (this.#registry.knows(call_id)) return;
    const call: DirectCall = new DirectCall(
      {
        role: 'dc_callee',
        isVideoCall: is_video_call,
        callId: call_id,
        caller,
        callee,
        customItems: custom_items,
        lastSignal,
        remoteMedia: constraints,
      },
      this.#depsOf(connection, () => call),
      this.#policy,
    );
    this.#registry.add(call);
    const leg = DirectCall.leg(call);
    leg.peers.relay.use(turn_credential);
    connection.hasten();
    leg.lifecycle.raise('incomingDial');
    const confirm = () => void this.#confirmRing(leg, dial, receivedBy, connection);
    // The media of a call that the host has accepted at once goes first: the accept shows the caller that it rings here.
    if (leg.lifecycle.is('accepting'))
      leg.later.push(this.#options.platform.clock.after(CONFIRMATION_WAIT_MS, confirm));
    else confirm();
  }

  /**
   * Sends dial-received to the exchange (§7, by HTTP with the short-lived token). A refused one came too late: the call
   * ends as its signals state, or as unknown without them.
   */
  async #confirmRing(
    leg: CallLeg,
    dial: IncomingDial,
    receivedBy: Arrival['receivedBy'],
    { rest, catchUp }: Connection,
  ): Promise<void> {
    const { platform, log } = this.#options;
    const frame: CommandFrame = {
      version: PROTOCOL_VERSION,
      request_id: platform.newId(),
      cmd: 'CALL',
      type: 'dial_rcv',
      payload: {
        call_id: dial.call_id,
        callee_delivery_info: { channel: receivedBy },
        received_type: receivedBy,
      },
    };
    try {
      readReply('dial_rcv', await action(rest, frame, { auth: { shortLivedToken: dial.short_lived_token } }));
    } catch (error) {
      log.debug('dial-received was not taken', { error });
      if (!(error instanceof CallError) || !TOO_LATE.includes(error.code)) return;
      await catchUp.fetchMissed(CALLS, dial.call_id);
      // An expired token alone does not end the call, when the exchange has a signal of the call for this device.
      const mayRing = error.code === ErrorCode.USER_NOT_AUTHENTICATED && leg.lastSignal > 0;
      if (leg.lifecycle.is('ringing') && !mayRing) leg.lifecycle.raise('remoteEnded', { result: 'unknown' });
    }
  }

  /** `call` is read only after the call exists. */
  #depsOf(connection: Connection, call: () => DirectCall): LegDeps {
    const { platform, log, devices, sounds, settings, recordings, over } = this.#options;
    return {
      platform,
      log,
      devices,
      settings,
      recordings,
      voice: sounds.voice(),
      commands: connection.signalling,
      rest: connection.rest,
      sendStatsLog: (facts) => statsLog(connection.rest, { app_id: connection.appId, ...facts }),
      sendSummary: (callId, body) => summary(connection.rest, callId, body),
      fetchMissed: (callId) => connection.catchUp.fetchMissed(CALLS, callId),
      established: () => this.#others.established(call()),
      otherCallIsActive: () => this.#others.isActiveBeside(call()),
      endOtherCalls: () => this.#others.endBeside(call()),
      released: () => {
        for (const timer of DirectCall.leg(call()).later) timer.cancel();
        this.#registry.remove(call());
        over();
      },
    };
  }
}
