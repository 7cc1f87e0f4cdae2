import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { deleteCustomItemsBody, putCustomItemsBody, type CustomItemsAnswer } from '../../../src/protocol/http.ts';
import { changeCustomItems } from '../calls/change-custom-items.ts';
import type { Core } from '../core.ts';
import { deleted, upserted, type ItemsChange } from '../calls/custom-items.ts';
import type { DeviceId } from '../directory/sessions.ts';
import type { HttpRequest, HttpResponse } from '../../http/request.ts';
import { authenticated, refuse, readBody } from './request.ts';

/**
 * Handles `PUT /v1/direct_calls/{callId}/custom_items`: adds items to a live or ended call, or replaces those of the
 * same keys.
 *
 * @throws HttpRefusal 400 with `INVALID_PARAMETER_VALUE` and the wrong parameter, also for too many items together.
 *   401. 404 with `ERR_CALL_DOES_NOT_EXIST` when this user has no such call (S20).
 */
export function putCustomItems(core: Core, request: HttpRequest, callId: string): Promise<HttpResponse> {
  const device = authenticated(core, request);
  const { custom_items } = readBody(putCustomItemsBody, request.body);
  return answer(core, device, callId, (items) => upserted(items, custom_items));
}

/**
 * Handles `DELETE /v1/direct_calls/{callId}/custom_items`: deletes some keys, or all.
 * @throws HttpRefusal as putCustomItems.
 */
export function deleteCustomItems(core: Core, request: HttpRequest, callId: string): Promise<HttpResponse> {
  const device = authenticated(core, request);
  const body = readBody(deleteCustomItemsBody, request.body);
  return answer(core, device, callId, (items) => deleted(items, body?.keys));
}

async function answer(
  core: Core,
  device: DeviceId,
  callId: string,
  change: (items: ItemsChange['items']) => ItemsChange,
): Promise<HttpResponse> {
  try {
    const { items, affectedAt, updated, deleted: gone } = await changeCustomItems(core, device, callId, change);
    const body: CustomItemsAnswer = {
      custom_items: { ...items },
      updated: [...updated],
      deleted: [...gone],
      affected_at: affectedAt,
    };
    return { status: 200, body };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw refuse(error.code === ErrorCode.ERR_CALL_DOES_NOT_EXIST ? 404 : 400, error);
  }
}
