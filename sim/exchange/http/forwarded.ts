/** Requests about a call over HTTP that reached another node than the one that owns the call. */
import * as v from 'valibot';
import type { CallingRoute } from '../../../src/protocol/calling-api.ts';
import { HttpRefusal } from '../../http/http-refusal.ts';
import type { HttpResponse } from '../../http/request.ts';
import type { CallRequest, CommandOwner } from '../cluster.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { statsLogs } from './client-logs.ts';
import { deleteCustomItems, putCustomItems } from './custom-items.ts';
import type { Asked } from './handlers.ts';
import { missedSignalsHere } from './missed-signals.ts';
import { summary } from './summary.ts';

/** The requests that the owner of a call answers. Any node answers the others. */
const OF_OWNER = { missedSignals: missedSignalsHere, summary, statsLogs, putCustomItems, deleteCustomItems };
type OwnerRoute = keyof typeof OF_OWNER;

const isOfOwner = (route: CallingRoute): route is OwnerRoute => Object.hasOwn(OF_OWNER, route);

const aboutCall = v.looseObject({ call_id: v.string() });
const statsOfCall = v.looseObject({ log_data: aboutCall });

/** The parts of a request that was read. */
interface Parts {
  readonly params: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Returns the owner that must answer a request about one call. Null when this node answers it. */
export function ownerOfRequest(core: Core, route: CallingRoute, { params, body }: Parts): CommandOwner | null {
  if (!isOfOwner(route)) return null;
  if (v.is(aboutCall, params)) return core.ownerOf(params.call_id);
  return v.is(statsOfCall, body) ? core.ownerOf(body.log_data.call_id) : null;
}

/** Returns the answer of the owner. Null when this node answers: it has become the owner. */
export async function askOwner(
  owner: CommandOwner,
  device: DeviceId,
  { route, params, query, body }: Parts & { readonly route: CallingRoute },
): Promise<HttpResponse | null> {
  return (await owner.request?.(device, { route, params, query, body })) ?? null;
}

/** Answers a request that another node has received, authorized and read. Never rejects. */
export async function answerForwarded(
  core: Core,
  device: DeviceId,
  { route, params, query, body }: CallRequest,
): Promise<{ readonly status: number; readonly body: unknown }> {
  if (!isOfOwner(route)) return { status: 404, body: null };
  const handle: (core: Core, asked: never) => unknown = OF_OWNER[route];
  // The other node has read the request by the same schemas.
  const asked = { device, head: FORWARDED, params, query, body };
  try {
    const answer = await handle(core, asked as never);
    await core.outbox.passed();
    return { status: 200, body: answer };
  } catch (error) {
    if (error instanceof HttpRefusal) return { status: error.response.status, body: error.response.body };
    core.log.error('a forwarded request failed', { request: route, error });
    return { status: 500, body: null };
  }
}

/** The head of a forwarded request. The routes above read nothing of it. */
const FORWARDED: Asked<'summary'>['head'] = { method: '', path: '', query: {}, headers: {}, address: '' };
