import type { RoomReply } from '../../protocol/messages/rooms.ts';
import { checkCustomItems, checkItemKeys, type CustomItems, type CustomItemsResult } from '../host/custom-items.ts';
import type { RoomRequests } from './room-requests.ts';

type ItemsReply = RoomReply<'room_custom_items_get'>;

export interface RoomCustomItemsOptions {
  readonly roomId: string;
  readonly requests: Pick<RoomRequests, 'request'>;
  /** Applies the answer of the exchange. */
  readonly changed: (reply: ItemsReply) => void;
}

/** Reads and changes the custom items of a room. Parameters are checked before a request is sent. */
export class RoomCustomItems {
  readonly #options: RoomCustomItemsOptions;

  constructor(options: RoomCustomItemsOptions) {
    this.#options = options;
  }

  async update(customItems: CustomItems): Promise<CustomItemsResult> {
    const { roomId: room_id, requests } = this.#options;
    const payload = { room_id, custom_items: checkCustomItems(customItems) };
    const reply = await requests.request('room_custom_items_update', payload);
    return this.#applied(reply, reply.updated);
  }

  async delete(keys?: readonly string[]): Promise<CustomItemsResult> {
    const { roomId: room_id, requests } = this.#options;
    const reply = await requests.request('room_custom_items_delete', { room_id, ...(keys ? { keys: [...keys] } : {}) });
    return this.#applied(reply, reply.deleted);
  }

  async deleteKeys(keys: unknown): Promise<CustomItemsResult> {
    return this.delete(checkItemKeys(keys));
  }

  async fetch(): Promise<CustomItems> {
    const { roomId: room_id, requests } = this.#options;
    const reply = await requests.request('room_custom_items_get', { room_id });
    return this.#applied(reply, []).customItems;
  }

  #applied(reply: ItemsReply, keys: readonly string[]): CustomItemsResult {
    this.#options.changed(reply);
    return { customItems: { ...reply.custom_items }, affectedKeys: [...keys] };
  }
}
