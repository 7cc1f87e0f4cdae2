/** Which devices of a node take part in calls of other nodes. */
import { describe, expect, it } from 'vitest';
import { CallsElsewhere } from '../../../sim/cluster/calls-elsewhere.ts';
import { HandClock } from '../support/hand-clock.ts';

const PHONE = { userId: 'bob', clientId: 'phone' };
const LAPTOP = { userId: 'bob', clientId: 'laptop' };

function calls() {
  const clock = new HandClock();
  const here = new Set(['phone', 'laptop']);
  return { clock, here, elsewhere: new CallsElsewhere(clock, ({ clientId }) => here.has(clientId), 65_000) };
}

describe('a device with a call at another node', () => {
  it('has the call until it is over, or until the device has been silent for too long', () => {
    const { clock, elsewhere } = calls();
    elsewhere.begun(PHONE, 'n2.1');
    clock.advance(64_999);
    expect([elsewhere.has(PHONE), elsewhere.has(LAPTOP)]).toEqual([true, false]);
    clock.advance(1);
    expect(elsewhere.has(PHONE)).toBe(false);
    elsewhere.begun(PHONE, 'n2.2');
    elsewhere.ended(PHONE, 'n2.1');
    expect(elsewhere.has(PHONE)).toBe(true);
    elsewhere.ended(PHONE, 'n2.2');
    expect(elsewhere.has(PHONE)).toBe(false);
  });

  it('has its first call while a second one begins and ends', () => {
    const { elsewhere } = calls();
    for (const callId of ['n2.1', 'n3.1']) elsewhere.begun(PHONE, callId);
    elsewhere.ended(PHONE, 'n3.1');
    expect(elsewhere.has(PHONE)).toBe(true);
    elsewhere.ended(PHONE, 'n2.1');
    expect(elsewhere.has(PHONE)).toBe(false);
  });

  it('keeps a bounded number of calls: those with the newest signals', () => {
    const { elsewhere } = calls();
    elsewhere.begun(PHONE, 'n2.old');
    elsewhere.begun(PHONE, 'n2.new');
    const others = Array.from({ length: 15 }, (_, at) => `n3.${at}`);
    for (const callId of others.slice(1)) elsewhere.begun(PHONE, callId);
    elsewhere.begun(PHONE, 'n2.new');
    elsewhere.begun(PHONE, 'n3.0');
    for (const callId of others) elsewhere.ended(PHONE, callId);
    expect(elsewhere.has(PHONE)).toBe(true);
    elsewhere.ended(PHONE, 'n2.new');
    expect(elsewhere.has(PHONE)).toBe(false);
  });

  it('is forgotten when it is not connected here any more', () => {
    const { here, elsewhere } = calls();
    for (const device of [PHONE, LAPTOP]) elsewhere.begun(device, 'n2.1');
    here.delete('phone');
    elsewhere.devicesChanged('bob');
    here.add('phone');
    expect([elsewhere.has(PHONE), elsewhere.has(LAPTOP)]).toEqual([false, true]);
  });

  it('is not recorded when it is connected to another node', () => {
    const { here, elsewhere } = calls();
    here.clear();
    elsewhere.begun(PHONE, 'n2.1');
    here.add('phone');
    expect(elsewhere.has(PHONE)).toBe(false);
  });
});
