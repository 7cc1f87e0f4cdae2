import { describe, expect, it } from 'vitest';
import { Credentials } from '../../../sim/exchange/directory/credentials.ts';
import { newLeg } from '../../../sim/exchange/calls/ring.ts';
import { textWithoutSecrets, withoutSecrets, withSecrets } from '../../../sim/exchange/directory/secrets.ts';
import { DEFAULT_SETTINGS } from '../../../sim/exchange/settings.ts';
import { ShortLivedTokens } from '../../../sim/exchange/directory/short-lived-tokens.ts';
import { EVENTS } from '../../../src/protocol/messages/events.ts';
import type { EventFrame } from '../../../src/protocol/envelope.ts';
import { AV, createExchangeFixture } from './exchange-fixture.ts';
import { HandClock } from '../support/hand-clock.ts';

const URLS = ['turn:one.test', 'turn:two.test'];
const RELAY = { urls: URLS, secret: 'hush' };
const NONE = { username: '', password: '', turn_urls: [], transport_policy: 'all' };
const CAPABLE = { capabilities: ['turn_changed'] };

/** The frames of each kind with secrets, and one without. */
async function framesOfACall() {
  const fixture = createExchangeFixture({ settings: { relay: RELAY } });
  const [alice, bob] = [await fixture.device('alice'), await fixture.device('bob')];
  const call_id = alice.dial('bob', CAPABLE);
  bob.accept(call_id);
  fixture.exchange.changeTurn();
  bob.send('hold', { call_id, is_on_hold: true, was_relayed: false });
  const frame = (from: { events: EventFrame[] }, type: string) =>
    from.events.find((event) => event.type === type) as EventFrame & { payload: Record<string, unknown> };
  const secret = [frame(bob, 'dial'), frame(alice, 'accept'), frame(alice, 'turn_changed')] as const;
  return { call_id, secret, plain: frame(alice, 'hold') };
}

function anew() {
  const clock = new HandClock();
  const credentials = new Credentials(clock, RELAY, 60_000, (key, text) => `${key}(${text})`);
  let issued = 0;
  const shortLivedTokens = new ShortLivedTokens(clock, { token: () => `new-${(issued += 1)}` }, 1_000);
  const leg = (capabilities: string[]) =>
    newLeg(
      { clock, settings: DEFAULT_SETTINGS },
      'callee',
      { userId: 'bob', clientId: 'bob-1' },
      { media: AV, capabilities },
    );
  return { credentials, shortLivedTokens, leg };
}

describe('S08 S11 secrets within signals', () => {
  it('are not stored; the rest of the signal is', async () => {
    const { secret, plain } = await framesOfACall();
    for (const frame of secret) {
      const { turn_credential, short_lived_token, ...rest } = frame.payload;
      expect(turn_credential).toMatchObject({ turn_urls: expect.arrayContaining([URLS[0]]) });
      const token = frame.type === 'dial' ? { short_lived_token: '' } : {};
      expect(withoutSecrets(frame)).toEqual({ ...frame, payload: { ...rest, ...token, turn_credential: NONE } });
      expect(typeof short_lived_token).toBe(frame.type === 'dial' ? 'string' : 'undefined');
    }
    expect(withoutSecrets(plain)).toEqual(plain);
  });

  it('are not in the texts for the store; a text without secrets is stored as it was sent', async () => {
    const { secret, plain } = await framesOfACall();
    for (const frame of secret) {
      const text = textWithoutSecrets({ type: frame.type, text: JSON.stringify(frame) });
      expect(JSON.parse(text)).toEqual(withoutSecrets(frame));
    }
    const text = JSON.stringify(plain, null, 1);
    expect(textWithoutSecrets({ type: plain.type, text })).toBe(text);
  });

  it('are in no text for the store, whatever type of signal may have them', () => {
    const types = Object.values(EVENTS)
      .flatMap((group) => Object.entries(group))
      .flatMap(([type, { entries }]) =>
        'turn_credential' in entries || 'short_lived_token' in entries ? [type as EventFrame['type']] : [],
      );
    expect(types.toSorted()).toEqual(['accept', 'dial', 'turn_changed']);
    for (const type of types) {
      const payload = { turn_credential: { password: 'hush' }, short_lived_token: 'hush' };
      const text = textWithoutSecrets({ type, text: JSON.stringify({ type, payload }) });
      expect(JSON.parse(text).payload.turn_credential).toEqual(NONE);
      if (type === 'dial') expect(text).not.toContain('hush');
    }
  });

  it('are created again for the leg when the frame is sent again; the rest of the frame is unchanged', async () => {
    const { call_id, secret, plain } = await framesOfACall();
    const { leg, ...from } = anew();
    const whole = from.credentials.current('bob');
    const again = (frame: EventFrame, capabilities: string[] = []) =>
      withSecrets(from, leg(capabilities), withoutSecrets(frame));
    const [dial, accept, changed] = secret;
    expect(again(dial)).toEqual({
      ...dial,
      payload: { ...dial.payload, turn_credential: whole, short_lived_token: 'new-1' },
    });
    const used = from.shortLivedTokens.use('new-1', call_id, 'r', 'other');
    expect(used).toEqual({ userId: 'bob', clientId: 'bob-1' });
    expect(again(accept)).toEqual({ ...accept, payload: { ...accept.payload, turn_credential: whole } });
    // A leg that can get others later begins with the first url.
    expect(again(accept, ['turn_changed']).payload).toMatchObject({ turn_credential: { turn_urls: [URLS[0]] } });
    expect(again(changed)).toEqual({ ...changed, payload: { ...changed.payload, turn_credential: whole } });
    expect(again(plain)).toEqual(plain);
  });
});
