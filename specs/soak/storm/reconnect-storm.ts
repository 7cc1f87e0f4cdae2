/**
 * L5: a server restarts under many devices. Each device is a client of the library on a real socket, with the retries of
 * the library. The attempts of the devices are spread over time, and each device returns once.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SocketPort } from '../../../src/calls/platform/socket.ts';
import type { Clock } from '../../../src/common/clock.ts';
import { hostClock } from '../../../src/common/host-clock.ts';
import { scaledClock } from '../../../cli/worlds/real/scaled-clock.ts';
import { FaultEngine } from '../../../sim/faults/fault-engine.ts';
import { MediaNetwork } from '../../../sim/virtual/media-network.ts';
import { SoakDevice, type SoakDeviceOptions } from '../calls/soak-device.ts';
import { numberedUsers } from '../../../cli/load/users.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { type SoakServer, startSoakServer } from '../server/soak-server.ts';
import type { Soak, SoakRun } from '../soak-run.ts';

const DEVICES = { short: 200, long: 2_000 };
const SIGN_IN_AT_ONCE = 32;
const WINDOW_MS = 1_000;
/** The most attempts of a second, as a share of all devices. */
const MOST_IN_A_SECOND = 0.25;
/** The aim for the return of all devices of the long form. */
const BACK_MS = 20_000;
const BACK_LIMIT_MS = 60_000;

export const L5: SoakRun = {
  id: 'L5',
  about: 'a restart of the server under 2,000 devices, whose attempts to return are spread over time',
  minutes: null,
  shortMs: 0,
  takesServers: false,
  async run(soak) {
    const count = soak.isShort ? DEVICES.short : DEVICES.long;
    const folder = mkdtempSync(join(tmpdir(), 'ringback-storm-'));
    const users = numberedUsers('storm', count).map(({ userId }) => userId);
    const options = { users, database: join(folder, 'storm.db') };
    let server = await startSoakServer(options);
    const clock = scaledClock(1);
    const parts = {
      server: server.url,
      seed: soak.seed,
      media: new MediaNetwork(clock),
      wire: new FaultEngine({ clock: hostClock() }),
    };
    const devices = users.map((userId) => new StormDevice(userId, parts));
    try {
      await signAllIn(soak, devices);
      const ways = soak.isShort ? (['stopped'] as const) : (['stopped', 'killed'] as const);
      for (const way of ways) {
        if (soak.stop.aborted) break;
        for (const device of devices) device.forget();
        if (way === 'stopped') await server.stop();
        else await server.kill();
        const from = performance.now();
        server = await startSoakServer({ ...options, port: server.port });
        const up = performance.now();
        await awaitReturn(soak, devices);
        await judge(soak, { way, devices, server, from, up });
      }
    } finally {
      for (const { device } of devices) device.client.deauthenticate();
      await server.kill();
      rmSync(folder, { recursive: true });
    }
  },
};

/** A device with the library, and the moments of its attempts to open its channel. */
class StormDevice {
  readonly device: SoakDevice;
  /** When each attempt was due. A busy machine starts it later. */
  attempts: number[] = [];
  /** When the attempt that opened the channel was due, and when the channel was open. Null while it is not. */
  back: { readonly due: number; readonly at: number } | null = null;
  /** When the last timer was due: that of the retry. A login that an attempt needs belongs to this attempt. */
  #due: number | null = null;

  constructor(
    userId: string,
    { server, seed, media, wire }: Pick<SoakDeviceOptions, 'server' | 'seed' | 'media' | 'wire'>,
  ) {
    this.device = new SoakDevice({
      userId,
      server,
      seed,
      timeScale: 1,
      media,
      wire,
      watched: (sockets) => this.#watched(sockets),
      timed: (clock) => this.#timed(clock),
    });
  }

  /** Forgets the attempts so far. */
  forget(): void {
    this.attempts = [];
    this.back = null;
  }

