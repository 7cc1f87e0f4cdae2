import { expect, it } from 'vitest';
import { Actor } from '../../../sim/scenario/actor/actor.ts';
import { createWorld } from '../../../sim/virtual/world.ts';
import { testExchange } from '../calls/support/test-exchange.ts';

it('an actor counts the open parts of its device as the device does, and detects their release', async () => {
  const world = createWorld({ seed: 1, exchange: (clock) => testExchange(clock) });
  const personOf = (user: string) =>
    new Actor({
      name: user,
      user,
      platform: world.platform(user),
      apiHost: 'http://exchange.test',
      websocketHost: 'ws://exchange.test',
      note: () => undefined,
      timers: {},
    });
  const [alice, bob] = [personOf('alice'), personOf('bob')];
  const seen = () => ['pcs', 'tracks', 'sound'].map((path) => alice.read([path]));
  const own = () => {
    const { rtc, devices, sounds } = world.platform('alice');
    return [rtc.open.length, devices.liveTracks.length, sounds.playing[0]?.toLowerCase() ?? 'none'];
  };
  const signedIn = Promise.all([alice.signIn(), bob.signIn()]);
  await world.advance(100);
  await signedIn;
  expect(seen()).toEqual([0, 0, 'none']);

  alice.act('dial', { callee: 'bob', video: true });
  await world.advance(100);
  expect(seen()).toEqual(own());
  expect(seen()).toEqual([0, 2, 'dialing']);

  bob.act('accept', {});
  await world.advance(1_000);
  expect(seen()).toEqual(own());
  expect(seen()).toEqual([1, 2, 'none']);

  alice.act('end', {});
  await world.advance(1_000);
  expect(seen()).toEqual([0, 0, 'none']);
  for (const { client } of [alice, bob]) client.deauthenticate();
});
