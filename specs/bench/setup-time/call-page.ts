/**
 * Runs in a page: one side of calls by the library, by bare peer connections or by PeerJS. All of them open the devices
 * with the same constraints, the caller at the dial and the callee when it learns of the call. All show both pictures,
 * and connect without a relay.
 */
import type { MediaConnection } from 'peerjs';
import * as calls from '../../../src/calls/index.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';

/** The moments of one side, in milliseconds of the time since 1970. The last ones count when one comes twice. */
export interface Moments {
  /** The caller dialled, or the callee learnt of the call. */
  begun: number;
  devices: number;
  /** The local description is set. */
  described: number;
  connected: number;
  /** The first picture of the other side is on the screen. */
  picture: number;
}

/** One side of calls by one of the libraries. */
interface Side {
  dial(other: string): void;
  /** Ends the call. Resolves when another one may begin. */
  end(): Promise<void>;
}

const WANTED: MediaStreamConstraints = {
  audio: true,
  video: { frameRate: { ideal: LIMITS.videoFrameRate }, facingMode: { ideal: 'user' } },
};

const now = () => performance.timeOrigin + performance.now();

let moments: Partial<Moments> = {};
let side: Side;
/** Resolves with the moments of the present call. */
let seen: Promise<Moments>;
let check: () => void;
let views: { readonly local: HTMLVideoElement; readonly remote: HTMLVideoElement };

/** Adds the moments of every peer connection and of the devices, in the same way for each library. */
function watch(): void {
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async (constraints) => {
    const stream = await open(constraints);
    moments.devices = now();
    return stream;
  };
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      this.addEventListener('signalingstatechange', () => {
        if (this.signalingState !== 'have-remote-offer') moments.described ??= now();
      });
      this.addEventListener('connectionstatechange', () => {
        if (this.connectionState === 'connected') moments.connected ??= now();
        check();
      });
    }
  };
}

/** Prepares for the next call: new views, and no moment yet. */
function ready(): void {
  moments = {};
  const [local, remote] = [document.createElement('video'), document.createElement('video')];
  local.muted = true;
  document.body.replaceChildren(local, remote);
  views = { local, remote };
  seen = new Promise((resolve) => {
    // The first picture may come before the event that media is connected.
    check = () => {
      if (moments.picture && moments.connected) resolve(moments as Moments);
    };
    remote.requestVideoFrameCallback(() => {
      moments.picture = now();
      check();
    });
  });
}

function show(view: HTMLVideoElement, stream: MediaStream | null): void {
  view.srcObject = stream;
  void view.play().catch(() => undefined);
}

async function openDevices(): Promise<MediaStream> {
  const stream = await navigator.mediaDevices.getUserMedia(WANTED);
  show(views.local, stream);
  return stream;
}

const stop = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop();
};

/** Dials, and returns the moments of the caller. */
export function dial(other: string): Promise<Moments> {
  moments.begun = now();
  side.dial(other);
  return seen;
}

/** Returns the moments of the callee. */
export const answered = (): Promise<Moments> => seen;

/** Ends the call on this side, and prepares for the next one. */
export async function end(): Promise<void> {
  await side.end();
  ready();
}

export async function useLibrary(id: string, { api, appId }: { api: string; appId: string }): Promise<void> {
  watch();
  ready();
  calls.init(appId, api, api.replace(/^http/, 'ws'));
  await calls.authenticate({ userId: id });
  const option = () => ({ localMediaView: views.local, remoteMediaView: views.remote });
  let call: calls.DirectCall | null = null;
  let over = Promise.resolve();
  const take = (next: calls.DirectCall) => {
    call = next;
    over = new Promise((resolve) => (next.onEnded = () => resolve()));
  };
  calls.addListener('bench', {
    onRinging: (ringing) => {
      moments.begun = now();
      take(ringing);
      ringing.accept({ callOption: option() });
    },
  });
  await calls.connectWebSocket();
  side = {
    dial: (userId) => take(calls.dial({ userId, isVideoCall: true, callOption: option() })),
    end: () => {
      call?.end();
      return over;
    },
  };
}

/** A message between pages with bare peer connections. */
interface Signal {
  readonly src: string;
  readonly ring?: true;
  readonly accept?: true;
  readonly description?: RTCSessionDescriptionInit;
  readonly candidate?: RTCIceCandidateInit;
}

/**
 * The callee opens its devices when it rings. The caller offers as soon as its own devices are open, or when the callee
 * has accepted too.
 */
export async function useBarePeers(id: string, relayPort: number, afterAccept: boolean): Promise<void> {
  watch();
  ready();
  const socket = new WebSocket(`ws://127.0.0.1:${relayPort}/?id=${id}`);
  let connection: RTCPeerConnection;
  let devices: Promise<MediaStream>;
  const begin = (other: string) => {
    const send = (signal: Omit<Signal, 'src'>) => socket.send(JSON.stringify({ dst: other, ...signal }));
    devices = openDevices();
    connection = new RTCPeerConnection({ iceServers: [], bundlePolicy: 'max-bundle' });
    connection.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate?.candidate) send({ candidate: candidate.toJSON() });
    });
    connection.addEventListener('track', ({ streams: [stream] }) => {
      if (views.remote.srcObject !== stream) show(views.remote, stream ?? null);
    });
    return send;
  };
  const describe = async (send: (signal: Omit<Signal, 'src'>) => void) => {
    const stream = await devices;
    for (const track of stream.getTracks()) connection.addTrack(track, stream);
    // A candidate is an event of a later task, so it is sent after its description.
    await connection.setLocalDescription();
    if (connection.localDescription) send({ description: connection.localDescription });
  };
  let send: ReturnType<typeof begin> | null = null;
  socket.addEventListener('message', ({ data }) => {
    const { src, ring, accept, description, candidate }: Signal = JSON.parse(String(data));
    if (ring) {
      moments.begun = now();
      send = begin(src);
      send({ accept: true });
    }
    if (accept && send && afterAccept) void describe(send);
    if (description) {
      void connection.setRemoteDescription(description);
      if (description.type === 'offer' && send) void describe(send);
    }
    // A late candidate may come after the end of its call.
    if (candidate) connection.addIceCandidate(candidate).catch(() => undefined);
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  side = {
    dial: (other) => {
      send = begin(other);
      send({ ring: true });
      if (!afterAccept) void describe(send);
    },
    end: async () => {
      connection.close();
      stop(await devices);
    },
  };
}

/** The caller offers when its devices are open. The callee opens its own at the offer, which is the ring of PeerJS. */
export async function usePeerJs(id: string, relayPort: number): Promise<void> {
  // Its adapter changes the peer connections of its page, so the other pages must not run it.
  const { Peer } = await import('peerjs');
  watch();
  ready();
  const peer = new Peer(id, { host: '127.0.0.1', port: relayPort, path: '/', config: { iceServers: [] } });
  let call: MediaConnection | null = null;
  let devices: Promise<MediaStream>;
  const take = (next: MediaConnection) => {
    call = next;
    next.on('stream', (stream) => {
      if (views.remote.srcObject !== stream) show(views.remote, stream);
    });
  };
  peer.on('call', (incoming) => {
    moments.begun = now();
    take(incoming);
    devices = openDevices();
    void devices.then((stream) => incoming.answer(stream));
  });
  await new Promise((resolve) => peer.on('open', resolve));
  side = {
    dial: (other) => {
      devices = openDevices();
      void devices.then((stream) => take(peer.call(other, stream)));
    },
    end: async () => {
      call?.close();
      stop(await devices);
    },
  };
}
