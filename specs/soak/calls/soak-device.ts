/**
 * A device of a soak run: the library with real sockets and requests, whose messages pass the engine of message faults,
 * and with modeled peer connections, which cost no processor time for media.
 */
import { randomUUID } from 'node:crypto';
import type { Socket as Connection } from 'node:net';
import { type Client, createClient } from '../../../src/calls/client/client.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';
import { browserFetch } from '../../../src/calls/platform/browser/fetch.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { SocketPort } from '../../../src/calls/platform/socket.ts';
import type { Platform } from '../../../src/calls/platform/platform.ts';
import { wsSockets } from '../../../cli/headless/platform/ws-sockets.ts';
import { scaledClock } from '../../../cli/worlds/real/scaled-clock.ts';
import { type Wire, wiredFetch, wiredSockets } from '../../../cli/worlds/real/wire.ts';
import { DEFAULT_APP_ID } from '../../../sim/server/defaults.ts';
import { VirtualDevices } from '../../../sim/virtual/devices.ts';
import type { MediaNetwork } from '../../../sim/virtual/media-network.ts';
import { VirtualStream } from '../../../sim/virtual/media-track.ts';
import { virtualEnvironment, VirtualFrames, VirtualPage } from '../../../sim/virtual/page.ts';
import { VirtualPeerConnection } from '../../../sim/virtual/peer-connection.ts';
import { seededRandom, seedFor } from '../../../sim/virtual/random.ts';
import { VirtualRecorder } from '../../../sim/virtual/recorder.ts';

export interface SoakDeviceOptions {
  readonly userId: string;
  readonly server: string;
  /** Default: that of servers of this project. */
  readonly appId?: string;
  readonly seed: number;
  readonly timeScale: number;
  readonly media: MediaNetwork;
  readonly wire: Wire;
  /** Observes the sockets of the device. Default: nothing. */
  readonly watched?: (sockets: SocketPort) => SocketPort;
  /** Observes the timers of the device. Default: nothing. */
  readonly timed?: (clock: Clock) => Clock;
}

export class SoakDevice {
  readonly userId: string;
  readonly client: Client;
  /** The modeled peer connections that are not closed. */
  readonly connections = new Set<VirtualPeerConnection>();
  readonly #server: string;
  readonly #appId: string;
  readonly #devices: VirtualDevices;
  readonly #clock: ReturnType<typeof scaledClock>;
  #channel: Connection | null = null;

  constructor({ userId, server, seed, timeScale, media, wire, ...more }: SoakDeviceOptions) {
    this.userId = userId;
    this.#server = server;
    this.#appId = more.appId ?? DEFAULT_APP_ID;
    const clock = scaledClock(timeScale);
    this.#clock = clock;
    const random = seededRandom(seedFor(seed, userId));
    const newId = () => randomUUID();
    this.#devices = new VirtualDevices(clock, newId);
    const deps = { node: userId, clock, random, newId, media };
    const sockets = wsSockets((connection) => (this.#channel = connection));
    const platform: Platform = {
      clock: more.timed?.(clock) ?? clock,
      random,
      newId,
      environment: virtualEnvironment(),
      sockets: wiredSockets(userId, more.watched?.(sockets) ?? sockets, wire),
      fetch: wiredFetch(userId, browserFetch(), wire),
      rtc: {
        createPeerConnection: (configuration) => {
          const closed = (connection: VirtualPeerConnection) => void this.connections.delete(connection);
          const connection = new VirtualPeerConnection({ ...deps, closed }, configuration);
          this.connections.add(connection);
          return connection;
        },
        createMediaStream: (tracks = []) => new VirtualStream(newId(), tracks),
        createAudioElement: () => ({ srcObject: null }),
      },
      devices: this.#devices,
      frames: new VirtualFrames(),
      recorder: new VirtualRecorder(clock),
      page: new VirtualPage(),
      sounds: {
        play: () => ({ stop: () => undefined }),
        preload: () => Promise.resolve(true),
        setVolume: () => undefined,
      },
      print: () => undefined,
    };
    const websocket = server.replace(/^http/, 'ws');
    this.client = createClient(platform, {
      defaultApiHost: server,
      defaultWebsocketHost: websocket,
      parts: loadedParts(),
    });
  }

  async signIn(): Promise<void> {
    this.client.init(this.#appId, this.#server, this.#server.replace(/^http/, 'ws'));
    await this.client.authenticate({ userId: this.userId });
    await this.client.connectWebSocket();
  }

  /** Resets the connection of the channel: both sides see an error. */
  reset(): void {
    this.#channel?.resetAndDestroy();
  }

  /** Stops the connection of the channel in both directions, without closing it. Returns the function that resumes it. */
  freeze(): () => void {
    const channel = this.#channel;
    channel?.pause();
    channel?.cork();
    return () => {
      channel?.uncork();
      channel?.resume();
    };
  }

  /** Returns the resources that a device without calls and without a session must not have. */
  get leftovers(): number {
    return this.connections.size + this.#devices.liveTracks.length + this.#clock.pending;
  }
}
