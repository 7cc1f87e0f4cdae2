import { PRICES } from '../../../../protocol/product/profile-limits.ts';
import type { Settings } from '../../../../protocol/product/profiles.ts';
import type { AskOf } from '../../../../protocol/product/api.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { Slider, Switch } from '../../../../ui/kit/choices.tsx';
import { Outline } from '../../../../ui/kit/skeleton.tsx';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { useProductMutation, useProductQuery } from '../../../core/hooks/use-product.ts';
import { useUi } from '../../../ui/use-ui.ts';
import styles from './call-settings.module.css';

/** The most common settings, for the skeleton. */
const USUAL: Settings = {
  resting: false,
  accepts_voice: true,
  accepts_video: true,
  prices: { voice: PRICES.voice.least, video: PRICES.video.least },
  quiet_hours: null,
};
const NIGHT = { from: 23 * 60, to: 8 * 60 };

/** Edits whether a woman accepts calls, their kinds and prices, and her quiet hours. Each change is saved at once. */
export function CallSettings() {
  const query = useProductQuery('mySettings', {});
  return (
    <Loaded
      query={query}
      skeleton={
        <Outline>
          <Kept settings={USUAL} />
        </Outline>
      }
    >
      {(settings) => <Kept settings={settings} />}
    </Loaded>
  );
}

function Kept({ settings }: { settings: Settings }) {
  const { toasts } = useUi();
  const queries = useQueryClient();
  const change = useProductMutation('changeSettings', {
    onSuccess: (kept) => queries.setQueryData(['mySettings', {}], kept),
    onError: (error) => toasts.show(refusalText(error)),
  });
  const keep = (body: AskOf<'changeSettings'>['body']): void => change.mutate({ body });
  // A change is visible at once, and is reverted when the server refuses it.
  const chosen = change.isPending ? change.variables.body : {};
  const resting = chosen.resting ?? settings.resting;
  const accepts_voice = chosen.accepts_voice ?? settings.accepts_voice;
  const accepts_video = chosen.accepts_video ?? settings.accepts_video;
  const quiet = chosen.quiet_hours === undefined ? settings.quiet_hours : chosen.quiet_hours;

  return (
    <section className={styles.card} aria-labelledby="hub-calls">
      <h2 id="hub-calls">{m.calls_title()}</h2>
      <Switch
        label={resting ? m.calls_resting() : m.calls_open()}
        hint={m.calls_open_hint()}
        checked={!resting}
        onChange={(open) => keep({ resting: !open })}
      />
      <Switch
        label={m.calls_voice()}
        checked={accepts_voice}
        disabled={resting}
        onChange={(on) => keep({ accepts_voice: on })}
      />
      <Switch
        label={m.calls_video()}
        checked={accepts_video}
        disabled={resting}
        onChange={(on) => keep({ accepts_video: on })}
      />
      <PriceSliders prices={{ ...settings.prices, ...chosen.prices }} onKeep={(prices) => keep({ prices })} />
      <QuietHours quiet={quiet} onChange={(quiet_hours) => keep({ quiet_hours })} />
    </section>
  );
}

interface PriceSlidersProps {
  prices: Settings['prices'];
  onKeep(prices: Settings['prices']): void;
}

function PriceSliders({ prices, onKeep }: PriceSlidersProps) {
  /** The positions of the sliders while the user moves them. */
  const [moved, setMoved] = useState<Partial<Settings['prices']>>({});
  const shown = { ...prices, ...moved };

  /** Saves the prices when the user releases a slider, since the slider reports every step. */
  function keep(): void {
    if (Object.keys(moved).length === 0) return;
    onKeep(shown);
    setMoved({});
  }

  return (['voice', 'video'] as const).map((kind) => (
    <div key={kind} role="none" onPointerUp={keep} onKeyUp={keep}>
      <Slider
        label={kind === 'voice' ? m.calls_voice_price() : m.calls_video_price()}
        min={PRICES[kind].least}
        max={PRICES[kind].most}
        step={PRICES.step}
        value={shown[kind]}
        text={m.person_price({ price: shown[kind] })}
        onChange={(value) => setMoved({ ...moved, [kind]: value })}
      />
    </div>
  ));
}

type Hours = Settings['quiet_hours'];

/** Turns the quiet hours on and off, and edits their beginning and end. */
function QuietHours({ quiet, onChange }: { quiet: Hours; onChange(quiet: Hours): void }) {
  return (
    <>
      <Switch
        label={m.calls_quiet()}
        hint={m.calls_quiet_hint()}
        checked={quiet !== null}
        onChange={(on) => onChange(on ? NIGHT : null)}
      />
      {quiet !== null && (
        <div className={styles.hours}>
          {(['from', 'to'] as const).map((end) => (
            <label key={end}>
              {end === 'from' ? m.calls_quiet_from() : m.calls_quiet_to()}
              <input
                type="time"
                step={300}
                value={clockText(quiet[end])}
                onChange={({ target }) => {
                  const minutes = minutesOf(target.value);
                  if (minutes !== null) onChange({ ...quiet, [end]: minutes });
                }}
              />
            </label>
          ))}
        </div>
      )}
    </>
  );
}

const HOUR = 60;
const two = (number: number): string => String(number).padStart(2, '0');
const clockText = (minutes: number): string => `${two(Math.floor(minutes / HOUR))}:${two(minutes % HOUR)}`;

function minutesOf(text: string): number | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * HOUR + Number(minutes);
}
