import { afterEach, expect } from 'vitest';
import { createClient, type Client } from '../../../../src/calls/client/client.ts';
import { DirectCall } from '../../../../src/calls/direct-call/direct-call.ts';
import type { DialParams } from '../../../../src/calls/direct-call/call-options.ts';
import type { CallState } from '../../../../src/calls/direct-call/table.ts';
import type { Platform } from '../../../../src/calls/platform/platform.ts';
import type { Room } from '../../../../src/calls/room/room.ts';
import type { SocketEvents } from '../../../../src/calls/platform/socket.ts';
import type { PostWebhook } from '../../../../sim/exchange/ports.ts';
import type { ExchangeSettings } from '../../../../sim/exchange/settings.ts';
import type { VirtualPlatform } from '../../../../sim/virtual/platform.ts';
import { VirtualRoomMediaEngine } from '../../../../sim/virtual/room-media.ts';
import { createWorld, type VirtualNetworkWorld } from '../../../../sim/virtual/world.ts';
import { testExchange, type TestExchange } from './test-exchange.ts';
import { accountTimers, type TimerAccount } from './timer-account.ts';
import { loadedParts } from '../../../../src/calls/client/loaded-parts.ts';

const API = 'http://exchange.test';
const WS = 'ws://exchange.test';

export interface Frame {
  readonly cmd: string;
  readonly type: string;
  readonly request_id?: string;
  readonly sequence_number?: number;
  readonly payload: Record<string, unknown>;
}

interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

interface Matcher {
  /** The device the message comes from or goes to. */
  readonly from?: string;
  readonly to?: string;
  readonly type: string;
}

const NOTICES = [
  'onEstablished',
  'onConnected',
  'onReconnecting',
  'onReconnected',
  'onEnded',
  'onCalleeDialReceived',
  'onRemoteAudioSettingsChanged',
  'onRemoteVideoSettingsChanged',
  'onUserHoldStatusChanged',
  'onRemoteRecordingStatusChanged',
  'onScreenShareStopped',
] as const;

/** Notices about the other side's media settings. Most tests check only the course of the call. */
const ABOUT_MEDIA: readonly string[] = ['onRemoteAudioSettingsChanged', 'onRemoteVideoSettingsChanged'];

/** The parts of the world that devices keep as long as their client lives: the same after a call as before. */
const LISTENERS = /\d+ (device|page) listeners$/;

export class CallWorld {
  readonly world: VirtualNetworkWorld<TestExchange>;
  readonly parties: MediaPeer[] = [];
  readonly #clients: Pick<Client, 'deauthenticate'>[] = [];

  constructor(world: VirtualNetworkWorld<TestExchange>) {
    this.world = world;
  }

  /** A client of this world. It is signed out when the test is over, and then nothing of it may be left. */
  adopt<C extends Pick<Client, 'deauthenticate'>>(client: C): C {
    this.#clients.push(client);
    return client;
  }

