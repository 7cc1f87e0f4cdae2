/** Parts of the operation of a server, without a server. */
import { createServer, type Server } from 'node:http';
import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CallEvent } from '../../../sim/exchange/calls/call-event.ts';
import type { ExchangeListener } from '../../../sim/exchange/events.ts';
import { Log } from '../../../sim/exchange/logging/log.ts';
import { listen, ListenError, stopListening } from '../../../sim/server/listen.ts';
import { logAcceptFaults } from '../../../sim/server/operations/unhandled-faults.ts';
import { callsOver, UnderWay, within } from '../../../sim/server/operations/under-way.ts';
import { HandClock } from '../support/hand-clock.ts';

afterEach(() => {
  vi.useRealTimers();
});

const systemError = (code: string): NodeJS.ErrnoException => Object.assign(new Error(`accept ${code}`), { code });

describe('F58 a server that may open no more files', () => {
  it('logs the limit once in ten seconds, with the remedy, and continues', () => {
    const clock = new HandClock();
    const logged: string[] = [];
    const server = createServer();
    logAcceptFaults(server, new Log(({ message }) => void logged.push(message), clock), clock);
    for (let refused = 0; refused < 100; refused += 1) server.emit('error', systemError('EMFILE'));
    expect(logged).toEqual([expect.stringContaining('ulimit -n')]);
    clock.advance(10_000);
    server.emit('error', systemError('EMFILE'));
    expect(logged).toHaveLength(2);
  });

  it('cannot listen, and names the limit instead of the port', async () => {
    const server = new EventEmitter() as EventEmitter & { listen(): void };
    server.listen = () => void server.emit('error', systemError('EMFILE'));
    const failed = await listen(server as never, 4870, '127.0.0.1').catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: 'ListenError', fault: 'files', message: expect.stringContaining('EMFILE') });
    expect(failed).toBeInstanceOf(ListenError);
  });

  it('leaves no listener of its start behind, whether it listens or not', async () => {
    const first = createServer();
    const port = await listen(first, 0, '127.0.0.1');
    const second = createServer();
    await expect(listen(second, port, '127.0.0.1')).rejects.toThrow('is taken');
    const counts = (server: Server) => [server.listenerCount('error'), server.listenerCount('listening')];
    expect([first, second].map(counts)).toEqual([counts(createServer()), counts(createServer())]);
    await stopListening(first);
  });
});

describe('F59 a drain', () => {
  function exchangeOf(...calls: string[]) {
    const live = new Set(calls);
    const liveRooms: { roomId: string; participants: number }[] = [];
    const listeners = new Set<ExchangeListener>();
    return {
      listeners,
      liveRooms,
      get liveCalls() {
        return [...live].map((callId) => ({ callId, state: 'connected' as const }));
      },
      subscribe(listener: ExchangeListener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      end(callId: string) {
        for (const listener of [...listeners]) listener({ kind: 'ended', callId } as CallEvent);
        live.delete(callId);
      },
    };
  }

  it('ends with the last call, and leaves neither timer nor listener', async () => {
    const clock = new HandClock();
    const exchange = exchangeOf('one', 'two');
    let isOver = false;
    const drained = callsOver(exchange, clock, 60_000).then(() => (isOver = true));
    exchange.end('one');
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    exchange.end('two');
    await drained;
    expect([clock.pending, exchange.listeners.size]).toEqual([0, 0]);
  });

  it('waits for the participants of rooms', async () => {
    const clock = new HandClock();
    const exchange = exchangeOf('one');
    exchange.liveRooms.push({ roomId: 'a room', participants: 1 });
    let isOver = false;
    const drained = callsOver(exchange, clock, 60_000).then(() => (isOver = true));
    exchange.end('one');
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    for (const listener of [...exchange.listeners]) listener({ kind: 'presence', userId: 'alice' });
    exchange.liveRooms.pop();
    await drained;
    expect([clock.pending, exchange.listeners.size]).toEqual([0, 0]);
  });

  it('ends at its deadline, also with a live call', async () => {
    const clock = new HandClock();
    const exchange = exchangeOf('one');
    const drained = callsOver(exchange, clock, 60_000);
    clock.advance(60_000);
    await drained;
    expect([clock.pending, exchange.listeners.size]).toEqual([0, 0]);
    await callsOver(exchange, clock, 0);
  });
});

describe('F59 a stop', () => {
  it('waits for pending work, and no longer than its deadline', async () => {
    vi.useFakeTimers();
    const underWay = new UnderWay();
    let finish = (): void => undefined;
    void underWay.track(new Promise<void>((resolve) => (finish = resolve)));
    underWay.track(Promise.reject(new Error('refused'))).catch(() => undefined);
    const late = within(5_000, underWay.settled());
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await late).toBe(false);
    const done = within(5_000, underWay.settled());
    finish();
    expect(await done).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
