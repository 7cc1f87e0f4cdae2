import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { CustomItemsAnswer } from '../../../src/protocol/http.ts';
import { changeCustomItems } from '../calls/change-custom-items.ts';
import type { Core } from '../core.ts';
import { deleted, upserted, type ItemsChange } from '../calls/custom-items.ts';
import type { DeviceId } from '../directory/sessions.ts';
import type { Asked } from './handlers.ts';
import { refuseWith } from './refusals.ts';

/**
 * Handles `PUT /v1/direct_calls/{callId}/custom_items`: adds items to a live or ended call, or replaces those of the
 * same keys.
 *
 * @throws HttpRefusal 400 with `INVALID_PARAMETER_VALUE` and the wrong parameter, also for too many items together.
 *   401. 404 with `ERR_CALL_DOES_NOT_EXIST` when this user has no such call (S20).
 */
export function putCustomItems(
  core: Core,
  { device, params, body }: Asked<'putCustomItems'>,
): Promise<CustomItemsAnswer> {
  return answer(core, device, params.call_id, (items) => upserted(items, body.custom_items));
}

/**
 * Handles `DELETE /v1/direct_calls/{callId}/custom_items`: deletes some keys, or all.
 * @throws HttpRefusal as putCustomItems.
 */
export function deleteCustomItems(
  core: Core,
  { device, params, body }: Asked<'deleteCustomItems'>,
): Promise<CustomItemsAnswer> {
  return answer(core, device, params.call_id, (items) => deleted(items, body?.keys));
}

async function answer(
  core: Core,
  device: DeviceId,
  callId: string,
  change: (items: ItemsChange['items']) => ItemsChange,
): Promise<CustomItemsAnswer> {
  try {
    const { items, affectedAt, updated, deleted: gone } = await changeCustomItems(core, device, callId, change);
    return {
      custom_items: { ...items },
      updated: [...updated],
      deleted: [...gone],
      affected_at: affectedAt,
    };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw refuseWith(error.code === ErrorCode.ERR_CALL_DOES_NOT_EXIST ? 404 : 400, error);
  }
}
