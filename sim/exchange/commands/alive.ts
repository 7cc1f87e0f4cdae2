import { LIMITS } from '../../../src/protocol/limits.ts';
import type { ReplyPayload } from '../../../src/protocol/messages/replies.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../directory/sessions.ts';
import type { Unended } from '../participations.ts';
import { findLeg, type FindNeeds, type Handler } from './handler.ts';

/** Answers a sign of life of a leg. {@link findLeg} records it (D13). */
export const alive: Handler<'alive', FindNeeds> = (core, from, { call_id }) => {
  findLeg(core, from, call_id);
  return { call_id, alive_at: core.clock.wallTime() };
};

/** The most characters of the list. At up to three bytes each it fits into a frame. */
const LIST_CHARS = LIMITS.frameBytes / 4;

/**
 * Lists the calls that are not over for this device (§4, after a reconnect of the channel). Accepted calls come first,
 * so that ringing calls cannot crowd them out of the reply.
 */
export const unendedCalls: Handler<'unended_calls', Pick<Core, 'participations'>> = (core, from) => {
  return listOf(unendedHere(core, from));
};

/** Returns what is not over for a device at this exchange. */
export const unendedHere = ({ participations }: Pick<Core, 'participations'>, device: DeviceId): Unended[] =>
  participations.flatMap((one) => one.unended(device));

/** Returns the reply with as many entries as fit. */
export function listOf(unended: readonly Unended[]): ReplyPayload<'unended_calls'> {
  let left = LIST_CHARS;
  const calls = [...unended.filter(({ isRinging }) => !isRinging), ...unended.filter(({ isRinging }) => isRinging)]
    .map(({ entry }) => entry)
    .filter((entry) => (left -= JSON.stringify(entry).length) >= 0);
  return { calls };
}
