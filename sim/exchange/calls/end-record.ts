import * as v from 'valibot';
import { user } from '../../../src/protocol/entities.ts';
import { endResult } from '../../../src/protocol/enumerations.ts';
import type { EndRecord } from './call.ts';

/** A number of milliseconds. */
const time = v.pipe(v.number(), v.finite());

/** The stored form of the record of a call that ended. Another version of ringback may have written it. */
export const endRecord = v.object({
  callId: v.string(),
  isVideoCall: v.boolean(),
  customItems: v.record(v.string(), v.string()),
  itemsAffectedAt: time,
  participants: v.tuple([user, user]),
  createdAt: time,
  startedAt: v.nullable(time),
  endedAt: time,
  endedBy: v.nullable(user),
  duration: time,
  endResult,
}) satisfies v.GenericSchema<unknown, EndRecord>;
