/** Runs in the page of a host: one stay in a room, the views of its participants, and what they show and play. */
import type * as Calls from '../../../src/calls/index.ts';
import { goertzelShare } from '../../../cli/headless/signals/tone-meter.ts';
import type * as PageHost from './page-host.ts';

/** The library, and the host, which the page loaded before. */
declare const calls: typeof Calls;
declare const pageHost: typeof PageHost;

/** The share of the sound from which a tone counts as played. */
const HEARD_SHARE = 0.2;

let current: Calls.Room | null = null;
/** The views of the other participants, by the ids of their users. */
const views = new Map<string, HTMLVideoElement>();
const ears = new Map<string, { readonly stream: MediaProvider; readonly analyser: AnalyserNode }>();
/** The events of the room, in order. */
export const told: string[] = [];

export const create = async (type: Calls.RoomType): Promise<string> =>
  (await calls.createRoom({ roomType: type })).roomId;

/** Enters a room, and shows everyone in it. */
export async function enter(roomId: string): Promise<void> {
  const entered = await calls.fetchRoomById(roomId);
  current = entered;
  entered.on('remoteParticipantEntered', (participant) => show(participant));
  entered.on('remoteParticipantStreamStarted', ({ user }) => void told.push(`stream of ${user.userId}`));
  entered.on('localParticipantDisconnected', () => void told.push('disconnected'));
  entered.on('localParticipantReconnected', () => void told.push('reconnected'));
  entered.on('localScreenShareStopped', () => void told.push('share stopped'));
  entered.on('error', ({ code }) => void told.push(`error ${code}`));
  await entered.enter();
  for (const participant of entered.remoteParticipants) show(participant);
}

export function room(): Calls.Room {
  if (!current) throw new Error('no room was entered');
  return current;
}

/** Shows another participant. */
function show(participant: Calls.RemoteParticipant): void {
  const video = document.createElement('video');
  Object.assign(video, { autoplay: true, playsInline: true });
  document.body.append(video);
  views.set(participant.user.userId, video);
  void participant.setMediaView(video);
}

/** Sets the view of another participant, or removes it. */
export function setShown(userId: string, isShown: boolean): void {
  const participant = room().remoteParticipants.find(({ user }) => user.userId === userId);
  void participant?.setMediaView(isShown ? views.get(userId) : null);
}

/** Returns the colours of the other participants, by the ids of their users. */
export const seen = (): Record<string, PageHost.Colour | null> =>
  Object.fromEntries([...views].map(([userId, video]) => [userId, pageHost.colourOf(video)]));

/** Returns which of these tones each view plays, by the ids of their users. */
export const heard = (tones: readonly number[]): Record<string, readonly number[]> =>
  Object.fromEntries([...views].map(([userId, video]) => [userId, tonesOf(userId, video, tones)]));

function tonesOf(userId: string, { srcObject, muted, paused }: HTMLVideoElement, tones: readonly number[]): number[] {
  if (!(srcObject instanceof MediaStream) || muted || paused) return [];
  if (srcObject.getAudioTracks().length === 0) return [];
  const known = ears.get(userId);
  const ear = known?.stream === srcObject ? known : listen(srcObject);
  ears.set(userId, ear);
  const samples = new Float32Array(ear.analyser.fftSize);
  ear.analyser.getFloatTimeDomainData(samples);
  const heardNow = samples.some((sample) => Math.abs(sample) > 0.01);
  if (!heardNow) return [];
  return tones.filter((tone) => goertzelShare(samples, ear.analyser.context.sampleRate, tone) > HEARD_SHARE);
}

function listen(stream: MediaStream) {
  const context = new AudioContext({ sampleRate: 48_000 });
  const analyser = new AnalyserNode(context, { fftSize: 8_192 });
  new MediaStreamAudioSourceNode(context, { mediaStream: stream }).connect(analyser);
  return { stream, analyser };
}

/** Returns the packets of a kind that have arrived on all open connections. */
export async function packets(kind: 'audio' | 'video'): Promise<number> {
  let sum = 0;
  for (const entry of await pageHost.statistics()) {
    if (entry['type'] === 'inbound-rtp' && entry['kind'] === kind) sum += Number(entry['packetsReceived']);
  }
  return sum;
}
