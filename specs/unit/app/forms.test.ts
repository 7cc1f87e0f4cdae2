import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createDialogs } from '../../../src/ui/dialogs/dialogs.ts';
import { windowDialogs } from '../../../src/ui/dialogs/window-dialogs.ts';
import { errorsShown, faultsOf, formStep, isDirty, newForm } from '../../../src/ui/forms/form-state.ts';

const schema = v.object({
  nickname: v.pipe(
    v.string(),
    v.minLength(1, () => 'needed'),
    v.maxLength(3, () => 'too long'),
  ),
  city: v.pipe(
    v.string(),
    v.minLength(1, () => 'choose one'),
  ),
});
const empty = { nickname: '', city: '' };

describe('a form', () => {
  const shown = (state: ReturnType<typeof newForm<typeof empty>>) => errorsShown(state, faultsOf(schema, state.values));

  it('shows the fault of a field once the user left it, and every fault once the user submitted', () => {
    const fresh = newForm(empty);
    expect(shown(fresh)).toEqual({});
    const left = formStep(fresh, { type: 'left', name: 'city' });
    expect(shown(left)).toEqual({ city: 'choose one' });
    expect(shown(formStep(left, { type: 'tried' }))).toEqual({ nickname: 'needed', city: 'choose one' });
  });

  it('reports the first fault of a field, and nothing for a valid field', () => {
    expect(faultsOf(schema, { nickname: 'Alexandra', city: 'Tainan' })).toEqual({ nickname: 'too long' });
    expect(faultsOf(schema, { nickname: 'Ana', city: 'Tainan' })).toEqual({});
  });

  it('shows the server’s message for a field until that field changes', () => {
    const filled = newForm({ nickname: 'Ana', city: 'Tainan' });
    const sending = formStep(filled, { type: 'sending' });
    const refused = formStep(sending, { type: 'refused', field: 'nickname', words: 'taken' });
    expect(refused.phase).toBe('filling');
    expect(shown(refused)).toEqual({ nickname: 'taken' });
    expect(shown(formStep(refused, { type: 'changed', name: 'city', value: 'Taipei' }))).toEqual({ nickname: 'taken' });
    expect(shown(formStep(refused, { type: 'changed', name: 'nickname', value: 'Bea' }))).toEqual({});
  });

  it('shows a fault of no field for the whole form, until something changes', () => {
    const refused = formStep(newForm(empty), { type: 'refused', field: null, words: 'no network' });
    expect(refused.failure).toBe('no network');
    expect(formStep(refused, { type: 'changed', name: 'city', value: 'x' }).failure).toBeNull();
  });

  it('is dirty while a value differs from the first one, and not after it was sent', () => {
    const changed = formStep(newForm(empty), { type: 'changed', name: 'city', value: 'Tainan' });
    expect([isDirty(newForm(empty)), isDirty(changed)]).toEqual([false, true]);
    expect(isDirty(formStep(changed, { type: 'changed', name: 'city', value: '' }))).toBe(false);
    expect(isDirty(formStep(changed, { type: 'sent' }))).toBe(false);
  });
});

describe('dialogs', () => {
  it('open one at a time in the order of the requests, each with its own answer', async () => {
    const dialogs = createDialogs();
    const first = dialogs.confirm({ title: 'first' });
    const second = dialogs.confirm({ title: 'second' });
    const told = dialogs.alert({ title: 'third' });
    const shown = dialogs.open.get();
    expect(shown?.question.title).toBe('first');
    shown?.answer(true);
    shown?.answer(false);
    expect(dialogs.open.get()?.question.title).toBe('second');
    dialogs.open.get()?.answer(false);
    expect([await first, await second]).toEqual([true, false]);
    expect(dialogs.open.get()).toMatchObject({ kind: 'alert', question: { title: 'third' } });
    dialogs.open.get()?.answer(true);
    await told;
    expect(dialogs.open.get()).toBeNull();
  });

  it('may be those of the browser', async () => {
    const said: (string | undefined)[] = [];
    const dialogs = windowDialogs({
      confirm: (text) => said.push(text) === 1,
      alert: (text) => void said.push(text),
    });
    expect(await dialogs.confirm({ title: 'Reload?', text: 'There is a new version.' })).toBe(true);
    await dialogs.alert({ title: 'Use Safari or Chrome' });
    expect(said).toEqual(['Reload?\n\nThere is a new version.', 'Use Safari or Chrome']);
  });
});
