/** The server in front of the exchange for the page of a device. */
import { createServer, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ROUTE_BUDGETS } from '../../../sim/budgets/calling-budgets.ts';
import { listen, stopListening } from '../../../sim/server/listen.ts';
import { openFront } from '../../../cli/worlds/browser/front.ts';
import { HandClock } from '../support/hand-clock.ts';
import { realFaults } from '../../../cli/worlds/real/wire.ts';

const MOST = Math.max(...Object.values(ROUTE_BUDGETS).map(({ maxBytes }) => maxBytes));

/** Opens a front before a server that counts the bytes of each body. */
async function withFront<T>(use: (port: number, bodies: readonly number[]) => Promise<T>): Promise<T> {
  const bodies: number[] = [];
  const exchange = createServer((asked, response) => {
    let bytes = 0;
    asked.on('data', (chunk: Buffer) => (bytes += chunk.length));
    asked.on('end', () => {
      bodies.push(bytes);
      response.end('{}');
    });
  });
  const port = await listen(exchange, 0, '127.0.0.1');
  const front = await openFront({ device: 'alice', exchange: port, wire: realFaults(new HandClock(), 1, undefined) });
  try {
    return await use(front.port, bodies);
  } finally {
    await front.close();
    await stopListening(exchange);
  }
}

/** Sends a body in pieces, without its length, and returns the status of the answer. */
function post(port: number, bytes: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/v1/sdk/logs' }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
      sent.destroy();
    });
    sent.on('error', reject);
    for (let left = bytes; left > 0; left -= 10_000) sent.write('x'.repeat(Math.min(left, 10_000)));
    sent.end();
  });
}

describe('the front of a page', () => {
  it('forwards the largest body of a request, and refuses a larger one', async () => {
    await withFront(async (port, bodies) => {
      expect([await post(port, MOST), bodies]).toEqual([200, [MOST]]);
      expect([await post(port, MOST + 1), bodies]).toEqual([413, [MOST]]);
    });
  });
});
