import { Client } from '../../../src/calls/client/client.ts';
import { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import { DirectCallRecordOption } from '../../../src/calls/direct-call/record-option.ts';
import type { Platform } from '../../../src/calls/platform/platform.ts';
import type { CallError } from '../../../src/protocol/errors.ts';
import type { VirtualPlatform } from '../../virtual/platform.ts';
import { type Acted, ActionImpossible } from '../run/world.ts';
import type { Untimed } from '../trace/trace.ts';

const APP_ID = 'ringback-demo';
const LISTENER = 'scenario';

/** The listeners of a call, by the names hosts know them by. */
const TOLD = [
  'onEstablished',
  'onConnected',
  'onReconnecting',
  'onReconnected',
  'onEnded',
  'onRemoteAudioSettingsChanged',
  'onRemoteVideoSettingsChanged',
  'onCustomItemsUpdated',
  'onCustomItemsDeleted',
  'onRemoteRecordingStatusChanged',
  'onUserHoldStatusChanged',
  'onScreenShareStopped',
  'onCalleeDialReceived',
] as const;

interface ActorOptions {
  /** `alice`, or `bob.phone`. */
  readonly name: string;
  readonly user: string;
  readonly platform: VirtualPlatform;
  readonly apiHost: string;
  readonly websocketHost: string;
  readonly note: (event: Untimed) => void;
  readonly timers: { readonly ring?: number; readonly connection?: number };
}

type Parameters = Readonly<Record<string, unknown>>;

/** A person at a device of theirs: a client of the library, what they do with it, and what it tells them. */
export class VirtualActor {
  readonly name: string;
  readonly platform: VirtualPlatform;
  readonly client: Client;
  readonly #options: ActorOptions;
  readonly #calls: DirectCall[] = [];
  readonly #errors: number[] = [];
  readonly #told: string[] = [];
  #recordingId = '';
  #channel: 'closed' | 'open' = 'closed';
  #reconnected = 0;
  /** The state of the peer connection that moved last. */
  #peer = 'none';

  constructor(options: ActorOptions) {
    this.#options = options;
    this.name = options.name;
    this.platform = options.platform;
    this.client = new Client(this.#observed(), {
      defaultApiHost: options.apiHost,
      defaultWebsocketHost: options.websocketHost,
      consoleLevel: 'DEBUG',
    });
    this.client.init(APP_ID);
    if (options.timers.ring !== undefined) this.client.setRingingTimeout(options.timers.ring / 1_000);
    if (options.timers.connection !== undefined)
      this.client.setCallConnectionTimeout(options.timers.connection / 1_000);
    this.client.addListener(LISTENER, {
      onRinging: (call) => {
        this.#follow(call);
        this.#tell('onRinging');
      },
    });
  }

  async signIn(): Promise<void> {
    await this.client.authenticate({ userId: this.#options.user });
    await this.client.connectWebSocket();
  }

  /** What is to be seen of this person, by its path behind their name. */
  read(path: readonly string[]): unknown {
    const call = this.#calls.at(-1);
    const [area, what] = path;
    switch (area) {
      case 'call':
        return call === undefined ? undefined : this.#readCall(call, what ?? 'state');
      case 'pc':
        return this.#peer;
      case 'pcs':
        return this.platform.rtc.open.length;
      case 'calls':
        return this.client.getOngoingCallCount();
      case 'ws':
        return this.#channel;
      case 'sound':
        return this.platform.sounds.playing[0]?.toLowerCase() ?? 'none';
      case 'errors':
        return [...this.#errors];
      case 'told':
        return what === undefined ? [...this.#told] : this.#told.filter((name) => name === what).length;
      case 'user':
        return this.client.currentUser?.userId ?? 'none';
      case 'tracks':
        return this.platform.devices.liveTracks.length;
      case 'page':
        return this.platform.page.state;
      default:
        return undefined;
    }
  }

  /** @throws Error when there is no such action, or nothing to do it with. */
  act(action: string, parameters: Parameters): Acted {
    const perform = ACTIONS[action];
    if (!perform)
      throw new ActionImpossible(`there is no action ${action}: they are ${Object.keys(ACTIONS).join(', ')}`);
    return perform(this, parameters);
  }

  dial(parameters: Parameters): Acted {
    const { callee, video = false, hold = false, items, ...option } = parameters;
    let settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;
    const done = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
    done.catch(() => undefined);
    const call = this.client.dial(
      {
        userId: callee as string,
        isVideoCall: video as boolean,
        callOption: option,
        holdActiveCall: hold as boolean,
        ...(items === undefined ? {} : { customItems: items as Record<string, string> }),
      },
      (_call, error) => {
        if (error) this.#refused(error);
        if (error) settle?.reject(error);
        else settle?.resolve();
      },
    );
    this.#follow(call);
    return { value: identified(call), done };
  }

  accept({ hold = false, ...option }: Parameters): Acted {
    const call = this.#call();
    call.accept({ callOption: option, holdActiveCall: hold as boolean });
    return { value: identified(call) };
  }

  /** The call in hand: the last that was dialled or rang. */
  #call(): DirectCall {
    const call = this.#calls.at(-1);
    if (!call) throw new ActionImpossible(`${this.name} has no call`);
    return call;
  }

  withCall(act: (call: DirectCall) => unknown): Acted {
    const value = act(this.#call());
    return value instanceof Promise ? { done: value, waits: true } : { value };
  }

  /** The call before the one in hand: the one that was put on hold. */
  former(): void {
    const [last] = this.#calls.splice(-1);
    if (last) this.#calls.unshift(last);
  }

  startRecording({ type = 'remote_audio_and_video', file }: Parameters): Acted {
    const call = this.#call();
    const option = new DirectCallRecordOption({
      callId: call.callId,
      recordingType: type as DirectCallRecordOption['recordingType'],
      ...(file === undefined ? {} : { fileName: file as string }),
    });
    this.#recordingId = call.startRecording(option);
    return {};
  }

  stopRecording(): Acted {
    return { value: this.#call().stopRecording(this.#recordingId) };
  }

  #readCall(call: DirectCall, what: string): unknown {
    const { state } = DirectCall.leg(call);
    const result = call.endResult?.toLowerCase() ?? 'none';
    switch (what) {
      case 'state':
        return state;
      case 'result':
        return result;
      case 'outcome':
        return call.isEnded ? result : state;
      case 'id':
        return call.callId;
      case 'role':
        return call.myRole === 'dc_caller' ? 'caller' : 'callee';
      case 'remoteAudio':
        return call.isRemoteAudioEnabled;
      case 'remoteVideo':
        return call.isRemoteVideoEnabled;
      case 'localAudio':
        return call.isLocalAudioEnabled;
      case 'localVideo':
        return call.isLocalVideoEnabled;
      case 'onHold':
        return call.isOnHold;
      case 'recording':
        return call.localRecordingStatus;
      case 'remoteRecording':
        return call.remoteRecordingStatus;
      case 'sharing':
        return call.isLocalScreenShareEnabled;
      case 'duration':
        return call.getDuration();
      case 'items':
        return { ...call.customItems };
      case 'endedBy':
        return call.endedBy?.userId ?? 'nobody';
      case 'reconnected':
        return this.#reconnected;
      default:
        return undefined;
    }
  }

  #follow(call: DirectCall): void {
    this.#calls.push(call);
    for (const name of TOLD) {
      call[name] = () => {
        if (name === 'onReconnected') this.#reconnected += 1;
        this.#tell(name);
      };
    }
  }

  #tell(name: string): void {
    this.#told.push(name);
    this.#options.note({ kind: 'told', device: this.name, name });
  }

  #refused({ code, message }: CallError): void {
    this.#errors.push(code);
    this.#options.note({ kind: 'error', device: this.name, code, message });
  }

  /** The device's ports, with a look at what goes through them. */
  #observed(): Platform {
    const { platform } = this;
    const { note } = this.#options;
    return {
      ...platform,
      sockets: {
        open: (url, events) =>
          platform.sockets.open(url, {
            opened: () => {
              this.#channel = 'open';
              note({ kind: 'socket', device: this.name, what: 'open' });
              events.opened();
            },
            received: (text) => events.received(text),
            closed: (code, status) => {
              this.#channel = 'closed';
              note({
                kind: 'socket',
                device: this.name,
                what: 'close',
                code,
                ...(status === undefined ? {} : { status }),
              });
              events.closed(code, status);
            },
          }),
      },
      sounds: {
        preload: (url) => platform.sounds.preload(url),
        play: (name, options) => {
          note({ kind: 'sound', device: this.name, what: 'play', name });
          const playing = platform.sounds.play(name, options);
          return {
            stop: () => {
              note({ kind: 'sound', device: this.name, what: 'stop', name });
              playing.stop();
            },
          };
        },
      },
      print: (level, line) => {
        platform.print(level, line);
        this.#read(line);
      },
    };
  }

  /** The library says in its log when a state machine moves, and what went wrong. */
  #read(line: string): void {
    const moved = /\] (call|peer connection) \{"from":"(\w+)","to":"(\w+)"\}$/.exec(line);
    if (moved) {
      const [, machine, from = '', to = ''] = moved;
      if (machine !== 'call') this.#peer = to;
      this.#options.note({ kind: 'state', device: this.name, machine: machine === 'call' ? 'call' : 'peer', from, to });
      return;
    }
    const trouble = /\[(?:ERROR|WARNING)\] (.*)$/.exec(line);
    if (!trouble) return;
    const code = /"code":(\d+)/.exec(line)?.[1];
    this.#options.note({
      kind: 'error',
      device: this.name,
      ...(code === undefined ? {} : { code: Number(code) }),
      message: trouble[1] ?? '',
    });
  }
}

