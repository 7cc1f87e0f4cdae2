import { expect } from 'vitest';
import { callWorld } from './call-world.ts';

const VIDEO = { isVideoCall: true, callOption: {} };

/** Alice has dialled Bob, and it rings. */
export async function ringing(dial: typeof VIDEO = VIDEO) {
  const world = await callWorld();
  const [alice, bob] = [await world.party('alice'), await world.party('bob')];
  const call = alice.dial('bob', dial);
  await world.settle();
  return { world, alice, bob, call, rung: bob.rung() };
}

/** Bob has accepted, and media is connected. */
export async function connected(dial: typeof VIDEO = VIDEO) {
  const all = await ringing(dial);
  all.rung.accept({ callOption: {} });
  await all.world.advance(2_000);
  expect([all.alice.state(all.call), all.bob.state(all.rung)]).toEqual(['connected', 'connected']);
  return all;
}
