import { packSdp } from '../../../src/protocol/sdp-codec.ts';
import type { CandidatePayload } from '../../../src/protocol/entities.ts';
import type { CommandPayload } from '../../../src/protocol/messages/commands.ts';
import type { ServerEvent } from '../../../src/protocol/messages/events.ts';
import { otherLeg, type Call, type Leg } from './call.ts';
import type { Core } from '../core.ts';
import { signal } from '../delivery/deliver.ts';

/** Passes something on to the other side of the call, if there is one by now. */
export function passOn(core: Core, call: Call, from: Leg, event: ServerEvent): void {
  core.live?.changed(call);
  const other = otherLeg(call, from);
  if (other && other.outcome === null) signal(core, other, event);
}

/** Passes an offer or answer on, led by the media path. `sdp` is the text of the packed one. */
export function passDescription(
  core: Core,
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

/** Passes a candidate on, led by the media path, which may drop it. */
export function passCandidate(core: Core, call: Call, from: Leg, payload: CommandPayload<'candidate'>): void {
  if (!call.path) return passOn(core, call, from, { cmd: 'SGNL', type: 'candidate', payload });
  inOrder(core, call, from, async () => {
    const [candidate] = await led(call, from, [payload.candidate]);
    if (candidate) passOn(core, call, from, { cmd: 'SGNL', type: 'candidate', payload: { ...payload, candidate } });
  });
}

/** Passes on which candidates are gone, as the other side knows them. */
export function passRemoval(core: Core, call: Call, from: Leg, payload: CommandPayload<'remove_candidates'>): void {
  if (!call.path) return passOn(core, call, from, { cmd: 'SGNL', type: 'remove_candidates', payload });
  inOrder(core, call, from, async () => {
    const candidates = await led(call, from, payload.candidates);
    if (candidates.length === 0) return;
    passOn(core, call, from, { cmd: 'SGNL', type: 'remove_candidates', payload: { ...payload, candidates } });
  });
}

/** The candidates as they look behind the media path; those it drops are left out. */
async function led(call: Call, from: Leg, candidates: readonly CandidatePayload[]): Promise<CandidatePayload[]> {
  const rewritten = await Promise.all(
    candidates.map(async (candidate) => {
      const sdp = await call.path?.rewriteCandidate(candidate.sdp, from.side);
      return sdp === null || sdp === undefined ? [] : [{ ...candidate, sdp }];
    }),
  );
  return rewritten.flat();
}

/** A media path takes its time, and nothing may overtake on the way: one chain a direction. */
function inOrder(core: Core, call: Call, from: Leg, pass: () => void | Promise<void>): void {
  call.relays[from.side] = call.relays[from.side].then(pass).catch((error: unknown) => {
    core.log.error('the media path failed', { call: call.id, side: from.side, error });
  });
}
