/** The generation of a scenario from a seed: one call, the actions of its users, and the faults during it. */
import { isAnsweredOnWire } from '../format/actions.ts';
import type { Span } from '../../format/duration.ts';
import { type Draw, drawFrom, type Drawn, type DrawnFault as Fault, PLACE } from './draw.ts';
import { nodeNames, type Scenario, type Step } from '../format/tree.ts';
import { drawNodeFault } from './draw-node-fault.ts';

/** Waits that end before, at and after the timers of a call. */
const WAITS: readonly Span[] = [
  '1ms',
  '2ms',
  '4ms',
  '8ms',
  '20ms',
  '100ms',
  '1s',
  '2500ms',
  '4s',
  '9s',
  '18s',
  '31s',
  '61s',
];
/** Waits before and after the ring, and the media, of an undisturbed call. */
const UNTIL_RING: readonly Span[] = ['2ms', '8ms', '20ms', '1s'];
const UNTIL_CONNECTED: readonly Span[] = ['8ms', '100ms', '1s', '9s'];
/** How long a fault lasts. */
export const LASTING: readonly Span[] = ['20ms', '500ms', '3s', '9s', '20s', '40s'];
const ACTIONS = ['mute', 'unmute', 'stopVideo', 'startVideo', 'hold', 'unhold', 'startScreenShare', 'stopScreenShare'];
const MESSAGES = [
  'dial',
  'dial_rcv',
  'accept',
  'offer',
  'answer',
  'candidate',
  'audio',
  'video',
  'connected',
  'hold',
  'end',
  'cancel',
  'decline',
];
const FEWEST = 3;
const MOST = 14;
/** The share of faults of nodes among the faults of an exchange with several nodes. */
const OF_NODES = 0.6;

/**
 * Returns the scenario of this seed. The same seed gives the same scenario.
 *
 * @param nodes - the nodes of the exchange. With several, some of the faults are theirs. Default: 1.
 */
export function drawCall(seed: number, nodes = 1): Scenario {
  const draw = drawFrom(seed);
  const { random, pick, chance } = draw;
  const devices = chance(0.3) ? ['bob.phone', 'bob.laptop'] : ['bob'];
  const actors = ['alice', ...devices];
  const steps: Step[] = [];
  const add = (step: Drawn) => void steps.push({ ...step, place: PLACE });
  // A drawn action may happen at any moment, also when it has no effect, and it may be refused.
  const act = (actor: string, action: string) =>
    add({
      verb: 'do',
      do: `${actor}.${action}`,
      idle: true,
      ...(isAnsweredOnWire(action) ? { waits: false } : {}),
    });

  const names = nodeNames({ nodes });
  const addFault = () => {
    const fault =
      nodes > 1 && chance(OF_NODES) ? drawNodeFault(draw, names, LASTING) : { fault: drawCallFault(draw, actors) };
    add({ verb: 'fault', ...fault, until: pick(LASTING) });
  };

  if (chance(0.3)) addFault();
  add({ verb: 'do', do: 'alice.dial', with: { callee: 'bob', video: chance(0.6) } });
  if (nodes > 1) {
    // Most calls are set up, since most of what a cluster does with a call comes after that.
    add({ verb: 'wait', wait: pick(UNTIL_RING) });
    if (chance(0.3)) addFault();
    if (chance(0.3)) add({ verb: 'wait', wait: pick(WAITS) });
    if (chance(0.8)) act(pick(devices), 'accept');
    if (chance(0.7)) add({ verb: 'wait', wait: pick(UNTIL_CONNECTED) });
  }
  const count = FEWEST + Math.floor(random() * (MOST - FEWEST));
  for (let step = 0; step < count; step += 1) {
    const share = random();
    if (share < 0.35) add({ verb: 'wait', wait: pick(WAITS) });
    else if (share < 0.55) act(pick(devices), pick(['accept', 'accept', 'accept', 'decline']));
    else if (share < 0.75) addFault();
    else if (share < 0.85) act(pick(actors), pick(ACTIONS));
    else if (share < 0.92) act(pick(actors), 'end');
    else add({ verb: 'wait', wait: pick(WAITS) });
  }
  return {
    scenario: `found/seed-${seed}`,
    file: `seed ${seed}`,
    spec: [],
    tags: ['found'],
    worlds: {},
    seed,
    actors: {
      alice: { user: 'alice', online: true },
      bob: { user: 'bob', online: true, ...(devices.length > 1 ? { devices: ['phone', 'laptop'] } : {}) },
    },
    timers: {},
    ...(nodes > 1 ? { nodes } : {}),
    steps,
  };
}

/** Returns a fault of one of these actors, or of the exchange. */
export function drawCallFault({ random, pick, chance }: Draw, actors: readonly string[]): Fault {
  const actor = pick(actors);
  const message = { ...(chance(0.5) ? { from: actor } : { to: actor }), cmd: pick(MESSAGES) };
  switch (Math.floor(random() * 8)) {
    case 0:
      return { kind: 'delay', ...message, by: pick(LASTING) };
    case 1:
      return { kind: 'duplicate', ...message, copies: 2 };
    case 2:
      return { kind: 'ws', actor, how: pick(['reset', 'vanish', 'stall', 'refuse', 'unavailable'] as const) };
    case 3:
      return { kind: 'http', actor, how: pick(['vanish', 'stall'] as const) };
    case 4:
      return { kind: pick(['network', 'offline'] as const), actor };
    case 5:
      return { kind: 'media', actor };
    case 6:
      return { kind: 'device', actor, what: pick(['audio', 'video', 'display'] as const), error: 'NotFoundError' };
    default:
      return { kind: 'server', how: pick(['forget-calls', 'turn-changed'] as const) };
  }
}
