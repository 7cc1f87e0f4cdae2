import * as v from 'valibot';

/** The values of a form by the names of its fields. */
export type Fields = Readonly<Record<string, unknown>>;
/** The errors by the names of the fields. */
export type FieldErrors<Values> = { readonly [Name in keyof Values]?: string };

/** The state of a form: its values, the fields that the user has left, and the result of sending it. */
export interface FormState<Values extends Fields> {
  readonly initial: Values;
  readonly values: Values;
  /** The fields that the user has left at least once. A field shows no error before that. */
  readonly touched: ReadonlySet<keyof Values>;
  readonly phase: 'filling' | 'sending';
  /** Whether the user has tried to send the form. After that every invalid field shows its error. */
  readonly wasTried: boolean;
  /** The errors that the server returned for single fields. A change of the field removes its error. */
  readonly refused: FieldErrors<Values>;
  /** The error that the server returned for the whole form, as text. Null without one. */
  readonly failure: string | null;
}

/** An event that changes a form. */
export type FormEvent<Values extends Fields> =
  | { readonly type: 'changed'; readonly name: keyof Values; readonly value: unknown }
  | { readonly type: 'left'; readonly name: keyof Values }
  | { readonly type: 'tried' }
  | { readonly type: 'sending' }
  | { readonly type: 'sent' }
  | { readonly type: 'refused'; readonly field: keyof Values | null; readonly words: string }
  | { readonly type: 'reset'; readonly values: Values };

/** Returns the state of an untouched form. */
export function newForm<Values extends Fields>(initial: Values): FormState<Values> {
  return {
    initial,
    values: initial,
    touched: new Set(),
    phase: 'filling',
    wasTried: false,
    refused: {},
    failure: null,
  };
}

/** Returns the state after an event. */
export function formStep<Values extends Fields>(state: FormState<Values>, event: FormEvent<Values>): FormState<Values> {
  switch (event.type) {
    case 'changed': {
      const { [event.name]: _mended, ...refused } = state.refused;
      return {
        ...state,
        values: { ...state.values, [event.name]: event.value },
        refused: refused as FieldErrors<Values>,
        failure: null,
      };
    }
    case 'left':
      return { ...state, touched: new Set([...state.touched, event.name]) };
    case 'tried':
      return { ...state, wasTried: true };
    case 'sending':
      return { ...state, phase: 'sending', wasTried: true, refused: {}, failure: null };
    case 'sent':
      return { ...newForm(state.values) };
    case 'refused':
      return event.field === null
        ? { ...state, phase: 'filling', failure: event.words }
        : { ...state, phase: 'filling', refused: { ...state.refused, [event.field]: event.words } };
    case 'reset':
      return newForm(event.values);
    default:
      return event satisfies never;
  }
}

/** Returns the first fault of each invalid field. A form without faults may be sent. */
export function faultsOf<Values extends Fields>(schema: v.GenericSchema, values: Values): FieldErrors<Values> {
  const result = v.safeParse(schema, values);
  if (result.success) return {};
  const faults: Record<string, string> = {};
  for (const issue of result.issues) {
    const name = issue.path?.[0]?.key;
    if (typeof name === 'string') faults[name] ??= issue.message;
  }
  return faults;
}

/**
 * Returns the errors that the form shows: those of fields that the user has left. After an attempt to send it, those of
 * all fields.
 */
export function errorsShown<Values extends Fields>(
  state: FormState<Values>,
  faults: FieldErrors<Values>,
): FieldErrors<Values> {
  const said = Object.entries(faults).filter(([name]) => state.wasTried || state.touched.has(name));
  return { ...Object.fromEntries(said), ...state.refused };
}

/** Returns whether a value differs from the initial one. */
export function isDirty<Values extends Fields>({ initial, values }: FormState<Values>): boolean {
  return Object.keys(values).some((name) => !Object.is(values[name], initial[name]));
}
