/**
 * Runs in the page of a host that has only the library: a microphone with a tone, a camera with one colour, one call
 * at a time, the events that the host receives, and the measurements of its media.
 */
import type * as Calls from '../../../src/calls/index.ts';
import { goertzelShare } from '../../../cli/headless/signals/tone-meter.ts';
import { context2d, microphone, only } from './page-tracks.ts';

/** The library, which the page loaded as a host does. */
declare const calls: typeof Calls;

export type Colour = 'red' | 'green' | 'blue' | 'yellow' | 'black';

/** The properties by which the other side recognizes a host. */
export interface HostDevices {
  readonly tone: number;
  /** The colour of the first camera, or of its replacement. */
  readonly colour: Colour;
  /** The colour of the second camera, if there is one. */
  readonly secondColour?: Colour;
  /** Uses the browser's devices instead of simulated ones. */
  readonly own?: boolean;
}

/** The content of a decoded media file. */
export interface DecodedFile {
  /** The length that a player knows before playback, seconds. */
  readonly duration: number;
  /** The range in which a player can seek, seconds. */
  readonly seekable: number;
  /** The kinds of its tracks. */
  readonly tracks: readonly string[];
  /** The colour of the middle frame, found by seeking. Null without a picture. */
  readonly colour: Colour | null;
  /** The requested tones that are in the middle of the sound. */
  readonly tones: readonly number[];
  /** The requested tones that are in the first quarter of the sound, and those in the last. */
  readonly ends: readonly [readonly number[], readonly number[]];
}

const FPS = 10;
/** The mark that a camera draws in the upper left corner, so that a flipped picture is detected. */
const MARK = { width: 120, height: 80, colour: 'white' } as const;
/** The share of the sound from which a tone counts as played. With two tones each has half. */
const HEARD_SHARE = 0.2;

const connections: RTCPeerConnection[] = [];
const channels: WebSocket[] = [];
/** The call events of the host, in order. */
export const told: string[] = [];
let current: Calls.DirectCall | null = null;
/** The connected cameras, by their ids. */
const cameras = new Map<string, Colour>();
/** The microphones that were connected later, by their ids. Each has a tone. */
const microphones = new Map<string, number>();
/** The open picture tracks, each with the id of its camera. */
const pictures = new Map<MediaStreamTrack, string>();

/** Replaces the devices, if the page may have any. The empty page before the host's page may not. */
export function install({ tone, colour, secondColour, own = false }: HostDevices): void {
  if (!('mediaDevices' in navigator)) return;
  cameras.set('camera-1', colour);
  if (secondColour) cameras.set('camera-2', secondColour);
  if (!own) {
    navigator.mediaDevices.getUserMedia = async ({ audio, video }: MediaStreamConstraints = {}) =>
      new MediaStream([...(video ? [open(video)] : []), ...(audio ? [openMicrophone(audio, tone)] : [])]);
    navigator.mediaDevices.enumerateDevices = async () =>
      [...cameras.keys(), ...microphones.keys()].map((id) => deviceInfo(id));
  }
  const Native = RTCPeerConnection;
  globalThis.RTCPeerConnection = class extends Native {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      connections.push(this);
    }
  };
  const Socket = WebSocket;
  globalThis.WebSocket = class extends Socket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      channels.push(this);
    }
  };
}

/** Signs in, and accepts every call. */
export async function signIn(userId: string, appId: string, api: string): Promise<void> {
  calls.addListener('devices', {
    onVideoInputDeviceChanged: (device: InputDeviceInfo | null, devices) =>
      void toldOfCameras.push(`${device?.label} of ${devices.map(({ label }) => label).join(', ')}`),
  });
  calls.init(appId, api, api.replace(/^http/, 'ws'));
  await calls.authenticate({ userId });
  calls.addListener('host', {
    onRinging: (ringing) => {
      follow(ringing);
      ringing.accept({ callOption: views() });
    },
  });
  calls.addRecordingListener('host', {
    onRecordingSucceeded: (callId, id, option, fileName) =>
      void told.push(`recorded ${option.recordingType} ${callId === call().callId} ${id} ${fileName}`),
    onRecordingFailed: (callId, id, { code, name }) =>
      void told.push(`not recorded ${callId === call().callId} ${id} ${code} ${name}`),
  });
  await calls.connectWebSocket();
}

/** The camera events of the host, in order: the current camera, and the list. */
export const toldOfCameras: string[] = [];

export const dial = (userId: string): void => follow(calls.dial({ userId, isVideoCall: true, callOption: views() }));

/** The newest call. */
export function call(): Calls.DirectCall {
  if (!current) throw new Error('there was no call yet');
  return current;
}

