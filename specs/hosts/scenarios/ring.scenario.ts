/** A scenario outside the checkout, written with the packed builder. */
import { type Expected, ms, scenario } from 'ringback-lab/scenario';

const ACTORS = { alice: { user: 'alice' }, bob: { user: 'bob', devices: ['phone', 'laptop'] } } as const;

const RINGING: Expected<typeof ACTORS> = { 'bob.phone.call.state': 'ringing', 'bob.laptop.call.state': 'ringing' };

export default scenario(
  'ring',
  { actors: ACTORS, cases: [1, 2].map((seconds) => ({ pause: ms(seconds * 1_000) })) },
  ({ alice, bob }, { expect, wait, $case }) => {
    alice.dial({ callee: 'bob' });
    expect(RINGING, { within: '1s' });
    wait($case.pause);
    bob.phone.accept();
    expect({ 'bob.laptop.call.result': 'other_device_accepted' }, { within: '5s' });
    // @ts-expect-error bob has no tablet
    if (false as boolean) bob.tablet.accept();
  },
);
