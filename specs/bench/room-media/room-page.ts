/**
 * Runs in a page: a participant of a room, over the library, with a tone and moving bars. It measures every other
 * participant.
 */
import * as calls from '../../../src/calls/index.ts';
import { createFrameMeter } from '../../../cli/headless/signals/frame-meter.ts';
import { camera, listen, watch } from '../../e2e/support/page-meters.ts';
import { microphone } from '../../e2e/support/page-tracks.ts';
import type { Arrived } from './arrivals.ts';

export interface PageParticipant {
  readonly api: string;
  readonly appId: string;
  readonly userId: string;
  readonly roomId: string;
  /** Hertz. */
  readonly tone: number;
}

interface Followed {
  readonly userId: string;
  readonly element: HTMLVideoElement;
  /** Null before the media arrives. */
  meters: { readonly ears: ReturnType<typeof listen>; readonly eyes: ReturnType<typeof watch> } | null;
}

let sound: AudioContext | undefined;
const followed = new Map<string, Followed>();

/** Signs in and enters the room. Resolves when this participant is in it. */
export async function enter({ api, appId, userId, roomId, tone }: PageParticipant): Promise<void> {
  navigator.mediaDevices.getUserMedia = async ({ audio, video }: MediaStreamConstraints = {}) =>
    new MediaStream([...(audio ? [microphone(tone)] : []), ...(video ? [camera(0)] : [])]);
  calls.init(appId, api, api.replace(/^http/, 'ws'));
  await calls.authenticate({ userId });
  await calls.connectWebSocket();
  const room = await calls.fetchRoomById(roomId);
  room.on('remoteParticipantEntered', follow);
  room.on('remoteParticipantStreamStarted', (participant) => measure(follow(participant)));
  await room.enter();
  for (const participant of room.remoteParticipants) follow(participant);
}

/** The number of participants whose media has arrived. */
export const arrived = (): number => [...followed.values()].filter(({ meters }) => meters).length;

/** Begins new measurements of every participant. */
export function begin(): void {
  for (const one of followed.values()) measure(one);
}

/** Returns the measurements by user. */
export function readings(): [userId: string, arrived: Arrived][] {
  return [...followed.values()].map(({ userId, meters }) => {
    const { frequency, carried, windows } = meters?.ears.reading() ?? { frequency: null, carried: 0, windows: 0 };
    const pictures = (meters?.eyes.meter ?? createFrameMeter()).reading();
    return [userId, { tone: frequency, carried, windows, ...pictures }];
  });
}

function follow(participant: calls.RemoteParticipant): Followed {
  const known = followed.get(participant.participantId);
  if (known) return known;
  const element = document.createElement('video');
  // Drawing the page costs less. The meter reads the whole picture.
  element.width = 64;
  document.body.append(element);
  void participant.setMediaView(element);
  const made: Followed = { userId: participant.user.userId, element, meters: null };
  followed.set(participant.participantId, made);
  return made;
}

function measure(one: Followed): void {
  one.meters?.ears.stop();
  one.meters?.eyes.stop();
  sound ??= new AudioContext({ sampleRate: 48_000 });
  one.meters = { ears: listen(one.element, sound), eyes: watch(one.element) };
}
