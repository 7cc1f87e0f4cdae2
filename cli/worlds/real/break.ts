/** Breaks what a fault says in a real world. */
import { spanOf } from '../../../sim/scenario/format/duration.ts';
import type { Fault } from '../../../sim/scenario/format/tree.ts';
import type { Strikes } from '../../../sim/scenario/run/world.ts';
import { messageRule } from '../../../sim/scenario/virtual/message-rule.ts';
import type { Exchange } from '../../../sim/exchange/exchange.ts';
import type { MediaPaths } from './media-paths.ts';
import type { RealDevice } from './real-device.ts';
import type { Rule } from './wire.ts';

interface Broken {
  readonly exchange: Exchange;
  readonly paths: MediaPaths;
  readonly rules: Set<Rule>;
  /** Every device of an actor by its name; the one device where the name is a device's. */
  readonly devicesOf: (actor: string) => ReadonlyMap<string, RealDevice>;
}

type Kind = Fault['kind'];
type Breaker<K extends Kind> = (fault: Extract<Fault, { kind: K }>, broken: Broken, strikes: Strikes) => () => void;

const struck = (fault: Parameters<typeof messageRule>[0], { rules }: Broken, strikes: Strikes) => {
  const rule = messageRule(fault, strikes);
  rules.add(rule);
  return () => void rules.delete(rule);
};

const SOCKET_MODES = {
  vanish: 'stalled',
  stall: 'stalled',
  refuse: 'down',
  unauthorized: 401,
  unavailable: 503,
} as const;

/** How each kind of fault is done on real sockets and real media. */
const BREAKERS: { readonly [K in Kind]?: Breaker<K> } = {
  drop: struck,
  delay: struck,
  duplicate: struck,
  corrupt: struck,
  ws: ({ actor, how }, broken) =>
    each(broken, actor, ({ channelGate }) => {
      if (how !== 'reset') channelGate.set(SOCKET_MODES[how]);
      if (how !== 'stall') channelGate.reset();
      return () => channelGate.set('up');
    }),
  http: ({ actor, how }, broken) =>
    each(broken, actor, ({ httpGate }) => {
      httpGate.set(how === 'vanish' ? 'down' : 'stalled');
      if (how === 'vanish') httpGate.reset();
      return () => httpGate.set('up');
    }),
  network: ({ actor }, broken) =>
    each(broken, actor, ({ channelGate, httpGate, platform: { page } }) => {
      for (const gate of [channelGate, httpGate]) {
        gate.set('down');
        gate.reset();
      }
      return () => {
        for (const gate of [channelGate, httpGate]) gate.set('up');
        page.goOnline();
      };
    }),
  media: ({ actor }, broken) =>
    each(broken, actor, (_device, name) => {
      broken.paths.cut(name);
      return () => broken.paths.restore(name);
    }),
  quality: ({ between: [a, b], loss = 0, rtt, jitter }, { paths }) => {
    const former = paths.quality(a, b);
    paths.setQuality(a, b, { lossRate: loss, rttMs: spanOf(rtt) ?? 0, jitterMs: spanOf(jitter) ?? 0 });
    return () => paths.setQuality(a, b, former);
  },
  device: ({ actor, what, error }, broken) =>
    each(broken, actor, ({ platform: { devices } }) => devices.fail(what, error)),
  server: ({ how, user = '' }, { exchange }) => {
    if (how === 'forget-calls') exchange.forgetCalls();
    else if (how === 'turn-changed') exchange.changeTurn();
    else exchange.revokeSessions(user);
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

/** Whether faults of this kind can be done here. */
export const canBreak = (kind: Kind): boolean => kind in BREAKERS;

/** Returns the mending; undefined where faults of this kind cannot be done here. */
export function breakReally(fault: Fault, strikes: Strikes, broken: Broken): (() => void) | undefined {
  // The breaker under a kind takes the faults of that kind: the table says so, row by row.
  const breaker = BREAKERS[fault.kind] as Breaker<Kind> | undefined;
  return breaker?.(fault, broken, strikes);
}

function each(
  { devicesOf }: Broken,
  actor: string,
  harm: (device: RealDevice, name: string) => () => void,
): () => void {
  const mendings = [...devicesOf(actor)].map(([name, device]) => harm(device, name));
  return () => mendings.forEach((mend) => mend());
}
