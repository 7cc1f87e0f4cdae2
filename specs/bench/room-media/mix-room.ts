/** A large room for audio, in a few processes. Each participant measures the tones of its mix. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { signInForRooms } from '../../../cli/rooms/room-requests.ts';
import { DEFAULT_APP_ID } from '../../../sim/server/defaults.ts';
import { demoPeople } from '../../../sim/server/demo-people.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { printTable } from '../print-table.ts';
import { type MixReading, mixVerdict } from './mix-meter.ts';
import { voicesEvent, type VoicesCommand, type VoicesEvent } from './voices-messages.ts';

/** The most participants in one process. */
const IN_PROCESS = 10;
/** The tone of the n-th participant, hertz: a multiple of 5, in the range that every codec keeps. */
const toneAt = (at: number) => 305 + 75 * at;
/** The percentage of the time for which a mix must have sound. */
const SOUNDING = 80;
const LIMIT_MS = 60_000;
const POLL_MS = 2_000;

/** Lets a room of this size run for a time, and prints the table. Returns what is missing, a line each. */
export async function measureMixRoom(server: string, size: number, lengthMs: number): Promise<string[]> {
  const people = demoPeople();
  const tones = Array.from({ length: size }, (_, at) => toneAt(at));
  // The sum of all tones is below full scale, so that the mix does not clip. A cut mix has every frequency in it.
  const volume = 1 / (size + 2);
  const voices = tones.map((tone, at) => ({ userId: people[at % people.length]?.u_id ?? '', tone }));
  const requests = await signInForRooms({ server, appId: DEFAULT_APP_ID, userId: voices[0]?.userId ?? '' });
  const { room_id: roomId } = await requests.create('large_room_for_audio_only', {});
  const hosts = Array.from({ length: Math.ceil(size / IN_PROCESS) }, startHost);
  try {
    await Promise.all(hosts.map((host) => next(host, 'ready')));
    await Promise.all(
      hosts.map(async (host, at) => {
        const own = voices.slice(at * IN_PROCESS, (at + 1) * IN_PROCESS);
        const common = { type: 'enter', server, appId: DEFAULT_APP_ID, roomId, tones, volume } as const;
        await ask(host, { ...common, voices: own }, 'entered');
      }),
    );
    await untilMixed(hosts);
    await sleep(lengthMs);
    return judge(voices, await turn(hosts));
  } finally {
    for (const host of hosts) host.kill('SIGKILL');
  }
}

/** Resolves when the mix of everyone has the tones of all others, or after the limit: the verdict states what is missing. */
async function untilMixed(hosts: readonly ChildProcess[]): Promise<void> {
  const until = performance.now() + scaled(LIMIT_MS);
  await turn(hosts);
  while (performance.now() < until) {
    await sleep(POLL_MS);
    const readings = await turn(hosts);
    if (readings.every((reading, own) => mixVerdict(reading, own).heard === readings.length - 1)) return;
  }
}

async function turn(hosts: readonly ChildProcess[]): Promise<MixReading[]> {
  const events = await Promise.all(hosts.map((host) => ask(host, { type: 'turn' }, 'readings')));
  return events.flatMap((event) => (event.type === 'readings' ? event.readings : []));
}

function judge(
  voices: readonly { readonly userId: string; readonly tone: number }[],
  readings: MixReading[],
): string[] {
  const decibels = (value: number | null) => (value === null ? 'none' : value.toFixed(1));
  const others = voices.length - 1;
  const rows: string[][] = [];
  const missing: string[] = [];
  for (const [own, { userId, tone }] of voices.entries()) {
    const name = `${userId} ${tone} Hz`;
    const reading = readings[own];
    if (!reading) {
      missing.push(`${name} measured nothing`);
      continue;
    }
    const { heard, own: ownLevel, weakest, hearsItself } = mixVerdict(reading, own);
    const sounding = (100 * (reading.windows - reading.silent)) / Math.max(1, reading.windows);
    rows.push([name, `${sounding.toFixed(0)} %`, `${heard}/${others}`, decibels(weakest), decibels(ownLevel)]);
    if (sounding < SOUNDING) missing.push(`${name} heard nothing for a part of the time`);
    if (heard < others) missing.push(`${name} heard ${heard} of ${others} others`);
    if (hearsItself) missing.push(`${name} heard itself`);
  }
  printTable(['', 'with sound', 'others heard', 'weakest : mean, dB', 'own : mean, dB'], rows);
  return missing;
}

const startHost = (): ChildProcess =>
  fork(new URL('voices-host.ts', import.meta.url), { execArgv: ['--import', 'tsx'], serialization: 'advanced' });

function ask(host: ChildProcess, command: VoicesCommand, answer: VoicesEvent['type']): Promise<VoicesEvent> {
  const answered = next(host, answer);
  host.send(command);
  return answered;
}

/** Resolves with the next event of a host. Rejects for another one, for its end and after the limit. */
async function next(host: ChildProcess, type: VoicesEvent['type']): Promise<VoicesEvent> {
  const limit = new AbortController();
  const signal = AbortSignal.any([limit.signal, AbortSignal.timeout(scaled(LIMIT_MS))]);
  const ended = once(host, 'exit', { signal }).then(() => Promise.reject(new Error('a process with voices has ended')));
  try {
    const [message]: unknown[] = await Promise.race([once(host, 'message', { signal }), ended]);
    const event = v.parse(voicesEvent, message);
    if (event.type !== type)
      throw new Error(event.type === 'failed' ? event.message : `expected ${type}, got ${event.type}`);
    return event;
  } finally {
    limit.abort();
    ended.catch(() => undefined);
  }
}
