import type { EndpointName, ProductAnswer, ProductApi, ReadRequest } from '../../src/protocol/product/api.ts';
import type { GenderType } from '../../src/protocol/product/values.ts';

/** Who asks. */
export interface Me {
  readonly uId: string;
  readonly genderType: GenderType;
  /** The token they ask with. */
  readonly token: string;
}

/** A request, read and let in. */
export type Asked<Name extends EndpointName> = ReadRequest<Name> & {
  /** The client's address. */
  readonly address: string;
} & (ProductApi[Name]['access'] extends 'anybody' ? { readonly me: null } : { readonly me: Me });

/** What answers the endpoints of these names. @throws Refusal what it refuses. */
export type Handlers<Names extends EndpointName = EndpointName> = {
  readonly [Name in Names]: (asked: Asked<Name>) => ProductAnswer<Name> | Promise<ProductAnswer<Name>>;
};
