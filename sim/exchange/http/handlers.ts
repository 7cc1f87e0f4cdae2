import type { CallingApi, CallingRoute } from '../../../src/protocol/calling-api.ts';
import type { AnswerOf, ReadFrom } from '../../../src/protocol/endpoint.ts';
import type { RequestHead } from '../../http/request.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../directory/sessions.ts';

/** The sender of a request. Null for a client without a session. */
type DeviceFor<Access> = Access extends 'anybody' ? null : Access extends 'visitor' ? DeviceId | null : DeviceId;

/** A request that was authorized and read. */
export type Asked<Name extends CallingRoute> = ReadFrom<CallingApi[Name]> & {
  readonly device: DeviceFor<CallingApi[Name]['access']>;
  /** The request without its body. */
  readonly head: RequestHead;
};

/** The body of a response. */
export type Answer<Name extends CallingRoute> = AnswerOf<CallingApi[Name]>;

/** The body of a response without content. */
export type Done = Readonly<Record<string, never>>;

/**
 * The handlers of all requests. Each returns the body of the response, whose status is 200.
 * @throws HttpRefusal when a handler refuses the request.
 */
export type Handlers = {
  readonly [Name in CallingRoute]: (core: Core, asked: Asked<Name>) => Answer<Name> | Promise<Answer<Name>>;
};