  /**
   * Lists what is left where nothing may be: of each device whose calls have ended, at once. Of the whole world, when
   * all paths are healed and every user has signed out.
   */
  async leftovers(): Promise<string[]> {
    await this.settle();
    const ofCalls = this.parties.flatMap((party) => (party.isIdle ? party.leftovers() : []));
    for (const party of this.parties) party.heal();
    this.restoreMedia();
    for (const client of this.#clients) client.deauthenticate();
    this.world.exchange.close();
    await this.world.advance(100);
    const ofParties = this.parties.flatMap((party) => party.remains());
    const ofDevices = this.world.leftovers().filter((line) => !LISTENERS.test(line));
    return [...ofCalls.map((line) => `after its calls had ended, ${line}`), ...ofParties, ...ofDevices];
  }

  /** Signs a user in on a device and opens its channel. */
  async party(user: string, device?: string): Promise<MediaPeer> {
    const party = new MediaPeer(this, user, device === undefined ? user : `${user}-${device}`);
    this.parties.push(party);
    await party.signIn();
    return party;
  }

  /** Delivers pending messages: 50 ms of the world. No timer of a call is as short. */
  async settle(): Promise<void> {
    await this.world.advance(50);
  }

  /** Waits for a promise of the virtual world, whose time advances meanwhile. */
  async done<T>(promise: Promise<T>): Promise<T> {
    const settled = promise.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    await this.settle();
    const outcome = await settled;
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  async advance(ms: number): Promise<void> {
    await this.world.advance(ms);
  }

  cutMedia(): void {
    for (const { name } of this.parties) this.world.media.cutDevice(name);
  }

  restoreMedia(): void {
    for (const { name } of this.parties) this.world.media.restoreDevice(name);
  }

  /** The exchange loses its calls and keeps its users. */
  exchangeForgets(): void {
    this.world.exchange.forgetCalls();
  }

  /** Replaces the sdp of what a device receives. */
  corrupt({ to, type, sdp }: { to: string; type: string; sdp: string }): void {
    const party = this.parties.find(({ name }) => name === to);
    party?.rewrite((frame) => (frame.type === type ? { ...frame, payload: { ...frame.payload, sdp } } : frame));
  }
}

/** One device of one user, its client, and everything it sent, received and emitted. */
export class MediaPeer {
  readonly name: string;
  readonly client: Client;
  readonly rings: DirectCall[] = [];
  /** The rooms that a test uses on this device. */
  readonly rooms: Pick<Room, 'localParticipant'>[] = [];
  readonly dialled: { call: DirectCall | undefined; code: number | undefined }[] = [];
  readonly platform: VirtualPlatform;
  readonly #user: string;
  readonly #world: CallWorld;
  readonly #told: string[] = [];
  readonly #http: HttpRequest[] = [];
  readonly #constraints: MediaStreamConstraints[] = [];
  readonly #timers: TimerAccount;
  readonly #rules: (() => void)[] = [];
  #listeners = 0;
  readonly #replies = new Map<string, (frame: { error?: { code: number }; payload?: unknown }) => void>();
  #statsRead = 0;
  #rewrite: (frame: Frame) => Frame = (frame) => frame;
  #socket: { readonly events: SocketEvents; readonly send: (text: string) => void } | null = null;

  constructor(world: CallWorld, user: string, name: string) {
    this.#world = world;
    this.#user = user;
    this.name = name;
    this.platform = world.world.platform(name);
    this.#timers = accountTimers(this.platform.clock);
    this.client = world.adopt(
      createClient(this.#recorded(), {
        defaultApiHost: API,
        defaultWebsocketHost: WS,
        consoleLevel: 'DEBUG',
        parts: loadedParts(),
      }),
    );
  }

  async signIn(): Promise<void> {
    this.client.init('ringback-demo');
    this.client.addListener('test', {
      onRinging: (call) => {
        this.rings.push(call);
        this.#follow(call);
      },
    });
    await this.#world.done(this.client.authenticate({ userId: this.#user, accessToken: '' }));
    await this.#world.done(this.client.connectWebSocket());
    this.#listeners = this.#countListeners();
  }

  dial(userId: string, params: Omit<DialParams, 'userId'>): DirectCall {
    const call = this.client.dial({ userId, ...params }, (dialled, error) =>
      this.dialled.push({ call: dialled, code: error?.code }),
    );
    this.#follow(call);
    return call;
  }

  /** The call that rang last. */
  rung(): DirectCall {
    const call = this.rings.at(-1);
    if (!call) throw new Error(`${this.name} was not rung`);
    return call;
  }

  state(call: DirectCall): CallState {
    return DirectCall.leg(call).state;
  }

  /** The states of this device's calls, in order, as its log lists them. */
  path(): string[] {
    return this.platform.printed.flatMap((line) => /\] call \{"from":"\w+","to":"(\w+)"\}/.exec(line)?.[1] ?? []);
  }

  /** The events about the course of the call that its host got. */
  told(): string[] {
    return this.#told.filter((name) => !ABOUT_MEDIA.includes(name));
  }

  sent(type: string): Frame[] {
    return this.#frames('up', type);
  }

  events(type: string): Frame[] {
    return this.#frames('down', type).filter((frame) => frame.request_id === undefined);
  }

  replies(type: string): Frame[] {
    return this.#frames('down', type).filter((frame) => frame.request_id !== undefined);
  }