/** Removes a camera. Its tracks end, and the page receives the event. */
export function unplug(id: string): void {
  cameras.delete(id);
  for (const [picture, source] of pictures) if (source === id) takeBack(picture);
  navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
}

export function plug(id: string, colour: Colour): void {
  cameras.set(id, colour);
  navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
}

/** Connects a microphone with this tone. */
export function plugMicrophone(id: string, tone: number): void {
  microphones.set(id, tone);
  navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
}

/** Ends a track as the browser does, without a call of its owner. */
export function takeBack(track: MediaStreamTrack): void {
  track.stop();
  track.dispatchEvent(new Event('ended'));
}

/** Reports the page as hidden or visible. Chromium without a screen hides no page. */
export function show(state: DocumentVisibilityState): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Closes the realtime channel. Resolves when the page has detected it, with the number of channels so far. */
export async function loseChannel(): Promise<number> {
  const channel = channels.at(-1);
  const lost = new Promise((resolve) => channel?.addEventListener('close', resolve, { once: true }));
  channel?.close();
  await lost;
  return channels.length;
}

/** Returns what the page still holds of calls and rooms: connections that are not closed, and cameras in use. */
export const leftovers = (): string[] => [
  ...connections.flatMap(({ connectionState: state }) => (state === 'closed' ? [] : [`a ${state} connection`])),
  ...[...pictures.keys()].flatMap(({ readyState }) => (readyState === 'live' ? ['a live picture'] : [])),
];

/** Returns the statistics of the open connections. */
export async function statistics(): Promise<Record<string, unknown>[]> {
  const live = connections.filter(({ connectionState }) => connectionState !== 'closed');
  const reports = await Promise.all(live.map((connection) => connection.getStats()));
  return reports.flatMap((report) => [...report.values()] as Record<string, unknown>[]);
}

/** Returns the answers that the open connections have. */
export const answers = (): string[] =>
  connections.flatMap(({ connectionState, remoteDescription }) =>
    connectionState === 'closed' ? [] : [remoteDescription?.sdp ?? ''],
  );

export const openedChannels = (): number => channels.length;

/** Returns the picture track that the newest connection sends. */
export function sentPicture(): MediaStreamTrack | null {
  const senders = connections.at(-1)?.getSenders() ?? [];
  return senders.find(({ track }) => track?.kind === 'video')?.track ?? null;
}

/** Returns the colour in the middle of one of the two views. */
export function shown(view: 'local' | 'remote'): Colour | null {
  return colourOf(views()[`${view}MediaView`]);
}

/**
 * Returns the difference of an image from the picture of a camera of this colour: the mean of all pixels and
 * channels, 0 to 255.
 */
export async function distance(image: string, colour: Colour): Promise<number> {
  const img = new Image();
  img.src = image;
  await img.decode();
  const [seen, drawn] = [img, draw(colour)].map((source) => {
    const context = context2d(document.createElement('canvas'));
    Object.assign(context.canvas, { width: img.naturalWidth, height: img.naturalHeight });
    context.drawImage(source, 0, 0, img.naturalWidth, img.naturalHeight);
    return context.getImageData(0, 0, img.naturalWidth, img.naturalHeight).data;
  });
  let sum = 0;
  for (const [at, value] of (seen ?? []).entries()) sum += Math.abs(value - (drawn?.[at] ?? 0));
  return sum / (seen?.length ?? 0);
}

/** Resolves after this number of further frames of the other side. */
export function framesPass(count: number): Promise<void> {
  const { remoteMediaView: video } = views();
  return new Promise((resolve) => {
    const next = (left: number) => {
      if (left === 0) resolve();
      else video.requestVideoFrameCallback(() => next(left - 1));
    };
    next(count);
  });
}

/** Decodes a file with a media element and with an audio context. */
export async function decode(file: Blob, tones: readonly number[]): Promise<DecodedFile> {
  const player = document.createElement('video');
  player.muted = true;
  player.src = URL.createObjectURL(file);
  await happens(player, 'loadeddata');
  const { duration, seekable } = player;
  const end = seekable.length === 1 ? seekable.end(0) : 0;
  player.currentTime = duration / 2;
  await happens(player, 'seeked');
  const colour = await paintedColour(player);
  // Chromium has this, and the types do not yet.
  const { captureStream } = player as HTMLVideoElement & { captureStream(): MediaStream };
  const tracks = captureStream.call(player).getTracks();
  URL.revokeObjectURL(player.src);
  const context = new OfflineAudioContext(1, 1, 48_000);
  const { sampleRate, ...sound } = await heardIn(context, file);
  const tonesIn = (from: number, to: number) => {
    const samples = sound.samples.subarray(from * sound.samples.length, to * sound.samples.length);
    return tones.filter((tone) => goertzelShare(samples, sampleRate, tone) > HEARD_SHARE);
  };
  return {
    duration,
    seekable: end,
    tracks: tracks.map(({ kind }) => kind).toSorted(),
    colour,
    tones: tonesIn(1 / 4, 3 / 4),
    ends: [tonesIn(0, 1 / 4), tonesIn(3 / 4, 1)],
  };
}

