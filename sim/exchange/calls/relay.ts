import { packSdp } from '../../../src/protocol/sdp-codec.ts';
import type { CandidatePayload } from '../../../src/protocol/entities.ts';
import type { CommandPayload } from '../../../src/protocol/messages/commands.ts';
import type { ServerEvent } from '../../../src/protocol/messages/events.ts';
import { otherLeg, type Call, type Leg } from './call.ts';
import type { Core } from '../core.ts';
import { signal, type Delivery } from '../delivery/deliver.ts';

type Needs = Delivery & Pick<Core, 'live' | 'log'>;

/** Relays an event to the other side of the call, which has changed. Does nothing before another side is known. */
export function passOn(core: Needs, call: Call, from: Leg, event: ServerEvent): void {
  core.live?.changed(call);
  send(core, call, from, event);
}

/** Relays an event that changes nothing of the call. */
function relay(core: Needs, call: Call, from: Leg, event: ServerEvent): void {
  core.live?.relayed(call);
  send(core, call, from, event);
}

function send(core: Delivery, call: Call, from: Leg, event: ServerEvent): void {
  const other = otherLeg(call, from);
  if (other && other.outcome === null) signal(core, other, event);
}

/** Relays an offer or answer through the media path. `sdp` is the unpacked text. */
export function passDescription(
  core: Needs,
  call: Call,
  from: Leg,
  type: 'offer' | 'answer',
  payload: CommandPayload<'offer'>,
  sdp: string,
): void {
  const { path } = call;
  if (!path) return passOn(core, call, from, { cmd: 'SGNL', type, payload });
  inOrder(core, call, from, async () => {
    const rewritten = packSdp(await path.rewriteSdp(sdp, from.side));
    passOn(core, call, from, { cmd: 'SGNL', type, payload: { ...payload, sdp: rewritten } });
  });
}

/** Relays a candidate through the media path, which may drop it. */
export function passCandidate(core: Needs, call: Call, from: Leg, payload: CommandPayload<'candidate'>): void {
  if (!call.path) return relay(core, call, from, { cmd: 'SGNL', type: 'candidate', payload });
  inOrder(core, call, from, async () => {
    const [candidate] = await led(call, from, [payload.candidate]);
    if (candidate) relay(core, call, from, { cmd: 'SGNL', type: 'candidate', payload: { ...payload, candidate } });
  });
}

/** Relays which candidates were removed, in the form that the other side knows. */
export function passRemoval(core: Needs, call: Call, from: Leg, payload: CommandPayload<'remove_candidates'>): void {
  if (!call.path) return relay(core, call, from, { cmd: 'SGNL', type: 'remove_candidates', payload });
  inOrder(core, call, from, async () => {
    const candidates = await led(call, from, payload.candidates);
    if (candidates.length === 0) return;
    relay(core, call, from, { cmd: 'SGNL', type: 'remove_candidates', payload: { ...payload, candidates } });
  });
}

/** Returns the candidates as the media path rewrites them, without those it drops. */
async function led(call: Call, from: Leg, candidates: readonly CandidatePayload[]): Promise<CandidatePayload[]> {
  const rewritten = await Promise.all(
    candidates.map(async (candidate) => {
      const sdp = await call.path?.rewriteCandidate(candidate.sdp, from.side);
      return sdp === null || sdp === undefined ? [] : [{ ...candidate, sdp }];
    }),
  );
  return rewritten.flat();
}

/** Runs a relay step in order. A media path is asynchronous, and each direction is one chain. */
function inOrder(core: Needs, call: Call, from: Leg, pass: () => void | Promise<void>): void {
  const last = call.relays[from.side] ?? Promise.resolve();
  call.relays[from.side] = last.then(pass).catch((error: unknown) => {
    core.log.error('the media path failed', { call: call.id, side: from.side, error });
  });
}
