/** The kit in a page that is not the web app: every text comes from the page. */
import { CircleHelp } from 'lucide-react';
import type { FormEvent, ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { createDialogs } from '../../../src/ui/dialogs/dialogs.ts';
import { DialogHost } from '../../../src/ui/dialogs/dialog-host.tsx';
import { type Form, useForm } from '../../../src/ui/forms/use-form.ts';
import { Button } from '../../../src/ui/kit/button.tsx';
import { Chart } from '../../../src/ui/kit/chart.tsx';
import { DateField } from '../../../src/ui/kit/date-field.tsx';
import { FileDrop } from '../../../src/ui/kit/file-drop.tsx';
import { Menu } from '../../../src/ui/kit/menu.tsx';
import { NumberField } from '../../../src/ui/kit/number-field.tsx';
import { Pager } from '../../../src/ui/kit/pager.tsx';
import { PasswordField } from '../../../src/ui/kit/password-field.tsx';
import { ProgressSteps } from '../../../src/ui/kit/progress-steps.tsx';
import { SelectField } from '../../../src/ui/kit/select-field.tsx';
import { StateCard } from '../../../src/ui/kit/state-card.tsx';
import { TextArea } from '../../../src/ui/kit/text-area.tsx';
import { TextField } from '../../../src/ui/kit/text-field.tsx';
import { ToastHost } from '../../../src/ui/toasts/toast-host.tsx';
import { createToasts } from '../../../src/ui/toasts/toasts.ts';
import { HandClock } from '../support/hand-clock.ts';

/** The attributes whose values users see or hear. */
const WORDY = /\s(?:alt|aria-label|aria-valuetext|placeholder|title)="([^"]*)"/g;

/** Returns every text that a user sees or hears in an element, in the order of the page. */
function textsOf(element: ReactElement): readonly string[] {
  const html = renderToStaticMarkup(element);
  const read = [...html.matchAll(WORDY)].map(([, text]) => text ?? '');
  const seen = html.split(/<[^>]*>/);
  return [...new Set([...read, ...seen].filter((text) => text !== ''))].toSorted();
}

const field = { label: 'λ', value: '', onChange: () => undefined };
const clock = new HandClock();

function toastsWith(text: string) {
  const toasts = createToasts(clock);
  toasts.show(text);
  return toasts;
}

function dialogsWith(kind: 'alert' | 'confirm') {
  const dialogs = createDialogs();
  void dialogs[kind]({ title: 'τ' });
  return dialogs;
}

const labels = { okLabel: 'ο', confirmLabel: 'κ', cancelLabel: 'χ' };

test.each<[string, ReactElement, readonly string[]]>([
  ['a button', <Button>β</Button>, ['β']],
  ['a required field', <TextField {...field} />, ['λ']],
  ['a field that may be left empty', <DateField {...field} hint="η" optional="ο" />, ['η', 'λ', 'ο']],
  ['a password field', <PasswordField {...field} showLabel="σ" autoComplete="new-password" />, ['λ', 'σ']],
  ['a number field', <NumberField {...field} value={4} min={1} max={9} lessLabel="μ" moreLabel="π" />, ['λ', 'μ', 'π']],
  [
    'a select field that asks for an option',
    <SelectField {...field} prompt="π" options={[{ value: 'a', text: 'α' }]} />,
    ['α', 'λ', 'π'],
  ],
  ['a select field of which no option is a choice', <SelectField {...field} none="ν" options={[]} />, ['λ', 'ν']],
  [
    'a text area',
    <TextArea
      {...field}
      most={9}
      counterText={(length, most) => `γ${length}/${most}`}
      leftText={(left) => `δ${left}`}
    />,
    ['γ0/9', 'δ9', 'λ'],
  ],
  [
    'a field for a file',
    <FileDrop label="λ" accept={[]} most={1} wrongType="ω" tooLarge="τ" onFile={() => undefined} />,
    ['λ'],
  ],
  ['a menu', <Menu label="λ" items={[{ key: 'a', text: 'α', onChoose: () => undefined }]} />, ['α', 'λ']],
  ['steps', <ProgressSteps label="λ" steps={['α', 'β']} present={1} doneText="δ" />, ['2', 'α', 'β', 'δ', 'λ']],
  ['a card', <StateCard icon={<CircleHelp />} title="τ" hint="η" />, ['η', 'τ']],
  [
    'a chart',
    <Chart
      title="τ"
      axis="α"
      tableTitle="π"
      labels={['λ']}
      series={[{ key: 'a', title: 'σ', colour: 'red', values: [7] }]}
      format={(value) => `φ${value}`}
    />,
    ['α', 'λ', 'π', 'σ', 'τ', 'φ7'],
  ],
  ...([true, false] as const).map((busy): [string, ReactElement, readonly string[]] => [
    `the end of a list, ${busy ? 'loading' : 'with more'}`,
    <Pager hasMore busy={busy} moreLabel="μ" busyLabel="β" allText="α" onMore={() => undefined} />,
    [busy ? 'β' : 'μ'],
  ]),
  [
    'the end of a whole list',
    <Pager hasMore={false} busy={false} moreLabel="μ" busyLabel="β" allText="α" onMore={() => undefined} />,
    ['α'],
  ],
  ['a toast', <ToastHost toasts={toastsWith('τ')} dismissLabel="δ" />, ['δ', 'τ']],
  ['an alert', <DialogHost dialogs={dialogsWith('alert')} {...labels} />, ['ο', 'τ']],
  ['a question', <DialogHost dialogs={dialogsWith('confirm')} {...labels} />, ['κ', 'τ', 'χ']],
])('%s has only the texts of its page', (_, element, texts) => {
  expect(textsOf(element)).toEqual(texts);
});

test('a form lets its page explain an error of sending', async () => {
  const failure = new Error('the server is gone');
  let form: Form<{ name: string }> | undefined;
  function Page({ onFailure }: { onFailure(error: unknown): void }) {
    form = useForm({
      schema: v.object({ name: v.string() }),
      initial: { name: 'ν' },
      send: () => Promise.reject(failure),
      explain(error) {
        onFailure(error);
        return { words: 'ω' };
      },
    });
    return <TextField {...form.field('name')} label="λ" />;
  }
  const explained = new Promise((resolve) => {
    expect(renderToStaticMarkup(<Page onFailure={resolve} />)).toContain('value="ν"');
    form?.props.onSubmit({ preventDefault: () => undefined } as FormEvent);
  });
  expect(await explained).toBe(failure);
});
