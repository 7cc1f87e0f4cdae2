import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { ServerEvent } from '../../../src/protocol/messages/events.ts';
import { liveLegs, type Call } from './call.ts';
import type { Core } from '../core.ts';
import type { CustomItems, ItemsChange } from './custom-items.ts';
import { notify, signal, type Delivery } from '../delivery/deliver.ts';
import type { DeviceId } from '../directory/sessions.ts';

type Needs = Delivery & Pick<Core, 'calls' | 'clock' | 'devices' | 'live' | 'store' | 'writeQueue'>;

type Changed = ItemsChange & CustomItems;

/** Attempts against concurrent changes of the same call. */
const TRIES = 10;

/**
 * Changes the custom items of a live or ended call. Notifies the other side and the user's other devices when the items
 * differ.
 *
 * @throws CallError `ERR_CALL_DOES_NOT_EXIST` when the call is not there, or the user has no part in it. One answer
 *   covers both (S20). Also what `change` throws.
 */
export async function changeCustomItems(
  core: Needs,
  by: DeviceId,
  callId: string,
  change: (items: CustomItems['items']) => ItemsChange,
): Promise<Changed> {
  const call = core.calls.get(callId);
  if (!call || call.state.name === 'ended') return changeEnded(core, by, callId, change);
  const userIds = [call.callerUser.user_id, call.calleeUser.user_id];
  if (!userIds.includes(by.userId)) throw new CallError(ErrorCode.ERR_CALL_DOES_NOT_EXIST);
  const before = { items: call.customItems, affectedAt: call.itemsAffectedAt };
  const changed = after(core, before, change(before.items));
  core.live?.changed(call);
  call.customItems = changed.items;
  call.itemsAffectedAt = changed.affectedAt;
  notifyOthers(core, by, callId, userIds, changed, call);
  return changed;
}

/**
 * Changes the items of an ended call in the store, which other exchanges may use. The write succeeds only when the
 * state that was read is still there.
 */
async function changeEnded(
  core: Needs,
  by: DeviceId,
  callId: string,
  change: (items: CustomItems['items']) => ItemsChange,
): Promise<Changed> {
  await core.writeQueue.settled();
  for (let tries = 0; tries < TRIES; tries += 1) {
    const record = await core.store.call(callId);
    const userIds = record?.participants.map(({ user_id }) => user_id) ?? [];
    if (!record || !userIds.includes(by.userId)) throw new CallError(ErrorCode.ERR_CALL_DOES_NOT_EXIST);
    const before = { items: record.customItems, affectedAt: record.itemsAffectedAt };
    const changed = after(core, before, change(before.items));
    if (!isChange(changed)) return changed;
    if (await core.store.replaceCustomItems(callId, before.affectedAt, changed)) {
      notifyOthers(core, by, callId, userIds, changed);
      return changed;
    }
  }
  throw new Error('concurrent changes of the custom items did not stop');
}

const isChange = ({ updated, deleted }: ItemsChange) => updated.length + deleted.length > 0;

/** Returns a change whose time is after the former change, also when the wall clock was set back. */
function after(core: Needs, before: CustomItems, change: ItemsChange): Changed {
  if (!isChange(change)) return { ...change, affectedAt: before.affectedAt };
  return { ...change, affectedAt: Math.max(core.clock.wallTime(), before.affectedAt + 1) };
}

/** Sends live legs a signal, which they can miss and catch up on. Other devices get an event if they are connected. */
function notifyOthers(
  core: Needs,
  by: DeviceId,
  call_id: string,
  userIds: readonly string[],
  changed: Changed,
  call?: Call,
): void {
  if (!isChange(changed)) return;
  const event = eventOf(call_id, changed);
  const isBy = ({ userId, clientId }: DeviceId) => userId === by.userId && clientId === by.clientId;
  const legs = call ? liveLegs(call) : [];
  for (const leg of legs) if (!isBy(leg.device)) signal(core, leg, event);
  for (const userId of userIds) {
    for (const clientId of core.devices.clientsOf(userId)) {
      const hasLeg = legs.some(({ device }) => device.userId === userId && device.clientId === clientId);
      if (!hasLeg && !isBy({ userId, clientId })) notify(core, { userId, clientId }, event);
    }
  }
}

function eventOf(call_id: string, { items, affectedAt, updated, deleted }: Changed): ServerEvent {
  const payload = { call_id, custom_items: { ...items }, affected_at: affectedAt };
  return deleted.length > 0
    ? { cmd: 'CALL', type: 'custom_items_delete', payload: { ...payload, deleted: [...deleted] } }
    : { cmd: 'CALL', type: 'custom_items_update', payload: { ...payload, updated: [...updated] } };
}