  /** Every request over HTTP, as its method and path. */
  get routes(): string[] {
    return this.#http.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  }

  /** The addresses of the requests for a path. */
  requestsOf(path: string): URL[] {
    return this.httpRequests(path).flatMap(({ method, url }) => (method === 'GET' ? new URL(url) : []));
  }

  httpRequests(path: string): HttpRequest[] {
    return this.#http.filter(({ url }) => new URL(url).pathname === path);
  }

  /** Returns the bodies of the requests whose path ends with a word. */
  requests(ending: 'summary' | 'action'): string[] {
    const wanted = ending === 'action' ? '/action/direct_call' : `/${ending}`;
    return this.#http.filter(({ url }) => new URL(url).pathname.endsWith(wanted)).map(({ body }) => body ?? '');
  }

  /** The sound that loops now. Null when none does. */
  sound(): string | null {
    return this.platform.sounds.playing[0] ?? null;
  }

  /** Every sound that was started, in order. */
  sounds(): string[] {
    return this.platform.sounds.record.filter(({ action }) => action === 'play').map(({ name }) => name);
  }

  peerConnections(): number {
    return this.platform.rtc.made.length;
  }

  openPeerConnections(): number {
    return this.platform.rtc.open.length;
  }

  /** The video that its open connection sends. */
  sentPicture(): MediaStreamTrack | null {
    return this.#sentTrack('video');
  }

  /** The audio that its open connection sends. */
  sentSound(): MediaStreamTrack | null {
    return this.#sentTrack('audio');
  }

  liveTracks(): number {
    return this.platform.devices.liveTracks.length;
  }

  devicesOpened(): number {
    return this.#constraints.length;
  }

  constraintsAsked(): MediaStreamConstraints[] {
    return this.#constraints;
  }

  statsRead(): number {
    return this.#statsRead;
  }

  view(): HTMLMediaElement {
    return { srcObject: null, muted: false } as unknown as HTMLMediaElement;
  }

  logged(level: 'debug' | 'info' | 'warn' | 'error'): string[] {
    const label = { debug: 'DEBUG', info: 'INFO', warn: 'WARNING', error: 'ERROR' }[level];
    return this.platform.printed.filter((line) => line.includes(`[${label}]`));
  }

  errors(): string[] {
    return this.logged('error');
  }

  /** True when no call of the device lives, and it is in no room. */
  get isIdle(): boolean {
    const isInRoom = this.rooms.some(({ localParticipant }) => localParticipant !== undefined);
    return this.client.getOngoingCallCount() === 0 && !isInRoom;
  }

  /** Restores every path: no message is lost or delayed any more. */
  heal(): void {
    for (const undo of this.#rules.splice(0)) undo();
    this.platform.net.restore();
  }

  /** The resources that its client did not release at the sign-out. */
  remains(): string[] {
    const listeners = this.#countListeners() - this.#listeners;
    return [
      ...this.#timers.running().map((place) => `${this.name}: a timer started in ${place}`),
      ...(listeners > 0 ? [`${this.name}: ${listeners} listeners to page or devices more than when it signed in`] : []),
    ];
  }

  #countListeners(): number {
    return this.platform.page.listeners + this.platform.devices.listeners;
  }

  /** The resources that its calls did not release. */
  leftovers(): string[] {
    const counts = {
      'peer connections': this.openPeerConnections(),
      tracks: this.liveTracks(),
      recordings: this.platform.recorder.running.length,
      sounds: this.platform.sounds.playing.length,
      calls: this.client.getOngoingCallCount(),
    };
    return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${this.name}: ${count} ${what}`] : []));
  }

  delay({ by, ...matcher }: Matcher & { by: number }): void {
    this.#rule(matcher, { delayMs: by });
  }

  lose(matcher: Matcher): void {
    this.#rule(matcher, 'drop');
  }

  duplicate({ times, ...matcher }: Matcher & { times: number }): void {
    this.#copies = { matcher, times };
  }

  rewrite(rewrite: (frame: Frame) => Frame): void {
    this.#rewrite = rewrite;
  }

  /** Delivers a frame, or an invalid text, to the client like a message of the exchange. */
  inject(frame: object | string): void {
    this.#socket?.events.received(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Sends a command without the library, like a hostile client. */
  command(type: string, payload: Record<string, unknown>): Promise<unknown> {
    const groups: Record<string, string> = { offer: 'SGNL', answer: 'SGNL', candidate: 'SGNL' };
    const request_id = `test-${this.#replies.size}`;
    const answer = new Promise((resolve, reject) => {
      this.#replies.set(request_id, ({ error, payload: said }) => {
        if (error) reject(Object.assign(new Error('refused'), error));
        else resolve(said);
      });
    });
    this.#socket?.send(JSON.stringify({ version: 1, request_id, cmd: groups[type] ?? 'CALL', type, payload }));
    return this.#world.done(answer);
  }

  loseChannel({ forMs }: { forMs: number }): void {
    const { net, clock } = this.platform;
    net.setSockets('down');
    net.dropSockets();
    const back = clock.after(forMs, () => net.setSockets('up'));
    this.#rules.push(() => back.cancel());
  }

