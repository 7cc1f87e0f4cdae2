import type { CallError } from '../../protocol/errors.ts';
import type { CustomItemsAnswer } from '../../protocol/http.ts';
import { requireId } from './checks.ts';
import { checkCustomItems, checkItemKeys, type CustomItems, type CustomItemsResult } from './custom-items.ts';
import type { Logger } from '../logging/log.ts';
import { deleteCustomItems, putCustomItems } from '../rest/requests.ts';
import type { Rest } from '../rest/rest-client.ts';
import { answerHost } from './call-host.ts';

/** A function that gets the result of a change of custom items, or the error. */
export type CustomItemsHandler = (result?: CustomItemsResult, error?: CallError) => void;

/** A change of a call's custom items: all current items, and the keys that changed or were deleted. */
export interface CustomItemsChange {
  readonly how: 'updated' | 'deleted';
  readonly items: CustomItems;
  readonly keys: readonly string[];
  /** The time of the change, milliseconds since the epoch. An older change than the last one is not applied (§3). */
  readonly affectedAt: number;
}

export interface CustomItemRequestsOptions {
  /**
   * Returns the client for requests.
   * @throws CallError `INSTANCE_NOT_INITIALIZED` or `USER_NOT_AUTHENTICATED` without a signed-in user.
   */
  readonly rest: () => Rest;
  /** Applies a change to the call with this id, if it is here. */
  readonly changed: (callId: string, change: CustomItemsChange) => void;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Changes the custom items of calls by request (§7), checked before they are sent. Each promise rejects with
 * `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE` for the wrong parameter, with the refusal of the exchange, or
 * as the request fails.
 */
export class CustomItemRequests {
  readonly #options: CustomItemRequestsOptions;

  constructor(options: CustomItemRequestsOptions) {
    this.#options = options;
  }

  update(callId: string, items: CustomItems, handler?: CustomItemsHandler | null): Promise<CustomItemsResult> {
    return this.#change('updated', callId, handler, (rest, id) => putCustomItems(rest, id, checkCustomItems(items)));
  }

  delete(callId: string, keys: string[], handler?: CustomItemsHandler | null): Promise<CustomItemsResult> {
    return this.#change('deleted', callId, handler, (rest, id) => deleteCustomItems(rest, id, checkItemKeys(keys)));
  }

  deleteAll(callId: string, handler?: CustomItemsHandler | null): Promise<CustomItemsResult> {
    return this.#change('deleted', callId, handler, (rest, id) => deleteCustomItems(rest, id));
  }

  #change(
    how: CustomItemsChange['how'],
    callId: string,
    handler: CustomItemsHandler | null | undefined,
    request: (rest: Rest, id: string) => Promise<CustomItemsAnswer>,
  ): Promise<CustomItemsResult> {
    const { log, rest, changed } = this.#options;
    const work = async () => {
      const answer = await request(rest(), requireId(callId, 'callId'));
      const { custom_items: items, affected_at: affectedAt, [how]: keys } = answer;
      changed(callId, { how, items, keys, affectedAt });
      return { customItems: { ...items }, affectedKeys: [...keys] };
    };
    return answerHost(log, 'the custom items handler', work(), handler);
  }
}
