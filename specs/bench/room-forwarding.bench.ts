/**
 * Measures the forwarding of a room with sound and pictures: the processor time and the memory of each engine, with the
 * same callers one after the other. Each participant sends 320x240 at 10 frames a second and a tone, and views every
 * other one. The callers decode everything, so a small machine is full at 12 participants. The processor time for 1,000
 * delivered packets does not depend on that.
 *
 * Usage: room-forwarding.bench.ts [participants...]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Log } from '../../sim/exchange/logging/log.ts';
import { JanusRoomMediaEngine } from '../../sim/media/janus/engine.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';
import { NO_JANUS, startJanus } from '../wrtc/janus-server.ts';
import { createWrtcPlatform } from '../../cli/headless/platform/wrtc-platform.ts';
import type { EndpointPlan } from '../../sim/exchange/rooms/room-media.ts';
import type { RtcPeerConnection } from '../../src/calls/platform/rtc.ts';
import { printTable } from './print-table.ts';
import type { EngineCommand } from './room-forwarding-sfu.ts';

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [2, 4, 6, 12];
const SETTLE_MS = 4_000;
const MEASURED_MS = 10_000;
/** The unit of processor times of the system, in milliseconds (USER_HZ). */
const TICK_MS = 10;

/** A room of an engine, and the process that is measured. */
interface MeasuredRoom {
  readonly pid: number;
  create(plan: EndpointPlan, offer: string): Promise<string>;
  attach(endpointId: string, masterId: string): void;
  close(): Promise<void>;
}

/** The engines by name. Each has a process of its own. */
const ENGINES: Readonly<Record<string, () => Promise<MeasuredRoom>>> = {
  sfu: openSfu,
  ...(NO_JANUS === undefined ? { janus: openJanus } : {}),
};

async function openSfu(): Promise<MeasuredRoom> {
  const child = fork(new URL('room-forwarding-sfu.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  const waiting = new Map<number, (answer: string) => void>();
  child.on('message', ({ id, answer }: { readonly id: number; readonly answer: string }) => waiting.get(id)?.(answer));
  await once(child, 'message');
  const send = (command: EngineCommand) => child.send(command);
  send({ do: 'open' });
  let requests = 0;
  return {
    pid: child.pid ?? 0,
    create(plan, offer) {
      const id = (requests += 1);
      send({ do: 'create', id, plan, offer });
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    attach: (endpointId, masterId) => void send({ do: 'attach', endpointId, masterId }),
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The adapter is in this process. It only signals, so the process of Janus is measured alone. */
async function openJanus(): Promise<MeasuredRoom> {
  const janus = await startJanus(2);
  const log = new Log(({ message }) => console.error(message), nodeClock);
  const engine = new JanusRoomMediaEngine({ urls: [janus.url], secret: null, owner: 'bench', clock: nodeClock, log });
  await engine.start();
  const room = engine.open('bench', 'small_room_for_video');
  return {
    pid: janus.pid,
    create: (plan, offer) => room.create(plan, offer),
    attach: (endpointId, masterId) => room.attach(endpointId, masterId),
    async close() {
      engine.close();
      await janus.dispose();
    },
  };
}

/** Returns the processor time of a process in milliseconds, and its memory in bytes. */
function usageOf(pid: number): { readonly cpuMs: number; readonly memory: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, memory: Number(kib) * 1_024 };
}

const platform = createWrtcPlatform({ tone: 440, width: 320, height: 240, fps: 10 }, () => undefined);

async function join(room: MeasuredRoom, endpointId: string, direction: 'sendonly' | 'recvonly') {
  const connection = platform.rtc.createPeerConnection({});
  const tracks: MediaStreamTrack[] = [];
  if (direction === 'sendonly') {
    const stream = await platform.devices.getUserMedia({ audio: true, video: true });
    tracks.push(...stream.getTracks());
  }
  for (const kind of ['audio', 'video'] as const) {
    connection.addTransceiver(tracks.find((track) => track.kind === kind) ?? kind, { direction });
  }
  const offer = await connection.createOffer();
  await connection.setLocalDescription(offer);
  const plan = { endpointId, participantId: endpointId, audio: direction, video: direction };
  await connection.setRemoteDescription({ type: 'answer', sdp: await room.create(plan, offer.sdp ?? '') });
  while (connection.connectionState !== 'connected') await sleep(20);
  return {
    connection,
    close() {
      for (const track of tracks) track.stop();
      connection.close();
    },
  };
}

/** Returns the packets that arrived at viewers, and the pictures that they decoded. */
async function deliveredTo(viewers: readonly RtcPeerConnection[]) {
  let packets = 0;
  let frames = 0;
  for (const viewer of viewers) {
    (await viewer.getStats()).forEach((entry: Record<string, unknown>) => {
      if (entry['type'] !== 'inbound-rtp') return;
      packets += Number(entry['packetsReceived'] ?? 0);
      frames += Number(entry['framesDecoded'] ?? 0);
    });
  }
  return { packets, frames };
}

interface Figures {
  readonly cores: number;
  readonly memory: number;
  readonly packetsPerSecond: number;
  readonly msPerThousand: number;
  readonly framesPerSecond: number;
}

async function measure(open: () => Promise<MeasuredRoom>, participants: number): Promise<Figures> {
  const room = await open();
  const joined: { readonly connection: RtcPeerConnection; close(): void }[] = [];
  const viewers: RtcPeerConnection[] = [];
  try {
    for (let at = 0; at < participants; at += 1) joined.push(await join(room, `m${at}`, 'sendonly'));
    for (let at = 0; at < participants; at += 1) {
      for (let other = 0; other < participants; other += 1) {
        if (other === at) continue;
        const viewer = await join(room, `v${at}-${other}`, 'recvonly');
        joined.push(viewer);
        viewers.push(viewer.connection);
        room.attach(`v${at}-${other}`, `m${other}`);
      }
    }
    await sleep(SETTLE_MS);
    const [usage, delivered, from] = [usageOf(room.pid), await deliveredTo(viewers), performance.now()];
    await sleep(MEASURED_MS);
    const [after, now] = [usageOf(room.pid), await deliveredTo(viewers)];
    const seconds = (performance.now() - from) / 1_000;
    const packets = now.packets - delivered.packets;
    const cpuMs = after.cpuMs - usage.cpuMs;
    return {
      cores: cpuMs / 1_000 / seconds,
      memory: after.memory,
      packetsPerSecond: packets / seconds,
      msPerThousand: (cpuMs / packets) * 1_000,
      framesPerSecond: (now.frames - delivered.frames) / seconds / viewers.length,
    };
  } finally {
    for (const one of joined) one.close();
    await room.close();
  }
}

const rows: string[][] = [];
for (const participants of SIZES) {
  let first: Figures | null = null;
  for (const [name, open] of Object.entries(ENGINES)) {
    const figures = await measure(open, participants);
    first ??= figures;
    rows.push([
      `${participants} participants, ${name}`,
      figures.cores.toFixed(2),
      `${Math.round(figures.memory / 2 ** 20)} MiB`,
      Math.round(figures.packetsPerSecond).toString(),
      figures.msPerThousand.toFixed(1),
      figures.framesPerSecond.toFixed(1),
      // How much more the first engine costs than this one.
      (first.msPerThousand / figures.msPerThousand).toFixed(2),
    ]);
  }
}
printTable(['engine', 'cores', 'memory', 'packets/s', 'ms per 1,000', 'frames/s', 'sfu to this'], rows);
// A process with native media can crash at a natural end.
process.exit(0);