  refuseHttp(): void {
    this.platform.net.setHttp('down');
  }

  refuseEverything(): void {
    this.platform.net.cut();
  }

  #copies: { readonly matcher: Matcher; readonly times: number } | null = null;

  #sentTrack(wanted: 'audio' | 'video'): MediaStreamTrack | null {
    const transceivers = this.platform.rtc.open[0]?.getTransceivers() ?? [];
    return transceivers.find(({ kind }) => kind === wanted)?.sender.track ?? null;
  }

  #frames(direction: 'up' | 'down', type: string): Frame[] {
    const frames = this.#world.world.network.trace
      .filter(({ device, via, ...line }) => device === this.name && via === 'socket' && line.direction === direction)
      .filter((line) => line.type === type)
      .map((line) => JSON.parse(line.text));
    const copies = this.#copies?.matcher.type === type && direction === 'down' ? this.#copies.times : 1;
    return frames.flatMap((frame) => Array.from({ length: copies }, () => frame));
  }

  #rule({ from, to, type }: Matcher, fate: 'drop' | { delayMs: number }): void {
    const undo = this.#world.world.network.rule((message) => {
      const device = message.direction === 'up' ? from : to;
      return device === message.device && message.type === type ? fate : undefined;
    });
    this.#rules.push(undo);
  }

  #follow(call: DirectCall): void {
    for (const name of NOTICES) call[name] = () => this.#told.push(name);
  }

  /** The device's ports, each with a recorder. */
  #recorded(): Platform {
    const { platform } = this;
    const { devices, rtc, sockets } = platform;
    return {
      ...platform,
      clock: this.#timers.clock,
      fetch: (url, request) => {
        this.#http.push({ url, method: request.method, headers: request.headers, body: request.body });
        return platform.fetch(url, request);
      },
      sockets: {
        open: (url, events) => {
          const socket = sockets.open(url, { ...events, received: (text) => this.#received(text, events) });
          this.#socket = { events, send: (text) => socket.send(text) };
          return socket;
        },
      },
      devices: {
        getUserMedia: (constraints) => {
          this.#constraints.push(constraints);
          return devices.getUserMedia(constraints);
        },
        get canCaptureDisplay() {
          return devices.canCaptureDisplay;
        },
        getDisplayMedia: () => devices.getDisplayMedia(),
        enumerate: () => devices.enumerate(),
        onChange: (changed) => devices.onChange(changed),
        silence: () => devices.silence(),
        blackPicture: () => devices.blackPicture(),
      },
      rtc: {
        createMediaStream: (tracks) => rtc.createMediaStream(tracks),
        createAudioElement: () => rtc.createAudioElement(),
        createPeerConnection: (configuration) => {
          const connection = rtc.createPeerConnection(configuration);
          const getStats = connection.getStats.bind(connection);
          connection.getStats = () => {
            this.#statsRead += 1;
            return getStats();
          };
          return connection;
        },
      },
    };
  }

  #received(text: string, events: SocketEvents): void {
    const frame = this.#rewrite(JSON.parse(text));
    const waiting = this.#replies.get(frame.request_id ?? '');
    if (waiting) return waiting(JSON.parse(text));
    const copies = this.#copies?.matcher.type === frame.type ? this.#copies.times : 1;
    for (let copy = 0; copy < copies; copy += 1) events.received(JSON.stringify(frame));
  }
}

const made: CallWorld[] = [];

// After every test with a world: no timer, listener, track, socket or peer connection is left in it.
afterEach(async ({ task }) => {
  const worlds = made.splice(0);
  // A failed test always leaves resources, which are not its failure.
  if (task.result?.state === 'fail') return;
  for (const world of worlds) expect(await world.leftovers(), 'left when the test was over').toEqual([]);
});

/** A world with the demo's users, of which none is signed in yet. */
export async function callWorld({
  seed = 1,
  settings,
  postWebhook,
}: { seed?: number; settings?: Partial<ExchangeSettings>; postWebhook?: PostWebhook } = {}): Promise<CallWorld> {
  const world = createWorld({
    seed,
    exchange: (clock, mediaServer) =>
      testExchange(clock, settings, postWebhook, new VirtualRoomMediaEngine(mediaServer('sfu'))),
  });
  await world.settle();
  const calls = new CallWorld(world);
  made.push(calls);
  return calls;
}
