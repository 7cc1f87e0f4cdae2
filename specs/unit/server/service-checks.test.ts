/** The checks of the services around a server: when they run, what they report, and what the log has. */
import { expect, it } from 'vitest';
import { Log } from '../../../sim/exchange/logging/log.ts';
import { type Service, ServiceChecks } from '../../../sim/server/operations/service-checks.ts';
import { HandClock } from '../support/hand-clock.ts';

function checksOf(service: Partial<Service> = {}) {
  const clock = new HandClock();
  const logged: string[] = [];
  const log = new Log(({ level, message }) => void logged.push(`${level}: ${message}`), clock);
  const state = { isUp: true, asked: 0 };
  const checks = new ServiceChecks({ clock, log });
  checks.add({
    name: 'database',
    setting: 'DATABASE_URL',
    check: async () => {
      state.asked += 1;
      if (!state.isUp) throw new Error('refused');
    },
    ...service,
  });
  const stateOf = async () => (await checks.states()).get(service.name ?? 'database');
  return { clock, logged, state, checks, stateOf };
}

it('a service is asked at most once a second, however often the server is probed', async () => {
  const { clock, state, stateOf } = checksOf();
  for (let probe = 0; probe < 5; probe += 1) expect(await stateOf()).toBe('ok');
  expect(state.asked).toBe(1);
  state.isUp = false;
  expect(await stateOf()).toBe('ok');
  clock.advance(1_000);
  expect(await stateOf()).toBe('failing');
  expect(state.asked).toBe(2);
});

it('the log has a failure and the recovery once each, with the name of the setting', async () => {
  const { clock, state, stateOf, logged } = checksOf();
  for (const isUp of [true, false, false, true, true]) {
    state.isUp = isUp;
    clock.advance(1_000);
    await stateOf();
  }
  expect(logged).toEqual([
    'error: the database does not work (DATABASE_URL)',
    'info: the database works again (DATABASE_URL)',
  ]);
});

it('a watched service is checked without probes, until the end', async () => {
  const { clock, state, checks, logged } = checksOf();
  checks.watch();
  state.isUp = false;
  clock.advance(10_000);
  await new Promise(setImmediate);
  expect([state.asked, checks.last.get('database'), logged.length]).toEqual([2, 'failing', 1]);
  checks.dispose();
  expect(clock.pending).toBe(0);
});

it('a probe does not wait for a slow check: the service fails until its first result, which then counts', async () => {
  let answer = (): void => undefined;
  const check = () => new Promise<void>((resolve) => (answer = resolve));
  const { clock, stateOf } = checksOf({ name: 'relay', setting: null, isSlow: true, everyMs: 15_000, check });
  expect(await stateOf()).toBe('failing');
  answer();
  await new Promise(setImmediate);
  expect(await stateOf()).toBe('ok');
  clock.advance(15_000);
  expect(await stateOf()).toBe('ok');
});

it('a failing service is checked again after two seconds, and not only after its interval', async () => {
  const { clock, state, stateOf } = checksOf({ everyMs: 15_000 });
  state.isUp = false;
  expect(await stateOf()).toBe('failing');
  state.isUp = true;
  clock.advance(1_999);
  expect(await stateOf()).toBe('failing');
  clock.advance(1);
  expect(await stateOf()).toBe('ok');
  state.isUp = false;
  clock.advance(14_999);
  expect(await stateOf()).toBe('ok');
});

it('a service that never answers fails after its limit', async () => {
  const { clock, stateOf } = checksOf({ check: () => new Promise(() => undefined) });
  const state = stateOf();
  clock.advance(2_000);
  expect(await state).toBe('failing');
  expect(clock.pending).toBe(0);
});
