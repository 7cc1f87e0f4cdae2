import type { EndpointName, ProductAnswer } from '../../../protocol/product/api.ts';
import type { RefusalCode } from '../../../protocol/product/refusals.ts';

/** How a request goes that a scene says nothing of, or whose answer it spells out. */
export type Answers = 'data' | 'empty' | 'loading' | 'failed';

/** A refusal by its code; `field` is what is wrong with the request. */
export interface SceneRefusal {
  readonly refused: RefusalCode;
  readonly field?: string;
}

/** What a scene answers to one request: a body as the contract has it, a refusal by its code, or how it goes wrong. */
type SceneAnswer<Name extends EndpointName> = ProductAnswer<Name> | SceneRefusal | 'loading' | 'failed';
export type SceneAnswers = { readonly [Name in EndpointName]?: SceneAnswer<Name> };
