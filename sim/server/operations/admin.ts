/** The views of a running exchange for a developer on its machine: its users and its live calls. */
import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { ADMIN_API, type AdminRoute } from '../../../src/protocol/admin-api.ts';
import type { Notified } from '../../product/push/devices.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { openApiOf, type Json } from '../../http/open-api.ts';
import type { HttpResponse } from '../../http/request.ts';
import { SERVED_BUDGETS } from '../../budgets/product-budgets.ts';
import { targetOf } from '../target.ts';
import { isFromThisMachine } from './local-request.ts';

/** The parts of a server that are shown. */
export interface Shown {
  readonly exchange: Pick<Exchange, 'users' | 'snapshots' | 'presenceOf' | 'devicesOf' | 'hasSignedIn'>;
  /** Returns how the callee of a live call was notified. Null without a notification. */
  readonly notifiedOf: (callId: string) => Notified | null;
}

const HEADERS = { 'cache-control': 'no-store' };
const NAMES = Object.keys(ADMIN_API) as AdminRoute[];
const refusal = (status: number, message: string): HttpResponse => ({ status, body: { code: status, message } });

/**
 * Creates the answers to requests for views; they return undefined for any other request. A page of another origin
 * cannot read them: they permit no origin, and the Host header must name this machine.
 *
 * @param server - returns the parts of the server. Null while it starts.
 */
export function createAdmin(server: () => Shown | null): (request: IncomingMessage) => HttpResponse | undefined {
  return (request) => {
    const { path, query } = targetOf(request);
    const name = NAMES.find((one) => ADMIN_API[one].path === path);
    if (name === undefined || request.method !== 'GET') return undefined;
    if (!isFromThisMachine(request) || request.headers.origin !== undefined)
      return refusal(403, 'Only programs of this machine may read this.');
    const shown = server();
    if (!shown) return refusal(503, 'The exchange is starting.');
    const read = v.safeParse(ADMIN_API[name].query, Object.fromEntries(query));
    if (!read.success) return refusal(400, 'limit must be a whole number from 1 to 1000.');
    return { status: 200, body: VIEWS[name](shown, read.output.limit), headers: HEADERS };
  };
}

type Views = {
  readonly [Name in AdminRoute]: (shown: Shown, limit: number) => v.InferInput<(typeof ADMIN_API)[Name]['answer']>;
};

const VIEWS: Views = {
  adminUsers({ exchange }, limit) {
    const { rows, has_more } = first(exchange.users(), limit);
    const users = rows.map(({ user_id, nickname }) => ({
      user_id,
      nickname,
      presence: exchange.presenceOf(user_id),
      devices: exchange.devicesOf(user_id),
      has_signed_in: exchange.hasSignedIn(user_id),
    }));
    return { users, has_more };
  },
  adminCalls({ exchange, notifiedOf }, limit) {
    const { rows, has_more } = first(exchange.snapshots, limit);
    const calls = rows.map(({ callId, caller, callee, isVideoCall, state, createdAt, since }) => ({
      call_id: callId,
      caller,
      callee,
      is_video_call: isVideoCall,
      state,
      created_at: createdAt,
      since,
      notified: notifiedOf(callId),
    }));
    return { calls, has_more };
  },
};

/** Returns the first rows, and whether there are more. Reads no row beyond the next one. */
function first<Row>(all: Iterable<Row>, limit: number): { readonly rows: Row[]; readonly has_more: boolean } {
  const rows: Row[] = [];
  for (const row of all) {
    if (rows.length === limit) return { rows, has_more: true };
    rows.push(row);
  }
  return { rows, has_more: false };
}

/** Returns the OpenAPI document of the views. */
export const adminDocument = (): Json =>
  openApiOf<AdminRoute, string>({
    title: 'Ringback views of a running exchange',
    description:
      'Made from src/protocol/admin-api.ts. Only ringback sim and ringback demo answer, and only programs of the same machine, without an Origin header. A deployment has no such request.',
    names: NAMES,
    endpointOf: (name) => ADMIN_API[name],
    budgetOf: () => SERVED_BUDGETS.admin,
    securitySchemes: {},
    securityOf: () => [],
  });
