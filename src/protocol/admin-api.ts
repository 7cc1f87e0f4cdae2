/** The requests that show a running exchange to a developer on its machine. Only `ringback sim` and `demo` answer them. */
import * as v from 'valibot';
import { endpoints } from './endpoint.ts';
import { measure } from './entities.ts';

/** The most rows of an answer, and the rows without a `limit`. */
const ADMIN_ROWS = { most: 1_000, default: 100 } as const;

const rows = v.object({
  limit: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,4}$/), v.toNumber(), v.minValue(1), v.maxValue(ADMIN_ROWS.most)),
    String(ADMIN_ROWS.default),
  ),
});

const user = v.object({
  user_id: v.string(),
  nickname: v.string(),
  presence: v.picklist(['online', 'in_call', 'offline']),
  /** The number of connected devices. */
  devices: v.number(),
  /** False: the user has never signed in, so a dial to the user is refused. */
  has_signed_in: v.boolean(),
});

const call = v.object({
  call_id: v.string(),
  caller: v.string(),
  callee: v.string(),
  is_video_call: v.boolean(),
  state: v.picklist(['ringing', 'accepted', 'connected']),
  created_at: measure,
  /** When the call came into its state. */
  since: measure,
  /** How the callee was notified when no device was connected: in the open app, or by push messages. Null before. */
  notified: v.nullable(
    v.variant('by', [v.object({ by: v.literal('app') }), v.object({ by: v.literal('push'), devices: v.number() })]),
  ),
});

export const ADMIN_API = endpoints({
  adminUsers: {
    method: 'GET',
    path: '/admin/users',
    access: 'this machine',
    about: 'Returns the users that this exchange knows, with their connected devices.',
    query: rows,
    answer: v.object({ users: v.array(user), has_more: v.boolean() }),
  },
  adminCalls: {
    method: 'GET',
    path: '/admin/calls',
    access: 'this machine',
    about: 'Returns the live calls of this exchange, oldest first.',
    query: rows,
    answer: v.object({ calls: v.array(call), has_more: v.boolean() }),
  },
});
export type AdminRoute = keyof typeof ADMIN_API;
