import * as v from 'valibot';

export type Fields = Readonly<Record<string, unknown>>;
export type FieldErrors<Values> = { readonly [Name in keyof Values]?: string };

/** A form as it stands: what is in it, what was looked at, and what came of sending it. */
export interface FormState<Values extends Fields> {
  readonly initial: Values;
  readonly values: Values;
  /** Fields that were left at least once: before that nobody is told that they are wrong. */
  readonly touched: ReadonlySet<keyof Values>;
  readonly phase: 'filling' | 'sending';
  /** Somebody has tried to send it: from then on every field says what is wrong with it. */
  readonly wasTried: boolean;
  /** What the server said of single fields; gone as soon as the field changes. */
  readonly refused: FieldErrors<Values>;
  /** What the server said of all of it, in words. */
  readonly failure: string | null;
}

export type FormEvent<Values extends Fields> =
  | { readonly type: 'changed'; readonly name: keyof Values; readonly value: unknown }
  | { readonly type: 'left'; readonly name: keyof Values }
  | { readonly type: 'tried' }
  | { readonly type: 'sending' }
  | { readonly type: 'sent' }
  | { readonly type: 'refused'; readonly field: keyof Values | null; readonly words: string }
  | { readonly type: 'reset'; readonly values: Values };

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

/** What is wrong with each field, the first fault of each; a form without any may be sent. */
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

/** What is to be said of each field now: of those that were left, and of all once somebody has tried to send it. */
export function errorsShown<Values extends Fields>(
  state: FormState<Values>,
  faults: FieldErrors<Values>,
): FieldErrors<Values> {
  const said = Object.entries(faults).filter(([name]) => state.wasTried || state.touched.has(name));
  return { ...Object.fromEntries(said), ...state.refused };
}

export function isDirty<Values extends Fields>({ initial, values }: FormState<Values>): boolean {
  return Object.keys(values).some((name) => !Object.is(values[name], initial[name]));
}
