/** The devices of nodes that fell silent. */
import { describe, expect, it } from 'vitest';
import { UnheardDevices } from '../../../sim/cluster/unheard-devices.ts';
import { HandClock } from '../support/hand-clock.ts';

const device = (userId: string, clientId = 'phone') => ({ userId, clientId });

function unheard() {
  const clock = new HandClock();
  return { clock, all: new UnheardDevices({ clock, silentMs: 600_000, returnMs: 65_000 }) };
}

describe('the devices of a node that fell silent', () => {
  it('are unheard for as long as the node may be cut off', () => {
    const { clock, all } = unheard();
    all.fellSilent('n2', [device('bob')]);
    expect([all.has(device('bob')), all.has(device('bob', 'laptop')), all.has(device('alice'))]).toEqual([
      ...[true, false, false],
    ]);
    clock.advance(599_999);
    expect(all.has(device('bob'))).toBe(true);
    clock.advance(1);
    expect(all.has(device('bob'))).toBe(false);
  });

  it('are unheard until each of them had the time to send something after the return', () => {
    const { clock, all } = unheard();
    all.fellSilent('n2', [device('bob')]);
    all.fellSilent('n3', [device('carol')]);
    all.returned('n2');
    clock.advance(65_000);
    expect([all.has(device('bob')), all.has(device('carol'))]).toEqual([false, true]);
  });

  it('have that time also when the node returns late, and none when it returns too late', () => {
    const { clock, all } = unheard();
    all.fellSilent('n2', [device('bob')]);
    clock.advance(590_000);
    all.returned('n2');
    clock.advance(64_999);
    expect(all.has(device('bob'))).toBe(true);
    clock.advance(1);
    all.returned('n2');
    expect(all.has(device('bob'))).toBe(false);
  });

  it('count again when they connect to another node', () => {
    const { all } = unheard();
    all.fellSilent('n2', [device('bob'), device('carol'), device('dora')]);
    all.connected(device('bob'), 'n3');
    all.connected(device('carol'), 'n2');
    expect(['bob', 'carol', 'dora'].map((user) => all.has(device(user)))).toEqual([false, true, true]);
  });

  it('are unheard also when the node falls silent again before it has announced them', () => {
    const { clock, all } = unheard();
    all.fellSilent('n2', [device('bob')]);
    all.returned('n2');
    all.fellSilent('n2', [device('carol')]);
    clock.advance(65_000);
    expect([all.has(device('bob')), all.has(device('carol'))]).toEqual([true, true]);
    // Devices of a former silence are forgotten.
    clock.advance(600_000);
    all.fellSilent('n3', []);
    all.fellSilent('n2', [device('dora')]);
    expect([all.has(device('bob')), all.has(device('dora'))]).toEqual([false, true]);
  });
});
