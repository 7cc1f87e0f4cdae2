/** The stack aiortc of Python, in a process of its own: Opus, and received video decoded, encoded and sent back. */
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createToneMeter } from '../../../cli/headless/signals/tone-meter.ts';
import type { ForeignPeer, ForeignStack } from './foreign-peer.ts';

const PROGRAM = fileURLToPath(new URL('./aiortc_peer.py', import.meta.url));
/** The Python of the system has the packages of the system, also where another one comes first. */
const PYTHONS = ['python3', '/usr/bin/python3'];
const python = PYTHONS.find((name) => spawnSync(name, ['-c', 'import aiortc, numpy']).status === 0);

/** A line of the process: the answer to a request, or an event. */
interface Line {
  readonly id?: number;
  readonly result?: string | null;
  readonly error?: string;
  readonly event?: 'sound' | 'state';
  readonly state?: string;
  readonly rate?: number;
  readonly samples?: string;
}

interface Waiting {
  readonly resolve: (result: string) => void;
  readonly reject: (error: Error) => void;
}

function open({ tone }: { readonly tone: number }): ForeignPeer {
  const child = spawn(python ?? '', [PROGRAM, JSON.stringify({ tone })], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, Waiting>();
  let requests = 0;
  let meter = createToneMeter();
  let connect = () => undefined as void;
  const connected = new Promise<void>((resolve) => (connect = resolve));
  const read = ({ id, result, error, event, state, rate, samples }: Line) => {
    if (event === 'state' && state === 'connected') connect();
    if (event === 'sound' && rate !== undefined && samples !== undefined) {
      const bytes = Buffer.from(samples, 'base64');
      meter.add(
        Int16Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(2 * at)),
        rate,
      );
    }
    if (id === undefined) return;
    if (error === undefined) waiting.get(id)?.resolve(result ?? '');
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  };
  createInterface({ input: child.stdout }).on('line', (line) => read(JSON.parse(line) as Line));
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      for (const { reject } of waiting.values()) reject(new Error('the process of aiortc has ended'));
      resolve();
    });
  });
  const ask = (request: object): Promise<string> =>
    new Promise((resolve, reject) => {
      requests += 1;
      waiting.set(requests, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ id: requests, ...request })}\n`);
    });
  return {
    offer: () => ask({ do: 'offer' }),
    answer: (sdp) => ask({ do: 'answer', sdp }),
    async accept(sdp) {
      await ask({ do: 'accept', sdp });
    },
    async addCandidate({ sdp, sdp_mid, sdp_mline_index }) {
      // It has no candidates over TCP.
      if (/ udp /i.test(sdp)) await ask({ do: 'candidate', candidate: sdp, mid: sdp_mid, line: sdp_mline_index });
    },
    // Its descriptions have its candidates.
    onCandidate: () => undefined,
    connected,
    heard() {
      const reading = meter.reading();
      meter = createToneMeter();
      return reading;
    },
    async close() {
      child.stdin.end();
      child.kill('SIGKILL');
      await exited;
    },
  };
}

export const AIORTC: ForeignStack = {
  name: 'aiortc',
  ...(python === undefined ? { missing: 'aiortc is not installed: apt-get install python3-aiortc' } : {}),
  echoesVideo: true,
  restartsIce: false,
  open: async (options) => open(options),
};
