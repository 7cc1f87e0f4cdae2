/** Applies the faults of a scenario in a real world. */
import { spanOf } from '../../../sim/format/duration.ts';
import { type Fault, type FaultKind, type FaultOf, affectsMessages } from '../../../sim/faults/vocabulary.ts';
import type { FaultEngine } from '../../../sim/faults/fault-engine.ts';
import { type MessageFault, messageRule } from '../../../sim/faults/message-rule.ts';
import type { Selection } from '../../../sim/faults/selection.ts';
import type { VirtualPage } from '../../../sim/virtual/page.ts';
import type { Gate } from './gate.ts';
import type { MediaPaths } from './media-paths.ts';
import type { BreakableDevices } from './real-devices.ts';
import type { WorldExchange } from './world-exchange.ts';
import type { CountedClock } from './scaled-clock.ts';

/** The parts of a device that can fail. */
export interface BreakableDevice {
  readonly channelGate: Gate;
  readonly httpGate: Gate;
  readonly platform: {
    readonly devices: Pick<BreakableDevices, 'fail'>;
    readonly page: Pick<VirtualPage, 'go' | 'goOnline'>;
    readonly clock: Pick<CountedClock, 'skewWall'>;
  };
}

interface Broken {
  readonly exchange: Pick<WorldExchange, 'forgetCalls' | 'changeTurn' | 'revokeSessions' | 'stop'>;
  readonly paths: MediaPaths;
  readonly messages: Pick<FaultEngine, 'add'>;
  /** Returns every device of an actor by name. For the name of a device, only that device. */
  readonly devicesOf: (actor: string) => ReadonlyMap<string, BreakableDevice>;
  /** The source of chance of this fault. */
  readonly random: () => number;
}

/** Applies the fault. Returns the function that ends it. Undefined when it is not supported. */
type Breaker<K extends FaultKind> = (
  fault: FaultOf<K>,
  broken: Broken,
  selection: Selection,
) => (() => void) | undefined;

const onMessages = (fault: MessageFault, { messages, random }: Broken, selection: Selection) =>
  messages.add(messageRule(fault, selection, { random }));

const SOCKET_MODES = {
  vanish: 'stalled',
  stall: 'stalled',
  refuse: 'down',
  unauthorized: 401,
  unavailable: 503,
} as const;

const cutSignalling = (actor: string, broken: Broken) =>
  each(broken, actor, ({ channelGate, httpGate, platform: { page } }) => {
    for (const gate of [channelGate, httpGate]) {
      gate.set('down');
      gate.reset();
    }
    return () => {
      for (const gate of [channelGate, httpGate]) gate.set('up');
      page.goOnline();
    };
  });

const cutMedia = (actor: string, broken: Broken) =>
  each(broken, actor, (_device, name) => {
    broken.paths.cut(name);
    return () => broken.paths.restore(name);
  });

/** Applies each kind of fault to real sockets and real media. */
const BREAKERS: { readonly [K in FaultKind]?: Breaker<K> } = {
  drop: onMessages,
  delay: onMessages,
  duplicate: onMessages,
  replay: onMessages,
  corrupt: onMessages,
  truncate: onMessages,
  'wrong-request-id': onMessages,
  refuse: onMessages,
  ws: ({ actor, how }, broken) => {
    if (how !== 'reset' && !(how in SOCKET_MODES)) return undefined;
    return each(broken, actor, ({ channelGate }) => {
      if (how !== 'reset') channelGate.set(SOCKET_MODES[how as keyof typeof SOCKET_MODES]);
      if (how !== 'stall') channelGate.reset();
      return () => channelGate.set('up');
    });
  },
  http: ({ actor, how, request }, broken) => {
    if ((how !== 'vanish' && how !== 'stall') || request !== undefined) return undefined;
    return each(broken, actor, ({ httpGate }) => {
      httpGate.set(how === 'vanish' ? 'down' : 'stalled');
      if (how === 'vanish') httpGate.reset();
      return () => httpGate.set('up');
    });
  },
  network: ({ actor }, broken) => cutSignalling(actor, broken),
  offline: ({ actor }, broken) => {
    const mendings = [cutMedia(actor, broken), cutSignalling(actor, broken)];
    return () => mendings.forEach((mend) => mend());
  },
  media: ({ actor, way = 'both' }, broken) => (way === 'both' ? cutMedia(actor, broken) : undefined),
  quality: ({ between: [a, b], loss = 0, rtt, jitter, burst, duplicates, reordered, kbps }, { paths }) => {
    if ([burst, duplicates, reordered, kbps].some((value) => value !== undefined)) return undefined;
    const former = paths.quality(a, b);
    paths.setQuality(a, b, { lossRate: loss, rttMs: spanOf(rtt) ?? 0, jitterMs: spanOf(jitter) ?? 0 });
    return () => paths.setQuality(a, b, former);
  },
  device: ({ actor, what, error }, broken) =>
    each(broken, actor, ({ platform: { devices } }) => devices.fail(what, error)),
  server: ({ how, user = '' }, { exchange }) => {
    if (how === 'forget-calls') exchange.forgetCalls();
    else if (how === 'turn-changed') exchange.changeTurn();
    else if (how === 'revoke') exchange.revokeSessions(user);
    else if (how === 'restart' || how === 'crash' || how === 'wipe') return exchange.stop?.(how);
    else return undefined;
    return () => undefined;
  },
  page: ({ actor, state }, broken) =>
    each(broken, actor, ({ platform: { page } }) => {
      page.go(state);
      return () => page.go('active');
    }),
  clock: ({ by, back }, broken) => {
    const ms = (spanOf(by) ?? 0) * (back ? -1 : 1);
    const clocks = [...broken.devicesOf('').values()].map(({ platform: { clock } }) => clock);
    for (const clock of clocks) clock.skewWall(ms);
    return () => {
      for (const clock of clocks) clock.skewWall(-ms);
    };
  },
};

/** Returns whether faults of this kind are supported. */
export const canBreak = (kind: FaultKind): boolean => kind in BREAKERS;

/** Injects a fault. Returns the function that ends it. Undefined when this world cannot inject faults of the kind. */
export function breakReally(fault: Fault, selection: Selection, broken: Broken): (() => void) | undefined {
  // A fault without messages draws its probability once, not for each message.
  if (!affectsMessages(fault.kind) && selection.p !== undefined && broken.random() >= selection.p)
    return () => undefined;
  // The table pairs each kind with a breaker for faults of that kind.
  const breaker = BREAKERS[fault.kind] as Breaker<FaultKind> | undefined;
  return breaker?.(fault, broken, selection);
}

function each(
  { devicesOf }: Broken,
  actor: string,
  harm: (device: BreakableDevice, name: string) => () => void,
): () => void {
  const mendings = [...devicesOf(actor)].map(([name, device]) => harm(device, name));
  return () => mendings.forEach((mend) => mend());
}
