/** The action of `ringback cluster`: runs several nodes behind a balancer, until Ctrl-C. */
import { createInterface } from 'node:readline';
import type { LogThreshold } from '../../sim/server/defaults.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';
import { createJsonLog } from '../../sim/server/operations/json-log.ts';
import { startBalancer, type Balancer } from '../cluster/balancer.ts';
import { startNodeProcess, type NodeProcess } from '../cluster/node-process.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { listening } from '../listening.ts';
import { numberedUsers } from '../load/users.ts';
import { processOutput } from '../process-output.ts';
import { servicesOfEnvironment } from '../services.ts';
import { untilStopped } from '../until-stopped.ts';

export interface ClusterOptions {
  readonly nodes: number;
  readonly port: number;
  /** Milliseconds. */
  readonly drain: number;
  readonly users?: { readonly prefix: string; readonly count: number };
  readonly logLevel: LogThreshold;
}

/** The most nodes on one machine. */
const MOST_NODES = 16;

/** Runs the nodes. Returns the exit code. */
export async function cluster(options: ClusterOptions): Promise<number> {
  if (options.nodes > MOST_NODES) {
    throw new CommandError(
      `--nodes ${options.nodes} are more than ${MOST_NODES}, the most of one machine.`,
      EXIT.usage,
    );
  }
  const { database, redis } = servicesOf();
  const balancer = await listening('--port', () => startBalancer(options.port, nodeClock));
  const users = options.users
    ? numberedUsers(options.users.prefix, options.users.count).map(({ userId }) => userId)
    : null;
  const nodes = new ClusterNodes(balancer, options.drain, () =>
    startNodeProcess({ database, redis, publicUrl: balancer.url, logLevel: options.logLevel, users }),
  );
  const say = (line: string) => processOutput.out.write(`${line}\n`);
  try {
    for (let started = 0; started < options.nodes; started += 1) say(await nodes.start());
    say(welcome(balancer.url, options));
    const input = createInterface({ input: process.stdin });
    input.on('line', (line) => void nodes.obey(line.trim()).then(say, (error: unknown) => say(reasonOf(error))));
    const exitCode = await untilStopped(createJsonLog(options.logLevel));
    input.close();
    return exitCode;
  } finally {
    await nodes.stop();
    await balancer.close();
  }
}

/** @throws CommandError when the environment names no PostgreSQL or no Redis. */
function servicesOf(): { readonly database: string; readonly redis: string } {
  const { database, redis } = servicesOfEnvironment().options;
  if (redis === undefined) {
    throw new CommandError('redis.url (REDIS_URL): is missing. The nodes of a cluster share a Redis.', EXIT.usage);
  }
  if (!/^postgres(?:ql)?:/i.test(database)) {
    throw new CommandError(
      'database.url (DATABASE_URL): is missing. The nodes share a PostgreSQL database.',
      EXIT.usage,
    );
  }
  return { database, redis: redis.url };
}

interface Numbered {
  readonly number: number;
  readonly node: NodeProcess;
}

/** The nodes of a cluster, by number. */
class ClusterNodes {
  readonly #balancer: Balancer;
  readonly #drainMs: number;
  readonly #start: () => Promise<NodeProcess>;
  readonly #running = new Map<number, NodeProcess>();
  #made = 0;

  constructor(balancer: Balancer, drainMs: number, start: () => Promise<NodeProcess>) {
    this.#balancer = balancer;
    this.#drainMs = drainMs;
    this.#start = start;
  }

  async start(): Promise<string> {
    const node = await this.#start();
    const number = (this.#made += 1);
    this.#running.set(number, node);
    this.#balancer.add(node.url);
    void node.ended.then(() => this.#gone({ number, node }));
    return lineOf(number, node);
  }

  /** Carries out a word of standard input. Resolves with the line that answers it. */
  async obey(line: string): Promise<string> {
    const [word = '', argument] = line.split(/\s+/);
    switch (word) {
      case 'kill': {
        const { number, node } = this.#find(argument);
        await node.kill();
        return `node ${number}  killed`;
      }
      case 'drain': {
        const { number, node } = this.#find(argument);
        await node.drain(this.#drainMs);
        return `node ${number}  drained and stopped`;
      }
      case 'start':
        return this.start();
      case 'upgrade':
        return this.#upgrade();
      case 'status':
        return [...this.#running]
          .map(
            ([number, node]) => `${lineOf(number, node)}  ${this.#balancer.connections.get(node.url) ?? 0} connections`,
          )
          .join('\n');
      case '':
        return '';
      default:
        throw new CommandError(`"${word}" is no word here: kill, drain, start, upgrade or status.`, EXIT.usage);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running.values()].map((node) => node.drain(0)));
  }

  async #upgrade(): Promise<string> {
    for (const [number, node] of [...this.#running]) {
      processOutput.out.write(`${await this.start()}\n`);
      await node.drain(this.#drainMs);
      processOutput.out.write(`node ${number}  drained and stopped\n`);
    }
    return 'upgraded';
  }

  #find(argument: string | undefined): Numbered {
    const number = Number(argument);
    const node = this.#running.get(number);
    if (node) return { number, node };
    const known = [...this.#running.keys()].join(', ');
    throw new CommandError(`No node ${argument ?? ''} is running: ${known || 'none is'}.`, EXIT.usage);
  }

  #gone({ number, node }: Numbered): void {
    this.#running.delete(number);
    this.#balancer.remove(node.url);
  }
}

const lineOf = (number: number, { url, pid }: NodeProcess): string => `node ${number}  ${url}  process ${pid}`;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function welcome(url: string, { users }: ClusterOptions): string {
  const load = users ? ` --users ${users.prefix}/${users.count}` : '';
  return [
    `exchange  ${url}`,
    ...(users
      ? [`try       ringback load --server ${url}${load}`]
      : [
          `try       ringback answer --as bob --server ${url}`,
          `          ringback dial bob --as alice --server ${url}`,
        ]),
    'words     kill 2, drain 2, start, upgrade, status',
    'stop      Ctrl-C',
  ].join('\n');
}