  #watched(inner: SocketPort): SocketPort {
    return {
      open: (url, events) => {
        const due = this.#due ?? performance.now();
        this.attempts.push(due);
        const opened = () => {
          this.back = { due, at: performance.now() };
          events.opened();
        };
        const closed: typeof events.closed = (code, status) => {
          this.back = null;
          events.closed(code, status);
        };
        return inner.open(url, { ...events, received: (text) => events.received(text), opened, closed });
      },
    };
  }

  #timed(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      wallTime: () => clock.wallTime(),
      every: (ms, run) => clock.every(ms, run),
      after: (ms, run) => {
        const due = performance.now() + ms;
        return clock.after(ms, () => {
          this.#due = due;
          run();
        });
      },
    };
  }
}

async function signAllIn(soak: Soak, devices: readonly StormDevice[]): Promise<void> {
  const waiting = [...devices];
  await Promise.all(
    Array.from({ length: SIGN_IN_AT_ONCE }, async () => {
      for (let device = waiting.pop(); device; device = waiting.pop()) {
        await device.device.signIn();
        soak.say(`${devices.length - waiting.length} of ${devices.length} devices are signed in`);
      }
    }),
  );
}

async function awaitReturn(soak: Soak, devices: readonly StormDevice[]): Promise<void> {
  const limit = performance.now() + scaled(BACK_LIMIT_MS);
  for (;;) {
    const back = devices.filter((device) => device.back !== null).length;
    soak.say(`${back} of ${devices.length} devices are back`);
    soak.point('Devices that are back', 'devices', back);
    if (back === devices.length || performance.now() > limit) return;
    await delay(100);
  }
}

interface Storm {
  readonly way: 'stopped' | 'killed';
  readonly devices: readonly StormDevice[];
  readonly server: SoakServer;
  readonly from: number;
  readonly up: number;
}

async function judge(soak: Soak, { way, devices, server, from, up }: Storm): Promise<void> {
  const all = devices.flatMap(({ attempts }) => attempts);
  const first = devices.flatMap(({ attempts }) => attempts.slice(0, 1));
  const due = devices.flatMap(({ back }) => (back ? [back.due] : []));
  const most = mostInWindow(due);
  const opened = mostInWindow(devices.flatMap(({ back }) => (back ? [back.at] : [])));
  const last = Math.max(...devices.map(({ back }) => back?.at ?? Infinity)) - up;
  for (const [at, count] of countedBySecond(all, from))
    soak.point(`Attempts a second, server ${way}`, `second ${at}`, count);
  soak.figure(`server ${way}: up again after`, `${((up - from) / 1_000).toFixed(1)} s`);
  soak.figure(
    `server ${way}: attempts`,
    `${all.length}, first ones from ${seconds(Math.min(...first) - from)} to ${seconds(Math.max(...first) - from)}`,
  );
  soak.figure(`server ${way}: last device back`, `${seconds(last)} after the server`);
  soak.figure(`server ${way}: channels opened`, `at most ${opened} in a second`);
  soak.condition(
    `server ${way}: every device is back`,
    due.length === devices.length,
    `${due.length} of ${devices.length}`,
  );
  soak.condition(
    `server ${way}: no second has more than a quarter of the devices`,
    most <= MOST_IN_A_SECOND * devices.length,
    `at most ${most} of ${devices.length} (${((100 * most) / devices.length).toFixed(1)} %)`,
  );
  const { devices: held, faults } = await server.report();
  soak.condition(`server ${way}: it has each device once`, held === devices.length, `${held} devices`);
  soak.condition(`server ${way}: it reports no error`, faults.length === 0, faults.join('; ') || 'none');
  if (!soak.isShort) {
    soak.condition(`server ${way}: all are back within ${BACK_MS / 1_000} s`, last <= BACK_MS, seconds(last));
  }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Returns the most moments within any second. */
export function mostInWindow(moments: readonly number[]): number {
  const sorted = moments.toSorted((a, b) => a - b);
  let [most, begin] = [0, 0];
  sorted.forEach((moment, at) => {
    while ((sorted[begin] ?? moment) <= moment - WINDOW_MS) begin += 1;
    most = Math.max(most, at - begin + 1);
  });
  return most;
}

function countedBySecond(moments: readonly number[], from: number): [second: number, count: number][] {
  const counts = new Map<number, number>();
  for (const moment of moments) {
    const second = Math.floor((moment - from) / WINDOW_MS);
    counts.set(second, (counts.get(second) ?? 0) + 1);
  }
  return [...counts].toSorted(([a], [b]) => a - b);
}
