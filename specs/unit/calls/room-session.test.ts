/** Rooms in the virtual world: the library with the exchange. */
import { expect, test } from 'vitest';
import { callWorld } from './support/call-world.ts';

test('RM-14 RM-16 RM-18: participants of a room learn who enters, mutes and leaves', async () => {
  const world = await callWorld();
  const [alice, bob] = [await world.party('alice'), await world.party('bob')];
  const room = await world.done(alice.client.createRoom({ roomType: 'small_room_for_video' }));
  await world.done(room.enter());
  expect(room.localParticipant?.user.userId).toBe('alice');
  const told: string[] = [];
  room.on('remoteParticipantEntered', (p) => told.push(`entered ${p.user.userId} ${room.remoteParticipants.length}`));
  room.on('remoteParticipantExited', (p) =>
    told.push(`exited ${p.user.userId} ${p.state} ${room.remoteParticipants.length}`),
  );
  room.on('remoteAudioSettingsChanged', (p) => told.push(`audio ${p.isAudioEnabled}`));
  const his = await world.done(bob.client.fetchRoomById(room.roomId));
  await world.done(his.enter());
  expect(his.remoteParticipants.map((p) => p.user.userId)).toEqual(['alice']);
  his.localParticipant?.muteMicrophone();
  await world.settle();
  his.exit();
  expect(his.localParticipant).toBeUndefined();
  await world.settle();
  expect(told).toEqual(['entered bob 1', 'audio false', 'exited bob exited 0']);
  await world.advance(20_000);
  await world.done(his.enter());
  room.exit();
  await world.settle();
  expect(JSON.stringify(his)).toContain('bob');
  his.exit();
});
