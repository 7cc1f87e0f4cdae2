import type { AskOf, EndpointName, ProductAnswer } from '../../../protocol/product/api.ts';
import type { ProductClient } from '../../core/product/product-client.ts';
import { ProductError } from '../../core/product/product-error.ts';

type Answers = {
  readonly [Name in EndpointName]?: (asked: AskOf<Name>) => ProductAnswer<Name> | Promise<ProductAnswer<Name>>;
};

/** Creates a product client with the given answers. Every other request is unreachable. */
export function fakeProduct(answers: Answers): Pick<ProductClient, 'ask'> {
  return {
    async ask<Name extends EndpointName>(name: Name, asked: AskOf<Name>): Promise<ProductAnswer<Name>> {
      const answer = answers[name];
      if (!answer) throw new ProductError('unreachable', `No answer to ${name}`);
      return await answer(asked);
    },
  };
}
