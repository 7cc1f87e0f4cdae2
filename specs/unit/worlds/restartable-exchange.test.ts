import { expect, it } from 'vitest';
import { startRestartableExchange } from '../../../cli/worlds/real/exchange-here.ts';
import { HandClock } from '../support/hand-clock.ts';

it('starts again after the last of several outages', async () => {
  const exchange = await startRestartableExchange({ demo: true, clock: new HandClock() });
  const ends = [exchange.stop?.('restart'), exchange.stop?.('restart')];
  ends[0]?.();
  await exchange.ready;
  expect(exchange.isStopped).toBe(true);
  ends[1]?.();
  await exchange.ready;
  expect(exchange.isStopped).toBe(false);
  const again = exchange.stop?.('restart');
  again?.();
  await exchange.ready;
  expect((await fetch(`http://127.0.0.1:${exchange.port}/healthz`)).status).toBe(200);
  await exchange.close();
});

it('starts no more when an outage ends after its close', async () => {
  const exchange = await startRestartableExchange({ demo: true, clock: new HandClock() });
  const end = exchange.stop?.('restart');
  await exchange.close();
  end?.();
  await exchange.ready;
  await expect(fetch(`http://127.0.0.1:${exchange.port}/healthz`)).rejects.toThrow('fetch failed');
});
