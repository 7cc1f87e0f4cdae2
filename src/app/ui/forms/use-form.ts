import type { RefusalCode } from '../../../protocol/product/refusals.ts';
import type { Fields } from '../../../ui/forms/form-state.ts';
import { type Form, type FormOptions, useForm as useKitForm } from '../../../ui/forms/use-form.ts';
import { ProductError } from '../../core/product/product-error.ts';
import { refusalCode, refusalText } from '../../core/product/refusal-text.ts';

interface ProductFormOptions<Values extends Fields, Output> extends Omit<FormOptions<Values, Output>, 'explain'> {
  /** Messages of this form that replace the general message of a refusal. Default: none. */
  refusals?: { readonly [Code in RefusalCode]?: () => string };
}

/** Returns the state and the handlers of a form that the product receives. It shows refusals in the texts of the app. */
export function useForm<Values extends Fields, Output>(options: ProductFormOptions<Values, Output>): Form<Values> {
  const { refusals, ...rest } = options;
  return useKitForm({
    ...rest,
    explain(error) {
      const code = refusalCode(error);
      const ownWords = code === null ? undefined : refusals?.[code]?.();
      return {
        field: error instanceof ProductError ? error.refusal?.field : undefined,
        words: ownWords ?? refusalText(error),
      };
    },
  });
}
