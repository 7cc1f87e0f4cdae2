import * as v from 'valibot';
import { useForm } from '../../../ui/forms/use-form.ts';
import type { PriceTier } from '../../../../protocol/product/accounts.ts';
import { INTRO_CHARACTERS, LANGUAGES } from '../../../../protocol/product/profile-limits.ts';
import type { Rules } from '../../../../protocol/product/rules.ts';
import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { Chips, RadioCards, Switch } from '../../../../ui/kit/choices.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { TextArea } from '../../../ui/forms/text-area.tsx';
import { useRules } from '../../../core/hooks/use-product.ts';
import styles from './page.module.css';
import type { RegistrationDraft } from './registration-draft.ts';

type Offer = Pick<RegistrationDraft, 'voice' | 'video' | 'tier' | 'languages' | 'intro'>;

interface ServiceStepProps {
  draft: Offer;
  onBack(now: Offer): void;
  onDone(offer: Offer): Promise<void>;
}

const schema = v.object({
  voice: v.boolean(),
  video: v.boolean(),
  tier: v.picklist(['gentle', 'usual', 'premium']),
  languages: v.pipe(
    v.array(v.picklist(LANGUAGES)),
    v.minLength(1, () => m.languages_needed()),
  ),
  intro: v.pipe(
    v.string(),
    v.maxLength(INTRO_CHARACTERS, () => m.field_long({ most: String(INTRO_CHARACTERS) })),
  ),
});

/** Asks a woman for her kinds of calls, price tier and languages. She can change them later. */
export function ServiceStep({ draft, onBack, onDone }: ServiceStepProps) {
  const rules = useRules();
  const form = useForm({ schema, initial: draft, send: onDone });
  const { voice, video, tier, languages } = form.values;
  return (
    <form {...form.props} className={styles.form}>
      <FormFailure words={form.failure ?? form.errors.languages ?? null} />
      <div className={styles.group}>
        <h2>{m.offer_label()}</h2>
        <Switch
          label={m.offer_voice()}
          hint={m.offer_voice_hint()}
          checked={voice}
          onChange={(on) => form.set('voice', on)}
        />
        <Switch
          label={m.offer_video()}
          hint={m.offer_video_hint()}
          checked={video}
          onChange={(on) => form.set('video', on)}
        />
      </div>
      <RadioCards
        label={m.tier_label()}
        value={tier}
        options={[
          { value: 'gentle', text: m.tier_gentle(), ...hintOf('gentle', rules) },
          { value: 'usual', text: m.tier_usual(), ...hintOf('usual', rules) },
          { value: 'premium', text: m.tier_premium(), ...hintOf('premium', rules) },
        ]}
        onChange={(chosen) => form.set('tier', chosen)}
      />
      <div className={styles.group}>
        <h2>{m.languages_label()}</h2>
        <Chips
          label={m.languages_label()}
          options={[
            { value: 'zh', text: m.language_zh() },
            { value: 'nan', text: m.language_nan() },
            { value: 'en', text: m.language_en() },
            { value: 'ja', text: m.language_ja() },
            { value: 'ko', text: m.language_ko() },
          ]}
          chosen={languages}
          onChange={(chosen) => form.set('languages', [...chosen])}
        />
      </div>
      <TextArea
        {...form.field('intro')}
        label={m.intro_label()}
        optional={m.field_optional()}
        most={INTRO_CHARACTERS}
      />
      <div className={styles.buttons}>
        <Button onClick={() => onBack(form.values)}>{m.register_back()}</Button>
        <Button type="submit" look="primary" busy={form.isSending}>
          {m.register_finish()}
        </Button>
      </div>
    </form>
  );
}

function hintOf(tier: PriceTier, rules: Rules | undefined): { hint?: string } {
  if (rules === undefined) return {};
  const { voice, video } = rules.price_tiers[tier];
  return { hint: m.tier_hint({ voice: formatNumber(voice), video: formatNumber(video) }) };
}
