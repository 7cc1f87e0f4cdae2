/** Every request of the product server, from all areas. */
import { accountEndpoints } from './accounts.ts';
import { chatEndpoints } from './chat.ts';
import type { AnswerOf, AskedWith, Endpoint, ReadFrom } from '../endpoint.ts';
import { mediaEndpoints } from './media.ts';
import { callEndpoints } from './calls.ts';
import { giftEndpoints } from './gifts.ts';
import { peopleEndpoints } from './people.ts';
import { pushEndpoints } from './push.ts';
import { profileEndpoints } from './profiles.ts';
import type { RefusalCode } from './refusals.ts';
import { safetyEndpoints } from './safety.ts';
import { verificationEndpoints } from './verification.ts';
import { pointEndpoints } from './points.ts';
import { ruleEndpoints } from './rules.ts';
import { walletEndpoints } from './wallet.ts';

export const PRODUCT_API = {
  ...accountEndpoints,
  ...verificationEndpoints,
  ...peopleEndpoints,
  ...profileEndpoints,
  ...safetyEndpoints,
  ...chatEndpoints,
  ...mediaEndpoints,
  ...pushEndpoints,
  ...giftEndpoints,
  ...callEndpoints,
  ...ruleEndpoints,
  ...walletEndpoints,
  ...pointEndpoints,
};

export type ProductApi = typeof PRODUCT_API;
export type EndpointName = keyof ProductApi;

export type AskOf<Name extends EndpointName> = AskedWith<ProductApi[Name]>;
export type ProductAnswer<Name extends EndpointName> = AnswerOf<ProductApi[Name]>;
export type ReadRequest<Name extends EndpointName> = ReadFrom<ProductApi[Name]>;

/** The users who may send a request to the product: anybody, signed-in users, or one kind of user. */
export type ProductAccess = 'anybody' | 'user' | 'man' | 'woman';

/** Returns the endpoint of this name, typed as any endpoint. */
export const endpointOf = (name: EndpointName): Endpoint<ProductAccess, RefusalCode> => PRODUCT_API[name];
