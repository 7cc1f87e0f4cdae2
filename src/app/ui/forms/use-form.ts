import { type FormEvent as SubmitEvent, type RefObject, useEffect, useReducer, useRef } from 'react';
import * as v from 'valibot';
import type { RefusalCode } from '../../../protocol/product/refusals.ts';
import { ProductError } from '../../core/product/product-error.ts';
import { refusalCode, refusalText } from '../../core/product/refusal-text.ts';
import type { FieldControl } from '../kit/text-field.tsx';
import {
  type FieldErrors,
  type Fields,
  type FormEvent,
  type FormState,
  errorsShown,
  faultsOf,
  formStep,
  isDirty,
  newForm,
} from './form-state.ts';

interface FormOptions<Values extends Fields, Output> {
  /** What a filled in form is; its messages are functions, so that they speak the present language. */
  schema: v.GenericSchema<Values, Output>;
  initial: Values;
  /** Sends it. What it throws is told beside the field that the server names, else above the form. */
  send(output: Output): Promise<void>;
  /** Words that are better here than those that everybody has for a refusal. */
  refusals?: { readonly [Code in RefusalCode]?: () => string };
}

export interface Form<Values extends Fields> {
  readonly values: Values;
  readonly errors: FieldErrors<Values>;
  readonly failure: string | null;
  readonly isDirty: boolean;
  readonly isSending: boolean;
  /** For the `<form>`. */
  readonly props: { ref: RefObject<HTMLFormElement | null>; noValidate: true; onSubmit(event: SubmitEvent): void };
  /** For a field of the kit. */
  field<Name extends keyof Values & string>(
    name: Name,
  ): FieldControl<Values[Name]> & { name: string; onBlur(): void; error: string | undefined };
  set<Name extends keyof Values & string>(name: Name, value: Values[Name]): void;
  reset(values: Values): void;
}

/** A form over a schema: what is wrong is said once a field was left, and the first fault has the focus when it is sent. */
export function useForm<Values extends Fields, Output>(options: FormOptions<Values, Output>): Form<Values> {
  const { schema, initial, send, refusals } = options;
  const [state, tell] = useReducer(
    formStep as (s: FormState<Values>, e: FormEvent<Values>) => FormState<Values>,
    initial,
    newForm,
  );
  const form = useRef<HTMLFormElement>(null);
  const [attempt, countAttempt] = useReducer((count: number) => count + 1, 0);
  const errors = errorsShown(state, faultsOf(schema, state.values));

  useEffect(() => {
    if (attempt > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong] input')?.focus();
  }, [attempt]);

  function ownWords(error: unknown): string | undefined {
    const code = refusalCode(error);
    return code === null ? undefined : refusals?.[code]?.();
  }

  async function submit(): Promise<void> {
    if (state.phase === 'sending') return;
    const result = v.safeParse(schema, state.values);
    if (!result.success) {
      tell({ type: 'tried' });
      countAttempt();
      return;
    }
    tell({ type: 'sending' });
    try {
      await send(result.output);
      tell({ type: 'sent' });
    } catch (error) {
      const field = error instanceof ProductError ? error.refusal?.field : undefined;
      const isOurs = field !== undefined && field in state.values;
      tell({ type: 'refused', field: isOurs ? field : null, words: ownWords(error) ?? refusalText(error) });
      countAttempt();
    }
  }

  return {
    values: state.values,
    errors,
    failure: state.failure,
    isDirty: isDirty(state),
    isSending: state.phase === 'sending',
    props: {
      ref: form,
      noValidate: true,
      onSubmit(event) {
        event.preventDefault();
        void submit();
      },
    },
    field: (name) => ({
      name,
      value: state.values[name],
      error: errors[name],
      onChange: (value) => tell({ type: 'changed', name, value }),
      onBlur: () => tell({ type: 'left', name }),
    }),
    set: (name, value) => tell({ type: 'changed', name, value }),
    reset: (values) => tell({ type: 'reset', values }),
  };
}
