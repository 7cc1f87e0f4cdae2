import { each, forGood, type Mend } from '../../../faults/inject-fault.ts';
import { spanOf } from '../../../format/duration.ts';
import { type Selection, selector } from '../../../faults/selection.ts';
import { MEDIA_SERVER, type FaultOf } from '../../../faults/vocabulary.ts';
import type { RelaySettings } from '../../../exchange/settings.ts';
import type { PathQuality } from '../../../virtual/path-quality.ts';
import { concerns } from '../../../faults/message-rule.ts';
import type { FaultPlace } from './place.ts';

const RELAY: RelaySettings = { urls: ['turn:relay.test:3478'], secret: 'of the relay', policy: 'relay' };

/** Returns the names of an actor's devices on the media network. The media server of rooms has its own name. */
const endsOf = (actor: string, devicesOf: FaultPlace['devicesOf']): readonly string[] =>
  actor === MEDIA_SERVER ? [actor] : devicesOf(actor).map(({ name }) => name);

/** Cuts the path of an actor's media, or loses the media of one direction. */
export function breakMedia(
  { actor, way = 'both' }: FaultOf<'media'>,
  { world: { media }, devicesOf }: FaultPlace,
): Mend {
  return each(endsOf(actor, devicesOf), (name) => {
    if (way === 'both') {
      media.cutDevice(name);
      return () => media.restoreDevice(name);
    }
    media.mute(name, way);
    return () => media.unmute(name, way);
  });
}

/** Degrades the path between two users. */
export function worsenPath(fault: FaultOf<'quality'>, { world: { media }, devicesOf }: FaultPlace): Mend {
  const [one, other] = fault.between;
  const spans = { burstMs: spanOf(fault.burst), rttMs: spanOf(fault.rtt), jitterMs: spanOf(fault.jitter) };
  const { loss: lossRate, duplicates, reordered, kbps } = fault;
  const given = Object.entries({ ...spans, lossRate, duplicates, reordered, kbps }).filter(
    ([, value]) => value !== undefined,
  );
  const quality: Partial<PathQuality> = Object.fromEntries(given);
  const pairs = endsOf(one, devicesOf).flatMap((a) => endsOf(other, devicesOf).map((b) => [a, b] as const));
  const mendings = pairs.map(([a, b]) => {
    const former = media.quality(a, b);
    media.setQuality(a, b, quality);
    return () => media.setQuality(a, b, former);
  });
  return () => mendings.forEach((mend) => mend());
}

/** Breaks ICE: the relay, the gathering or the checks. */
export function breakIce(fault: FaultOf<'ice'>, { world, messages, random }: FaultPlace, selection: Selection): Mend {
  const { exchange: cluster, media } = world;
  switch (fault.how) {
    case 'drop-candidates': {
      const isSelected = selector(selection, random);
      const { from, type = 'host' } = fault;
      return messages.add((message) =>
        concerns(message, { from, cmd: 'candidate' }) &&
        message.direction === 'up' &&
        message.text.includes(` typ ${type} `) &&
        isSelected()
          ? 'drop'
          : undefined,
      );
    }
    case 'force-relay':
      for (const exchange of cluster.exchanges) exchange.changeTurn(undefined, RELAY);
      return forGood;
    case 'turn-down':
      media.setRelay(false);
      return () => media.setRelay(true);
    default:
      return fault.how satisfies never;
  }
}
