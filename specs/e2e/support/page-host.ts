/**
 * Runs in the page of a host that has the library and nothing else: a microphone that hears a tone and a camera that
 * sees one colour, one call at a time, the events that the host receives, and what can be measured of its media.
 */
import type * as Calls from '../../../src/calls/index.ts';
import { goertzelShare } from '../../../cli/headless/signals/goertzel.ts';
import { context2d, microphone, only } from './page-tracks.ts';

/** What the page loaded as a host would. */
declare const calls: typeof Calls;

export type Colour = 'red' | 'green' | 'blue' | 'yellow' | 'black';

/** By what a host is known to the other side. */
export interface HostDevices {
  readonly tone: number;
  /** The colour of its first camera, or of the replacement. */
  readonly colour: Colour;
  /** Of its second camera, where it has one. */
  readonly secondColour?: Colour;
  /** The browser's own devices, in place of those. */
  readonly own?: boolean;
}

/** What a media file turned out to hold once it was decoded. */
export interface DecodedFile {
  /** Seconds, as a player knows them before it plays. */
  readonly duration: number;
  /** How far a player can seek, seconds. */
  readonly seekable: number;
  /** The kinds of its tracks. */
  readonly tracks: readonly string[];
  /** Of the frame in its middle, which was sought; null without a picture. */
  readonly colour: Colour | null;
  /** Of the tones asked for, those that are in the middle of its sound. */
  readonly tones: readonly number[];
  /** Of the tones asked for, those that are in the first quarter of its sound, and those in the last. */
  readonly ends: readonly [readonly number[], readonly number[]];
}

const FPS = 10;
/** A camera draws this mark in its upper left corner: a picture has a right side up. */
const MARK = { width: 120, height: 80, colour: 'white' } as const;
/** A tone that makes up this share of what is heard was played: of two there is half each. */
const HEARD_SHARE = 0.2;

const connections: RTCPeerConnection[] = [];
const channels: WebSocket[] = [];
/** What the host was told of its call, in order. */
export const told: string[] = [];
let current: Calls.DirectCall | null = null;
/** The cameras that are plugged in, by their ids. */
const cameras = new Map<string, Colour>();
/** The microphones that were plugged in later, by their ids: each hears a tone. */
const microphones = new Map<string, number>();
/** The pictures that cameras give, each with its camera's id. */
const pictures = new Map<MediaStreamTrack, string>();

/** Replaces the devices, where the page may have any: the empty page before the host's may not. */
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

/** Signs in, and takes every call that comes. */
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

/** What the host was told of its cameras, in order: the current one, and those there are. */
export const toldOfCameras: string[] = [];

export const dial = (userId: string): void => follow(calls.dial({ userId, isVideoCall: true, callOption: views() }));

/** The newest call. */
export function call(): Calls.DirectCall {
  if (!current) throw new Error('there was no call yet');
  return current;
}

/** Removes a camera: its pictures end, and the page receives the event. */
export function unplug(id: string): void {
  cameras.delete(id);
  for (const [picture, source] of pictures) if (source === id) takeBack(picture);
  navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
}

export function plug(id: string, colour: Colour): void {
  cameras.set(id, colour);
  navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
}

/** Plugs in a microphone that hears this tone. */
export function plugMicrophone(id: string, tone: number): void {
  microphones.set(id, tone);
  navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
}

/** Ends a track as a browser does, and not its owner. */
export function takeBack(track: MediaStreamTrack): void {
  track.stop();
  track.dispatchEvent(new Event('ended'));
}

/** The page is hidden or seen again, as the browser says it: Chromium without a screen hides none. */
export function show(state: DocumentVisibilityState): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Loses the realtime channel; resolves when the page knows. Gives the number of channels so far. */
export async function loseChannel(): Promise<number> {
  const channel = channels.at(-1);
  const lost = new Promise((resolve) => channel?.addEventListener('close', resolve, { once: true }));
  channel?.close();
  await lost;
  return channels.length;
}

export const openedChannels = (): number => channels.length;

/** What the newest connection sends as its picture. */
export function sentPicture(): MediaStreamTrack | null {
  const senders = connections.at(-1)?.getSenders() ?? [];
  return senders.find(({ track }) => track?.kind === 'video')?.track ?? null;
}

/** The colour in the middle of what one of the two views shows. */
export function shown(view: 'local' | 'remote'): Colour | null {
  return colourOf(views()[`${view}MediaView`]);
}

/** How far an image is from what a camera of this colour draws: of 255, the mean of all pixels and channels. */
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

/** Resolves when this many frames more of the other side were shown. */
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

/** Decodes a file, as a player and as an audio editor would. */
export async function decode(file: Blob, tones: readonly number[]): Promise<DecodedFile> {
  const player = document.createElement('video');
  player.muted = true;
  player.src = URL.createObjectURL(file);
  await happens(player, 'loadeddata');
  const { duration, seekable } = player;
  const end = seekable.length === 1 ? seekable.end(0) : 0;
  player.currentTime = duration / 2;
  await happens(player, 'seeked');
  const colour = colourOf(player);
  // Known to Chromium, and not yet to the types.
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

/** The elements of the page that the library is given. */
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

/** The microphone that is demanded, or the one that was there first. */
function openMicrophone(wanted: boolean | MediaTrackConstraints, tone: number): MediaStreamTrack {
  const { exact = '' } = Object(Object(wanted).deviceId) as { exact?: string };
  const track = microphone(microphones.get(exact) ?? tone);
  track.getSettings = () => ({ deviceId: exact });
  return track;
}

/** The camera that is demanded, or the first; refused as a browser refuses where there is none. */
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

/** What a camera of this colour sees. */
function draw(colour: Colour, canvas = document.createElement('canvas')): HTMLCanvasElement {
  if (canvas.width !== 320) Object.assign(canvas, { width: 320, height: 240 });
  const context = context2d(canvas);
  context.fillStyle = colour;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = MARK.colour;
  context.fillRect(0, 0, MARK.width, MARK.height);
  return canvas;
}

/** The nearest colour to that of the middle; null where there is no picture. */
function colourOf(video: HTMLVideoElement): Colour | null {
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