/** What `$call` is: its id is known once the exchange has said it. */
const identified = (call: DirectCall) => ({
  get id() {
    return call.callId;
  },
});

const promised = (done: Promise<unknown>): Acted => ({ done, waits: true });

/** What an actor can do, by the names of the library's own methods. */
const ACTIONS: Readonly<Record<string, (actor: VirtualActor, parameters: Parameters) => Acted>> = {
  signIn: (actor) => promised(actor.signIn()),
  signOut: (actor) => {
    actor.client.deauthenticate();
    return {};
  },
  dial: (actor, parameters) => actor.dial(parameters),
  accept: (actor, parameters) => actor.accept(parameters),
  end: (actor) => actor.withCall((call) => call.end()),
  decline: (actor) => actor.withCall((call) => call.end()),
  cancel: (actor) => actor.withCall((call) => call.end()),
  mute: (actor) => actor.withCall((call) => call.muteMicrophone()),
  unmute: (actor) => actor.withCall((call) => call.unmuteMicrophone()),
  startVideo: (actor) => actor.withCall((call) => call.startVideo()),
  stopVideo: (actor) => actor.withCall((call) => call.stopVideo()),
  switchCamera: (actor) => actor.withCall((call) => call.switchCamera()),
  hold: (actor) => actor.withCall((call) => call.hold()),
  unhold: (actor, { force = false }) => actor.withCall((call) => call.unhold(force as boolean)),
  startScreenShare: (actor) => actor.withCall((call) => call.startScreenShare()),
  stopScreenShare: (actor) => actor.withCall((call) => call.stopScreenShare()),
  startRecording: (actor, parameters) => actor.startRecording(parameters),
  stopRecording: (actor) => actor.stopRecording(),
  updateItems: (actor, { items }) => actor.withCall((call) => call.updateCustomItems(items as Record<string, string>)),
  deleteItems: (actor, { keys }) => actor.withCall((call) => call.deleteCustomItems(keys as string[])),
  deleteAllItems: (actor) => actor.withCall((call) => call.deleteAllCustomItems()),
  former: (actor) => {
    actor.former();
    return {};
  },
};
