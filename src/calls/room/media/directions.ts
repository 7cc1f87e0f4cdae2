/** The tracks of the endpoints of a room. */
import type { EndpointDirections } from '../../../protocol/room-directions.ts';
import type { TrackPlan } from '../../peer/track-plan.ts';

/** Returns the tracks of an endpoint in the order of its offer. An inactive kind has no section. */
export function planOf(directions: EndpointDirections): TrackPlan {
  return (['audio', 'video'] as const).flatMap((kind) => {
    const direction = directions[kind];
    return direction === 'inactive' ? [] : [{ kind, direction }];
  });
}
