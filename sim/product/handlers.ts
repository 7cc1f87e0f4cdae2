import type { EndpointName, ProductAnswer, ProductApi, ReadRequest } from '../../src/protocol/product/api.ts';
import type { GenderType } from '../../src/protocol/product/values.ts';

/** The user of a request. */
export interface Me {
  readonly uId: string;
  readonly genderType: GenderType;
  /** The bearer token of the request. */
  readonly token: string;
}

/** A request that was parsed and authorized. */
export type HandlerRequest<Name extends EndpointName> = ReadRequest<Name> & {
  /** The address of the client. */
  readonly address: string;
} & (ProductApi[Name]['access'] extends 'anybody' ? { readonly me: null } : { readonly me: Me });

/** The handlers of these endpoints. @throws Refusal when a handler refuses the request. */
export type Handlers<Names extends EndpointName = EndpointName> = {
  readonly [Name in Names]: (request: HandlerRequest<Name>) => ProductAnswer<Name> | Promise<ProductAnswer<Name>>;
};
