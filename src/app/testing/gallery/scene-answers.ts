import type { EndpointName, ProductAnswer } from '../../../protocol/product/api.ts';
import type { RefusalCode } from '../../../protocol/product/refusals.ts';

/** The kind of answer to requests for which the scene defines none. */
export type Answers = 'data' | 'empty' | 'loading' | 'failed';

/** A refusal by its code. `field` is the faulty field of the request. */
export interface SceneRefusal {
  readonly refused: RefusalCode;
  readonly field?: string;
}

/** An answer of a scene to one request: a body by the contract, a refusal by its code, or a kind of failure. */
type SceneAnswer<Name extends EndpointName> = ProductAnswer<Name> | SceneRefusal | 'loading' | 'failed';
export type SceneAnswers = { readonly [Name in EndpointName]?: SceneAnswer<Name> };
