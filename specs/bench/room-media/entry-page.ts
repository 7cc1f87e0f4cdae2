/**
 * Runs in a page: enters a room, by the library or with bare peer connections, and measures the time to the first picture
 * of every other participant. The bare entry sends its offers by HTTP.
 */
import type * as v from 'valibot';
import * as calls from '../../../src/calls/index.ts';
import { filledPath } from '../../../src/protocol/endpoint.ts';
import { HEADERS, PATHS } from '../../../src/protocol/http.ts';
import { ROOM_LIMITS, LIMITS } from '../../../src/protocol/limits.ts';
import type { ROOM_COMMANDS, ROOM_REPLIES } from '../../../src/protocol/messages/rooms.ts';
import { ROOM_PATHS } from '../../../src/protocol/room-paths.ts';
import { packSdp, unpackSdp } from '../../../src/protocol/sdp-codec.ts';

export interface EnteringUser {
  readonly api: string;
  readonly appId: string;
  readonly userId: string;
  readonly roomId: string;
}

/** Milliseconds since the start of an entry. */
export interface EntryTimes {
  /** The reply of the exchange to the entry. */
  readonly entered: number;
  /** The first picture of the last participant. */
  readonly pictures: number;
}

interface Entered {
  readonly times: EntryTimes;
  /** Leaves the room. Resolves when the exchange knows. */
  leave(): Promise<void>;
}

type Reply<T extends keyof typeof ROOM_REPLIES> = v.InferOutput<(typeof ROOM_REPLIES)[T]>;
type Body<T extends keyof typeof ROOM_COMMANDS> = Partial<v.InferInput<(typeof ROOM_COMMANDS)[T]>>;

/** An entry of a user, again and again. */
let enterOnce: () => Promise<Entered>;

/** Enters, waits for every picture, and leaves. */
export async function measure(): Promise<EntryTimes> {
  const { times, leave } = await enterOnce();
  await leave();
  document.body.replaceChildren();
  return times;
}

export async function useLibrary({ api, appId, userId, roomId }: EnteringUser): Promise<void> {
  calls.init(appId, api, api.replace(/^http/, 'ws'));
  await calls.authenticate({ userId });
  await calls.connectWebSocket();
  const room = await calls.fetchRoomById(roomId);
  enterOnce = async () => {
    const start = performance.now();
    await room.enter();
    const entered = performance.now() - start;
    await Promise.all(
      room.remoteParticipants.map((participant) => {
        const view = makeView();
        void participant.setMediaView(view);
        return firstPicture(view);
      }),
    );
    const pictures = performance.now() - start;
    const leave = async () => {
      room.exit();
      // The exit is reported before another read of the room is.
      await calls.fetchRoomById(roomId);
    };
    return { times: { entered, pictures }, leave };
  };
}

export async function useBarePeers({ api, appId, userId, roomId }: EnteringUser): Promise<void> {
  const send = sender(api);
  const login = filledPath(PATHS.login, { user_id: userId });
  const { sbcall_session_token: token } = await send<{ sbcall_session_token: string }>('POST', login, '', {
    app_id: appId,
    user_id: userId,
  });
  enterOnce = async () => {
    const start = performance.now();
    const devices = openDevices();
    const flags = { is_audio_on: true, is_video_on: true } satisfies Body<'room_enter'>;
    const path = filledPath(ROOM_PATHS.participants, { room_id: roomId });
    const { me, room } = await send<Reply<'room_enter'>>('POST', path, token, flags);
    const entered = performance.now() - start;
    const ids = { room_id: roomId, participant_id: me.participant_id };
    const post = <T>(where: string, endpoint_id: string, body: object) =>
      send<T>('POST', filledPath(where, { ...ids, endpoint_id }), token, body);
    const others = room.current_participants.filter(({ participant_id }) => participant_id !== me.participant_id);
    const master = connect('sendonly', post, devices);
    const viewers = await Promise.all(
      others.map(async ({ participant_id: attach_to }) => {
        const { connection, endpointId, view } = await connect('recvonly', post, null);
        void post(ROOM_PATHS.attach, endpointId, { attach_to } satisfies Body<'endpoint_attach'>);
        await firstPicture(view);
        return connection;
      }),
    );
    const pictures = performance.now() - start;
    const leave = async () => {
      for (const connection of [...viewers, (await master).connection]) connection.close();
      for (const track of (await devices).getTracks()) track.stop();
      await send('DELETE', filledPath(ROOM_PATHS.participant, ids), token);
    };
    return { times: { entered, pictures }, leave };
  };
}

/** Makes an endpoint: offers a connection, and applies the answer. */
async function connect(
  direction: 'sendonly' | 'recvonly',
  post: <T>(where: string, endpointId: string, body: object) => Promise<T>,
  devices: Promise<MediaStream> | null,
) {
  const connection = new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
  const tracks = (await devices)?.getTracks() ?? [];
  for (const kind of ['audio', 'video'] as const) {
    connection.addTransceiver(tracks.find((track) => track.kind === kind) ?? kind, { direction });
  }
  const view = makeView();
  const received = new MediaStream();
  connection.addEventListener('track', ({ track }) => {
    received.addTrack(track);
    view.srcObject = received;
    void view.play().catch(() => undefined);
  });
  await connection.setLocalDescription();
  const sdp = packSdp(connection.localDescription?.sdp ?? '');
  const body = { sdp, audio_attr: direction, video_attr: direction } satisfies Body<'endpoint_create'>;
  const reply = await post<Reply<'endpoint_create'>>(ROOM_PATHS.endpoints, '', body);
  const endpointId = reply.endpoint_id;
  connection.addEventListener('connectionstatechange', () => {
    if (connection.connectionState === 'connected') void post(ROOM_PATHS.connected, endpointId, {});
  });
  // Not awaited: an attach needs no connection.
  void connection.setRemoteDescription({ type: 'answer', sdp: unpackSdp(reply.sdp) });
  return { connection, endpointId, view };
}

/** Opens the devices as the library does. */
function openDevices(): Promise<MediaStream> {
  const { width, height } = ROOM_LIMITS.pictureSizes[0];
  const frameRate = { ideal: LIMITS.videoFrameRate };
  const video = { width: { ideal: width }, height: { ideal: height }, frameRate, facingMode: { ideal: 'user' } };
  return navigator.mediaDevices.getUserMedia({ audio: true, video });
}

/** Returns the function that sends requests of a device. */
function sender(api: string) {
  const device = crypto.randomUUID();
  return async <T>(method: string, path: string, token: string, body?: object): Promise<T> => {
    const headers = {
      [HEADERS.clientId]: device,
      ...(token === '' ? {} : { [HEADERS.sessionToken]: token }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const response = await fetch(api + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<T>;
  };
}

function makeView(): HTMLVideoElement {
  const view = document.createElement('video');
  document.body.append(view);
  return view;
}

const firstPicture = (view: HTMLVideoElement): Promise<void> =>
  new Promise((resolve) => void view.requestVideoFrameCallback(() => resolve()));
