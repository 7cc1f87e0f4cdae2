/** Blocking a user, and reporting a user to the operator. */
import * as v from 'valibot';
import { endpoints } from '../endpoint.ts';
import { done, pageOf, pageQuery, time, userId } from './values.ts';

export const REPORT_NOTE_CHARACTERS = 500;

export const reportReason = v.picklist(['harassment', 'fake', 'underage', 'scam', 'sexual', 'other']);
export type ReportReason = v.InferOutput<typeof reportReason>;

/** A blocked user. */
const blocked = v.object({ u_id: v.string(), nickname: v.string(), profile_url: v.string(), at: time });

export const safetyEndpoints = endpoints({
  blocks: {
    method: 'GET',
    path: '/blocks',
    access: 'user',
    about: 'Lists the users that the user has blocked, the latest first.',
    query: v.strictObject(pageQuery),
    answer: pageOf(blocked),
  },
  block: {
    method: 'POST',
    path: '/blocks',
    access: 'user',
    about: 'Blocks a user: hides the two users from each other, and ends a call between them.',
    body: v.strictObject({ u_id: userId }),
    answer: done,
  },
  unblock: {
    method: 'DELETE',
    path: '/blocks/{u_id}',
    access: 'user',
    about: 'Removes the block of the user. A block by the other user stays.',
    answer: done,
  },
  report: {
    method: 'POST',
    path: '/reports',
    access: 'user',
    about: 'Reports a user to the operator. Three reporters in a day start a review of the user.',
    body: v.strictObject({
      u_id: userId,
      reason: reportReason,
      note: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(REPORT_NOTE_CHARACTERS)), ''),
    }),
    answer: done,
  },
});
