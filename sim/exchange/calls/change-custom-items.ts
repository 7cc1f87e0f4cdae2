import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { ServerEvent } from '../../../src/protocol/messages/events.ts';
import { liveLegs, type Call } from './call.ts';
import type { Core } from '../core.ts';
import type { CustomItems, ItemsChange } from './custom-items.ts';
import { signal, tell } from '../delivery/deliver.ts';
import type { DeviceId } from '../directory/sessions.ts';

type Changed = ItemsChange & CustomItems;

/** Tries against others who change the same call at the same time. */
const TRIES = 10;

/**
 * Changes the custom items of a call, live or ended, and informs the other user and the other devices of the user. A change
 * without an effect is not reported.
 *
 * @throws CallError 1400102 no such call, or the user has no part in it: one answer for both (S20); what `change` throws.
 */
export async function changeCustomItems(
  core: Core,
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
  tellOthers(core, by, callId, userIds, changed, call);
  return changed;
}

/** What has ended is in the store, which other exchanges may use too: the state that was read must still be there. */
async function changeEnded(
  core: Core,
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
      tellOthers(core, by, callId, userIds, changed);
      return changed;
    }
  }
  throw new Error('others change the custom items of the call all the time');
}

const isChange = ({ updated, deleted }: ItemsChange) => updated.length + deleted.length > 0;

/** The time of a change is after that of the change before it, whatever the clock says. */
function after(core: Core, before: CustomItems, change: ItemsChange): Changed {
  if (!isChange(change)) return { ...change, affectedAt: before.affectedAt };
  return { ...change, affectedAt: Math.max(core.clock.now(), before.affectedAt + 1) };
}

/** Legs that live get it as a signal, which they can miss and catch up on; other devices if they are connected. */
function tellOthers(
  core: Core,
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
      if (!hasLeg && !isBy({ userId, clientId })) tell(core, { userId, clientId }, event);
    }
  }
}

function eventOf(call_id: string, { items, affectedAt, updated, deleted }: Changed): ServerEvent {
  const payload = { call_id, custom_items: { ...items }, affected_at: affectedAt };
  return deleted.length > 0
    ? { cmd: 'CALL', type: 'custom_items_delete', payload: { ...payload, deleted: [...deleted] } }
    : { cmd: 'CALL', type: 'custom_items_update', payload: { ...payload, updated: [...updated] } };
}
