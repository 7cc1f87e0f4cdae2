/** The exchange as a process of its own, for cases that stop or kill it. exchange-process.ts forks it. */
import { nodeClock } from '../../../sim/server/node-ports.ts';
import type { MediaLeg, MediaPath } from '../../../sim/exchange/ports.ts';
import { type Sim, startSim } from '../../../sim/server/start-sim.ts';
import { type ExchangeCommand, type ExchangeNews, WITH_ROOMS } from './exchange-messages.ts';
import { mediaPathsOf, type PathOwner } from './media-paths.ts';

/** The interval at which changes of calls and devices are checked, milliseconds. */
const LOOK_MS = 10;

let sim: Sim | undefined;
let asked = 0;
let isStopping = false;
const waiting = new Map<number, (text: string | null) => void>();

const emit = (news: ExchangeNews) => {
  if (process.connected) process.send?.(news);
};

function pathOf(of: PathOwner): MediaPath {
  emit({ type: 'open', of });
  const rewrite = (what: 'sdp' | 'candidate', text: string, from: MediaLeg) =>
    new Promise<string | null>((resolve) => {
      asked += 1;
      waiting.set(asked, resolve);
      emit({ type: 'rewrite', id: asked, of, what, text, from });
    });
  return {
    rewriteSdp: async (sdp, from) => (await rewrite('sdp', sdp, from)) ?? sdp,
    rewriteCandidate: (candidate, from) => rewrite('candidate', candidate, from),
    dispose() {
      // The call and its media go on without this process.
      if (!isStopping) emit({ type: 'dispose', of });
    },
  };
}

function watch({ exchange }: Sim): void {
  let reported = '';
  const look = () => {
    const { liveCalls, deviceCount, roomSnapshots } = exchange;
    const seen = { type: 'seen', calls: liveCalls.length, devices: deviceCount, rooms: roomSnapshots } as const;
    if (reported === JSON.stringify(seen)) return;
    reported = JSON.stringify(seen);
    emit(seen);
  };
  look();
  nodeClock.every(LOOK_MS, look);
}

async function execute(command: ExchangeCommand): Promise<void> {
  switch (command.type) {
    case 'start': {
      const { port, database, users, settings } = command;
      sim = await startSim({ port, database, users, settings, demo: true, ...mediaPathsOf(pathOf) });
      watch(sim);
      return emit({ type: 'ready', port: sim.port });
    }
    case 'forget-calls':
      return sim?.exchange.forgetCalls();
    case 'turn-changed':
      return sim?.exchange.changeTurn();
    case 'revoke':
      return sim?.exchange.revokeSessions(command.user);
    case 'rewritten':
      waiting.get(command.id)?.(command.text);
      waiting.delete(command.id);
      return;
    default:
      return command satisfies never;
  }
}

process.on('message', (command: ExchangeCommand) => void execute(command));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => {
  isStopping = true;
  void Promise.resolve(sim?.close()).then(() => process.exit(0));
});

if (process.argv.includes(WITH_ROOMS)) await import('../../../sim/media/sfu/sfu.ts');
emit({ type: 'loaded' });
