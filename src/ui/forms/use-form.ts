import { type FormEvent as SubmitEvent, type RefObject, useEffect, useReducer, useRef } from 'react';
import * as v from 'valibot';
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

/** An error of sending a form, for its user. */
export interface SendingError {
  /** The field that the error concerns. A name that is no field of the form counts as none. Default: none. */
  readonly field?: string | undefined;
  readonly words: string;
}

/** What a form is made of. */
export interface FormOptions<Values extends Fields, Output> {
  /** The schema of the values. Its messages are functions, so that they follow the language. */
  schema: v.GenericSchema<Values, Output>;
  initial: Values;
  /** Sends the form. An error that it throws is shown beside its field, or else above the form. */
  send(output: Output): Promise<void>;
  /** Returns what the form shows of an error that `send` threw. */
  explain(error: unknown): SendingError;
}

/** The state and the handlers of a form. */
export interface Form<Values extends Fields> {
  readonly values: Values;
  readonly errors: FieldErrors<Values>;
  readonly failure: string | null;
  readonly isDirty: boolean;
  readonly isSending: boolean;
  /** The props of the `<form>`. */
  readonly props: { ref: RefObject<HTMLFormElement | null>; noValidate: true; onSubmit(event: SubmitEvent): void };
  /** Returns the props of a field of the kit. */
  field<Name extends keyof Values & string>(
    name: Name,
  ): FieldControl<Values[Name]> & { name: string; onBlur(): void; error: string | undefined };
  set<Name extends keyof Values & string>(name: Name, value: Values[Name]): void;
  reset(values: Values): void;
}

/**
 * Returns the state and the handlers of a form with a schema. A field shows its error after the user has left it.
 * Sending an invalid form focuses its first fault.
 */
export function useForm<Values extends Fields, Output>(options: FormOptions<Values, Output>): Form<Values> {
  const { schema, initial, send, explain } = options;
  const [state, tell] = useReducer(
    formStep as (s: FormState<Values>, e: FormEvent<Values>) => FormState<Values>,
    initial,
    newForm,
  );
  const [form, focusFault] = useFaultFocus();
  const errors = errorsShown(state, faultsOf(schema, state.values));

  async function submit(): Promise<void> {
    if (state.phase === 'sending') return;
    const result = v.safeParse(schema, state.values);
    if (!result.success) {
      tell({ type: 'tried' });
      focusFault();
      return;
    }
    tell({ type: 'sending' });
    try {
      await send(result.output);
      tell({ type: 'sent' });
    } catch (error) {
      const { field, words } = explain(error);
      tell({ type: 'refused', field: field !== undefined && field in state.values ? field : null, words });
      focusFault();
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

/** Returns the ref of a form, and a function that focuses the first fault of the form after the next render. */
function useFaultFocus(): readonly [RefObject<HTMLFormElement | null>, () => void] {
  const form = useRef<HTMLFormElement>(null);
  const [attempt, countAttempt] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (attempt > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong] input')?.focus();
  }, [attempt]);
  return [form, countAttempt];
}