async function heardIn(context: BaseAudioContext, file: Blob) {
  const decoded = await context.decodeAudioData(await file.arrayBuffer());
  return { sampleRate: decoded.sampleRate, samples: decoded.getChannelData(0) };
}

function follow(followed: Calls.DirectCall): void {
  current = followed;
  followed.onConnected = () => void told.push('connected');
  followed.onReconnecting = () => void told.push('reconnecting');
  followed.onReconnected = () => void told.push('reconnected');
  followed.onEnded = ({ endResult }) => void told.push(`ended ${endResult}`);
  followed.onScreenShareStopped = () => void told.push('share stopped');
  followed.onRemoteRecordingStatusChanged = ({ remoteRecordingStatus }) =>
    void told.push(`remote recording ${remoteRecordingStatus}`);
}

/** The elements of the page that the library uses. */
function views() {
  const view = (id: string) => {
    const element = document.querySelector<HTMLVideoElement>(`#${id}`);
    if (!element) throw new Error(`the page has no view ${id}`);
    return element;
  };
  return { localMediaView: view('local'), remoteMediaView: view('remote') };
}

const deviceInfo = (deviceId: string): MediaDeviceInfo => {
  const kind = microphones.has(deviceId) ? 'audioinput' : 'videoinput';
  const info = { deviceId, groupId: '', kind, label: deviceId.replace('camera-', 'Camera ') } as const;
  return { ...info, toJSON: () => info };
};

/** The requested microphone, or the first. */
function openMicrophone(wanted: boolean | MediaTrackConstraints, tone: number): MediaStreamTrack {
  const { exact = '' } = Object(Object(wanted).deviceId) as { exact?: string };
  const track = microphone(microphones.get(exact) ?? tone);
  track.getSettings = () => ({ deviceId: exact });
  return track;
}

/** The requested camera, or the first. Refused with the error of a browser when there is none. */
function open(wanted: boolean | MediaTrackConstraints): MediaStreamTrack {
  const { exact } = Object(Object(wanted).deviceId) as { exact?: string };
  const id = exact ?? [...cameras.keys()][0];
  const colour = cameras.get(id ?? '');
  if (id === undefined || colour === undefined) {
    throw new DOMException('no camera', exact === undefined ? 'NotFoundError' : 'OverconstrainedError');
  }
  const track = camera(colour);
  track.getSettings = () => ({ deviceId: id });
  pictures.set(track, id);
  return track;
}

function camera(colour: Colour): MediaStreamTrack {
  const canvas = draw(colour);
  const track = only(canvas.captureStream(FPS));
  const timer = setInterval(() => {
    if (track.readyState === 'ended') return clearInterval(timer);
    draw(colour, canvas);
  }, 1000 / FPS);
  return track;
}

/** Draws the picture of a camera of this colour. */
function draw(colour: Colour, canvas = document.createElement('canvas')): HTMLCanvasElement {
  if (canvas.width !== 320) Object.assign(canvas, { width: 320, height: 240 });
  const context = context2d(canvas);
  context.fillStyle = colour;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = MARK.colour;
  context.fillRect(0, 0, MARK.width, MARK.height);
  return canvas;
}

/**
 * Returns the colour of a picture that does not change. A busy browser may report a position before the player has its picture,
 * and a canvas gets black until then. So black is read again, for at most 100 repaints of the page.
 */
async function paintedColour(video: HTMLVideoElement): Promise<Colour | null> {
  let colour = colourOf(video);
  for (let left = 100; left > 0 && colour === 'black'; left -= 1) {
    await new Promise(requestAnimationFrame);
    colour = colourOf(video);
  }
  return colour;
}

/** Returns the colour nearest to the middle of the picture. Null without a picture. */
export function colourOf(video: HTMLVideoElement): Colour | null {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0) return null;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 1, height: 1 });
  const context = context2d(canvas);
  context.drawImage(video, width / 2, height / 2, 1, 1, 0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  const lit = [red, green, blue].map((value) => value > 90).join();
  const names: Record<string, Colour> = {
    'true,false,false': 'red',
    'false,true,false': 'green',
    'false,false,true': 'blue',
    'true,true,false': 'yellow',
    'false,false,false': 'black',
  };
  return names[lit] ?? null;
}

const happens = (player: HTMLMediaElement, event: string) =>
  new Promise((resolve, reject) => {
    player.addEventListener(event, resolve, { once: true });
    player.addEventListener('error', () => reject(new Error(player.error?.message)), { once: true });
  });
