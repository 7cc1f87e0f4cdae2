/** The faults of the worlds with real sockets and real media. */
import { spanOf } from '../../../sim/format/duration.ts';
import {
  each,
  type FaultSite,
  type FaultTarget,
  forGood,
  MESSAGE_FAULTS,
  type Mend,
  notInThisWorld,
} from '../../../sim/faults/inject-fault.ts';
import { type FaultKind, MEDIA_SERVER } from '../../../sim/faults/vocabulary.ts';
import type { VirtualPage } from '../../../sim/virtual/page.ts';
import type { Gate } from './gate.ts';
import type { MediaPaths } from './media-paths.ts';
import type { BreakableDevices } from './real-devices.ts';
import type { WorldExchange } from './world-exchange.ts';
import type { CountedClock } from './scaled-clock.ts';

/** The parts of a device that can fail. */
export interface BreakableDevice {
  readonly channelGate: Pick<Gate, 'set' | 'reset'>;
  readonly httpGate: Pick<Gate, 'set' | 'reset'>;
  readonly platform: {
    readonly devices: Pick<BreakableDevices, 'fail'>;
    readonly page: Pick<VirtualPage, 'go' | 'goOnline'>;
    readonly clock: Pick<CountedClock, 'skewWall'>;
  };
}

export interface RealSite extends FaultSite {
  readonly exchange: Pick<WorldExchange, 'forgetCalls' | 'changeTurn' | 'revokeSessions' | 'stop'>;
  readonly paths: MediaPaths;
  /** Returns every device of an actor by name. For the name of a device, only that device. */
  readonly devicesOf: (actor: string) => ReadonlyMap<string, BreakableDevice>;
}

const SOCKET_MODES = {
  vanish: 'stalled',
  stall: 'stalled',
  refuse: 'down',
  unauthorized: 401,
  unavailable: 503,
} as const;

const cutSignalling = (actor: string, site: RealSite): Mend =>
  each(site.devicesOf(actor).values(), ({ channelGate, httpGate, platform: { page } }) => {
    for (const gate of [channelGate, httpGate]) {
      gate.set('down');
      gate.reset();
    }
    return () => {
      for (const gate of [channelGate, httpGate]) gate.set('up');
      page.goOnline();
    };
  });

/** Returns the ends of media paths that belong to an actor: its devices, or the media server. */
const endsOf = (actor: string, { devicesOf }: RealSite): readonly string[] =>
  actor === MEDIA_SERVER ? [actor] : [...devicesOf(actor).keys()];

const cutMedia = (actor: string, site: RealSite): Mend =>
  each(endsOf(actor, site), (name) => {
    site.paths.cut(name);
    return () => site.paths.restore(name);
  });

/** Applies each kind of fault to real sockets and real media. A variant without support returns undefined. */
export const REAL_FAULTS: FaultTarget<RealSite, Mend | undefined> = {
  ...MESSAGE_FAULTS,
  reorder: notInThisWorld,
  forge: notInThisWorld,
  ice: notInThisWorld,
  unplug: notInThisWorld,
  throttle: notInThisWorld,
  sleep: notInThisWorld,
  node: notInThisWorld,
  state: notInThisWorld,
  bus: notInThisWorld,
  ws: ({ actor, how }, site) => {
    if (how !== 'reset' && !(how in SOCKET_MODES)) return undefined;
    return each(site.devicesOf(actor).values(), ({ channelGate }) => {
      if (how !== 'reset') channelGate.set(SOCKET_MODES[how as keyof typeof SOCKET_MODES]);
      if (how !== 'stall') channelGate.reset();
      return () => channelGate.set('up');
    });
  },
  http: ({ actor, how, request }, site) => {
    if ((how !== 'vanish' && how !== 'stall') || request !== undefined) return undefined;
    return each(site.devicesOf(actor).values(), ({ httpGate }) => {
      httpGate.set(how === 'vanish' ? 'down' : 'stalled');
      if (how === 'vanish') httpGate.reset();
      return () => httpGate.set('up');
    });
  },
  network: ({ actor }, site) => cutSignalling(actor, site),
  offline: ({ actor }, site) => {
    const mendings = [cutMedia(actor, site), cutSignalling(actor, site)];
    return () => mendings.forEach((mend) => mend());
  },
  media: ({ actor, way = 'both' }, site) => (way === 'both' ? cutMedia(actor, site) : undefined),
  quality: ({ between: [one, other], loss = 0, rtt, jitter, burst, duplicates, reordered, kbps }, site) => {
    if ([burst, duplicates, reordered, kbps].some((value) => value !== undefined)) return undefined;
    const { paths } = site;
    const quality = { lossRate: loss, rttMs: spanOf(rtt) ?? 0, jitterMs: spanOf(jitter) ?? 0 };
    const pairs = endsOf(one, site).flatMap((a) => endsOf(other, site).map((b) => [a, b] as const));
    return each(pairs, ([a, b]) => {
      const former = paths.quality(a, b);
      paths.setQuality(a, b, quality);
      return () => paths.setQuality(a, b, former);
    });
  },
  device: ({ actor, what, error }, site) =>
    each(site.devicesOf(actor).values(), ({ platform: { devices } }) => devices.fail(what, error)),
  server: ({ how, user = '' }, { exchange }) => {
    if (how === 'forget-calls') exchange.forgetCalls();
    else if (how === 'turn-changed') exchange.changeTurn();
    else if (how === 'revoke') exchange.revokeSessions(user);
    else if (how === 'restart' || how === 'crash' || how === 'wipe') return exchange.stop?.(how);
    else return undefined;
    return forGood;
  },
  page: ({ actor, state }, site) =>
    each(site.devicesOf(actor).values(), ({ platform: { page } }) => {
      page.go(state);
      return () => page.go('active');
    }),
  clock: ({ by, back }, site) => {
    const ms = (spanOf(by) ?? 0) * (back ? -1 : 1);
    const clocks = [...site.devicesOf('').values()].map(({ platform: { clock } }) => clock);
    for (const clock of clocks) clock.skewWall(ms);
    return () => {
      for (const clock of clocks) clock.skewWall(-ms);
    };
  },
};

/** What real sockets and media support of the kinds that they support in part. */
const IN_PART: Readonly<Partial<Record<FaultKind, string>>> = {
  ws: `how can be reset, ${Object.keys(SOCKET_MODES).join(', ')}`,
  http: 'how can be vanish, stall, without a request',
  media: 'way can be both',
  quality: 'it can have loss, rtt, jitter',
  server: 'how can be restart, forget-calls, turn-changed, revoke',
};

/** Returns what can be used in place of a fault without support. */
export function supportedInstead({ kind }: { readonly kind: FaultKind }): string {
  const kinds = Object.entries(REAL_FAULTS).flatMap(([name, apply]) => (apply === notInThisWorld ? [] : [name]));
  return IN_PART[kind] ?? `supported kinds are ${kinds.join(', ')}`;
}
