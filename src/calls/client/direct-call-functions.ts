import { DirectCallLogListQuery, type DirectCallLogListQueryParams } from '../direct-call/call-log-query.ts';
import type { DialParams } from '../direct-call/call-options.ts';
import type { DirectCall } from '../direct-call/direct-call.ts';
import type { DialCallback, DirectCalls } from '../direct-call/direct-calls.ts';
import type { LegDeps } from '../direct-call/leg-deps.ts';
import type { WebhookData } from '../direct-call/webhook-data.ts';
import { requireSeconds, requireText } from '../host/checks.ts';
import { CustomItemRequests, type CustomItemsHandler } from '../host/custom-item-requests.ts';
import type { CustomItems, CustomItemsResult } from '../host/custom-items.ts';
import type { Logger } from '../logging/log.ts';
import { callHistory } from '../rest/requests.ts';
import type { Session } from './session.ts';

/** The functions of a host about direct calls. */
export interface DirectCallFunctions {
  /**
   * Starts a direct call to a user (§5).
   *
   * Returns the call at once, in the state `idle`. The callback gets the answer of the exchange.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for the parameter
   *   that it names; MY_USER_ID_NOT_ALLOWED (1800101) when the callee is the user who is signed in.
   */
  dial(params: DialParams, callback?: DialCallback): DirectCall;
  /**
   * Returns the live call with this id. Undefined when no live call has it.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `callId`.
   */
  getCall(callId: string): DirectCall | undefined;
  /** Returns the number of live calls. It counts dialling calls, ringing calls and calls on hold. */
  getOngoingCallCount(): number;
  /** Returns the live calls. They include dialling calls, ringing calls and calls on hold. */
  getOngoingCalls(): DirectCall[];
  /**
   * Sets how long a call rings before it ends as `no_answer`, in seconds (§9). Default: 60. Calls that exist keep their
   * time.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `seconds`, which must
   *   be greater than 0.
   */
  setRingingTimeout(seconds: number): void;
  /**
   * Sets the longest time from accept to connected, in seconds (§9). Default: 60. A call that takes longer ends as
   * `timed_out`.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `seconds`, which must
   *   be greater than 0.
   */
  setCallConnectionTimeout(seconds: number): void;
  /**
   * Creates a query for the call history of the user (§5). The query belongs to the user who is signed in when a page
   * is requested.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for the parameter that it
   *   names.
   */
  createDirectCallLogListQuery(params?: DirectCallLogListQueryParams | null): DirectCallLogListQuery;
  /**
   * Sets custom items of the call with this id, live or ended (D24). The rules are those of {@link
   * DirectCall.updateCustomItems}.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `callId` or
   *   `customItems`; ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  updateCustomItems(
    callId: string,
    customItems: CustomItems,
    handler?: CustomItemsHandler | null,
  ): Promise<CustomItemsResult>;
  /**
   * Deletes custom items of the call with this id, live or ended (D24). The rules are those of {@link
   * DirectCall.deleteCustomItems}.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `callId` or
   *   `keys`; ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  deleteCustomItems(callId: string, keys: string[], handler?: CustomItemsHandler | null): Promise<CustomItemsResult>;
  /**
   * Deletes all custom items of the call with this id, live or ended (D24).
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `callId`;
   *   ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  deleteAllCustomItems(callId: string, handler?: CustomItemsHandler | null): Promise<CustomItemsResult>;
  /**
   * Delivers the body of a webhook request to the library, so that an incoming call rings on this client.
   *
   * A call rings once, also when its body arrives again. The host must have opened the channel before it accepts the
   * call. Other events than `dial` change nothing.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `data` when it
   *   is empty, no object, or names another callee; ERR_MALFORMED_DATA (1800208) when `data` is no webhook body.
   */
  handleWebhookData(data: WebhookData): void;
}

/** Returns the functions about the direct calls of the user of a session. */
export function directCallFunctions({
  calls,
  settings,
  session,
  log,
}: {
  readonly calls: DirectCalls;
  readonly settings: LegDeps['settings'];
  readonly session: Pick<Session, 'authenticated'>;
  readonly log: Logger;
}): DirectCallFunctions {
  const customItems = new CustomItemRequests({
    rest: () => session.authenticated().connection.rest,
    changed: (callId, change) => calls.customItemsChanged(callId, change),
    log,
  });
  return {
    dial: (params, callback) => {
      const { connection, payload } = session.authenticated();
      return calls.dial(params, callback, payload, connection);
    },
    getCall: (callId) => calls.get(requireText(callId, 'callId')),
    getOngoingCallCount: () => calls.ongoing().length,
    getOngoingCalls: () => calls.ongoing(),
    setRingingTimeout: (seconds) => {
      settings.ringingTimeoutMs = requireSeconds(seconds, 'seconds') * 1000;
    },
    setCallConnectionTimeout: (seconds) => {
      settings.connectionTimeoutMs = requireSeconds(seconds, 'seconds') * 1000;
    },
    createDirectCallLogListQuery: (params) =>
      new DirectCallLogListQuery(params, {
        fetch: async (query) => {
          const { connection, payload } = session.authenticated();
          return callHistory(connection.rest, payload.user_id, query);
        },
        log,
      }),
    updateCustomItems: (callId, items, handler) => customItems.update(callId, items, handler),
    deleteCustomItems: (callId, keys, handler) => customItems.delete(callId, keys, handler),
    deleteAllCustomItems: (callId, handler) => customItems.deleteAll(callId, handler),
    handleWebhookData: (data) => {
      const { connection, payload } = session.authenticated();
      calls.ringFromWebhook(data, payload.user_id, connection);
    },
  };
}
