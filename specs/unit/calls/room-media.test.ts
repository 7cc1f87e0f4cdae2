/** The media of a stay in a room, in virtual time, against the exchange and its media server. */
import { describe, expect, test } from 'vitest';
import type { MediaElement } from '../../../src/calls/media/media-view.ts';
import { RoomMediaWorld } from './support/room-media-world.ts';

const video = (): MediaElement => ({ srcObject: null });

describe('a room of three', () => {
  test('each receives the media of the others, and a picture only while a view shows it', async () => {
    const room = new RoomMediaWorld();
    const alice = await room.enter('alice');
    await room.pass(1_000);
    const bob = await room.enter('bob');
    const carol = await room.enter('carol');
    await room.pass(900);
    expect([alice, bob, carol].map((one) => one.gets('video'))).toEqual([
      ['bob', 'carol'],
      ['alice', 'carol'],
      ['alice', 'bob'],
    ]);
    await alice.media.setView(bob.participantId, video());
    await room.pass(1_000);
    expect([alice, bob, carol].map((one) => one.gets('video'))).toEqual([['bob'], [], []]);
    expect([alice, bob, carol].map((one) => one.gets('audio'))).toEqual([
      ['bob', 'carol'],
      ['alice', 'carol'],
      ['alice', 'bob'],
    ]);
    expect(alice.notices).toEqual(['stream of bob', 'stream of carol']);
  });
});
