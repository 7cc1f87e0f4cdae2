import { describe, expect, test } from 'vitest';
import { placeTracks, replaceSent, type TrackPlan } from '../../../src/calls/peer/track-plan.ts';

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

/** A connection that records its sections: those of a remote offer, and those that are added. */
function connectionWith(kinds: readonly string[] = []) {
  const sections: Section[] = kinds.map((kind) => ({ kind, direction: 'recvonly', track: null }));
  const transceiver = (section: Section) =>
    ({
      receiver: { track: { kind: section.kind } },
      sender: { replaceTrack: async (next: MediaStreamTrack | null) => void (section.track = next?.id ?? null) },
      set direction(direction: string) {
        section.direction = direction;
      },
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
  };
  return { connection, seen: () => sections.map(({ kind, direction, track: id }) => `${kind} ${direction} ${id}`) };
}

describe('a plan of tracks', () => {
  const PLACED = ['audio sendonly voice', 'video recvonly null', 'video sendonly camera', 'video sendrecv screen'];

  test('the side that offers adds a section for each planned track, in order', async () => {
    const { connection, seen } = connectionWith();
    await placeTracks(connection, PLAN, TRACKS, true);
    expect(seen()).toEqual(PLACED);
  });

  test('the side that answers takes the n-th section of a kind for the n-th planned track', async () => {
    const { connection, seen } = connectionWith(['video', 'audio', 'video', 'video', 'video']);
    await placeTracks(connection, PLAN, TRACKS, false);
    expect(seen()).toEqual([
      'video recvonly null',
      'audio sendonly voice',
      'video sendonly camera',
      'video sendrecv screen',
      'video recvonly null',
    ]);
  });

  test('the section of a planned track without a device stays empty, and a track without a section is not sent', async () => {
    const offering = connectionWith();
    await placeTracks(offering.connection, PLAN, [], true);
    expect(offering.seen().map((section) => section.split(' ')[2])).toEqual(['null', 'null', 'null', 'null']);
    const answering = connectionWith(['audio']);
    await placeTracks(answering.connection, PLAN, TRACKS, false);
    expect(answering.seen()).toEqual(['audio sendonly voice']);
  });

  test('a replacement takes the n-th track of its kind that is sent', async () => {
    const { connection, seen } = connectionWith();
    await placeTracks(connection, PLAN, TRACKS, true);
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
