/** Tests of the quiet hours. The callers are headless users of a world of each test. */
import * as ringback from 'ringback';
import { afterEach, describe, expect, test } from 'ringback-lab/testing/vitest';
import { openQuietPhone } from './quiet-hours.js';

const AT_NIGHT = { favourites: ['carol'], isNight: () => true };

afterEach(() => ringback.deauthenticate());

describe('at night', () => {
  test('the call of a stranger is declined', async ({ world }) => {
    const declined = await openQuietPhone(world.addressOf('alice'), 'alice', AT_NIGHT);
    const bob = world.user('bob');
    await bob.dials('alice');
    await bob.is('declined');
    expect(declined).toEqual(['bob']);
    await world.saw({ from: 'alice', cmd: 'decline' });
  });

  test('the call of a favourite rings for a minute', async ({ world }) => {
    await openQuietPhone(world.addressOf('alice'), 'alice', AT_NIGHT);
    const carol = world.user('carol');
    await carol.dials('alice');
    await world.advance('59s');
    await carol.is('dialing');
    await world.advance('2s');
    await carol.is('no_answer');
  });

  test('fails, since a stranger is not connected', async ({ world }) => {
    await openQuietPhone(world.addressOf('alice'), 'alice', AT_NIGHT);
    const bob = world.user('bob');
    await bob.dials('alice');
    await bob.is('connected', { within: '200ms' });
  });
});
