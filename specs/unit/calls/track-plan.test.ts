import { describe, expect, test } from 'vitest';
import { answerTracks, offerTracks, replaceSent, type TrackPlan } from '../../../src/calls/peer/track-plan.ts';

/** A plan of a room: the camera and the screen are sent, two cameras of others arrive. */
const PLAN: TrackPlan = [
  { kind: 'audio', direction: 'sendonly' },
  { kind: 'video', direction: 'recvonly' },
  { kind: 'video', direction: 'sendonly' },
  { kind: 'video', direction: 'sendrecv' },
];

interface Section {
  readonly kind: string;
  direction: string;
  track: string | null;
}

const track = (kind: string, id: string) => Object.assign(new EventTarget(), { kind, id }) as MediaStreamTrack;
const TRACKS = [track('video', 'camera'), track('audio', 'voice'), track('video', 'screen')];

/** A connection that records the sections that are added. */
function connectionWith() {
  const sections: Section[] = [];
  const transceiver = (section: Section) =>
    ({
      receiver: { track: { kind: section.kind } },
      sender: { replaceTrack: async (next: MediaStreamTrack | null) => void (section.track = next?.id ?? null) },
    }) as unknown as RTCRtpTransceiver;
  const connection = {
    getTransceivers: () => sections.map(transceiver),
    addTransceiver: (given: MediaStreamTrack | 'audio' | 'video', init?: { direction?: string }) => {
      const section = {
        kind: typeof given === 'string' ? given : given.kind,
        direction: init?.direction ?? '',
        track: typeof given === 'string' ? null : given.id,
      };
      sections.push(section);
      return transceiver(section);
    },
    addTrack: ({ kind, id }: MediaStreamTrack) => {
      const section = { kind, direction: 'sendrecv', track: id };
      sections.push(section);
      return transceiver(section).sender;
    },
  };
  return { connection, seen: () => sections.map(({ kind, direction, track: id }) => `${kind} ${direction} ${id}`) };
}

describe('a plan of tracks', () => {
  const PLACED = ['audio sendonly voice', 'video recvonly null', 'video sendonly camera', 'video sendrecv screen'];

  test('the side that offers adds a section for each planned track, in order', () => {
    const { connection, seen } = connectionWith();
    offerTracks(connection, PLAN, TRACKS);
    expect(seen()).toEqual(PLACED);
  });

  test('the side that answers adds the planned tracks that it has, in order', () => {
    const { connection, seen } = connectionWith();
    answerTracks(connection, PLAN, [...TRACKS, track('audio', 'unplanned')]);
    expect(seen()).toEqual(['audio sendrecv voice', 'video sendrecv camera', 'video sendrecv screen']);
  });

  test('the section of a planned track without a device stays empty', () => {
    const { connection, seen } = connectionWith();
    offerTracks(connection, PLAN, []);
    expect(seen().map((section) => section.split(' ')[2])).toEqual(['null', 'null', 'null', 'null']);
  });

  test('a replacement takes the n-th track of its kind that is sent', async () => {
    const { connection, seen } = connectionWith();
    offerTracks(connection, PLAN, TRACKS);
    await replaceSent(connection, PLAN, 'video', track('video', 'rear'));
    await replaceSent(connection, PLAN, 'video', null, 1);
    await replaceSent(connection, PLAN, 'video', track('video', 'none'), 2);
    expect(seen()).toEqual([
      'audio sendonly voice',
      'video recvonly null',
      'video sendonly rear',
      'video sendrecv null',
    ]);
  });
});
