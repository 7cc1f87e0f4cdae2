/** The sockets of devices: one for each client, the newest. */
import { beforeEach, describe, expect, it } from 'vitest';
import { FrameFault } from '../../../src/protocol/envelope.ts';
import { ClientLogs } from '../../../sim/exchange/logging/client-logs.ts';
import { Devices } from '../../../sim/exchange/directory/devices.ts';
import { faultReply, refusalOf } from '../../../sim/exchange/faults.ts';
import golden from '../../../fixtures/wire/logs.json' with { type: 'json' };
import { createExchangeFixture, Device } from './exchange-fixture.ts';

const PHONE = { userId: 'bob', clientId: 'phone' };
const TABLET = { userId: 'bob', clientId: 'tablet' };

describe('the devices on the channel', () => {
  let devices: Devices;
  let changes: string[];
  let closes: unknown[];
  const aLink = (name: string) => ({
    send: () => undefined,
    close: (code: number, reason: string) => void closes.push([name, code, reason]),
  });

  beforeEach(() => {
    changes = [];
    closes = [];
    devices = new Devices((userId) => changes.push(userId));
  });

  it('emit the first connection of a user, and the last disconnection', () => {
    const [phone, tablet] = [aLink('phone'), aLink('tablet')];
    devices.attach(PHONE, phone, null);
    devices.attach(TABLET, tablet, null);
    expect([changes, devices.count, devices.clientsOf('bob')]).toEqual([['bob'], 2, ['phone', 'tablet']]);
    expect(devices.detach(PHONE, phone)).toBe(true);
    expect([changes, devices.isConnected('bob')]).toEqual([['bob'], true]);
    expect(devices.detach(TABLET, tablet)).toBe(true);
    expect([changes, devices.isConnected('bob'), devices.count]).toEqual([['bob', 'bob'], false, 0]);
  });

  it('F17: close the previous socket of a client, whose late close has no effect', () => {
    const [older, newer] = [aLink('older'), aLink('newer')];
    devices.attach(PHONE, older, null);
    devices.attach(PHONE, newer, null);
    expect(closes).toEqual([['older', 4000, expect.stringContaining('replaced')]]);
    expect([devices.detach(PHONE, older), devices.link(PHONE), changes]).toEqual([false, newer, ['bob']]);
  });

  it('are absent for a user or a client that is not connected', () => {
    expect(devices.detach(PHONE, aLink('none'))).toBe(false);
    devices.attach(PHONE, aLink('phone'), null);
    expect(devices.detach(TABLET, aLink('none'))).toBe(false);
    expect([devices.clientsOf('alice'), devices.link(TABLET), devices.count]).toEqual([[], undefined, 1]);
  });
});

describe('a device that connects twice at once', () => {
  it('gets its ringing call once, on the newer socket', async () => {
    const fixture = createExchangeFixture();
    const [alice, first] = [await fixture.device('alice'), await fixture.device('bob')];
    first.disconnect();
    alice.dial('bob');
    const newer = new Device(fixture, first.userId, first.clientId, first.token);
    const connecting = [first.connect(), newer.connect()];
    await Promise.all(connecting);
    expect([first.types, newer.types]).toEqual([[], ['dial']]);
  });
});

describe('the refusal of an unreadable frame', () => {
  it('quotes two hundred characters at most', () => {
    const text = JSON.stringify({ request_id: 'r', cmd: 'CALL', type: 'dial' });
    const { message } = refusalOf(new FrameFault('payload', 'x'.repeat(500)));
    expect(message).toBe(`payload: ${'x'.repeat(191)}`);
    expect(faultReply(new FrameFault('payload', 'x'.repeat(500), 'r'), text)?.error?.message).toBe(message);
  });
});

describe('the stored statistics', () => {
  it('are found by their call, and the lines of a log by their user', () => {
    const logs = new ClientLogs({ statsLogs: 10, debugLogs: 10 });
    const log = (call_id: string) => ({ ...golden.stats.log_data, call_id }) as Parameters<ClientLogs['addStats']>[1];
    logs.addStats(PHONE, log('one'));
    logs.addStats(TABLET, log('two'));
    expect(logs.statsOf('one')).toEqual([{ ...log('one'), ...PHONE }]);
    expect([logs.statsOf('three'), logs.debugOf('bob')]).toEqual([[], []]);
  });
});
