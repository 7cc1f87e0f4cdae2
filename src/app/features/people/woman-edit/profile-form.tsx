import { useEffect } from 'react';
import * as v from 'valibot';
import {
  INTRO_CHARACTERS,
  LANGUAGES,
  MOST_PHOTOS,
  MOST_TAGS,
  NICKNAME_CHARACTERS,
} from '../../../../protocol/product/profile-limits.ts';
import type { Profile } from '../../../../protocol/product/profiles.ts';
import { useForm } from '../../../ui/forms/use-form.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { Chips } from '../../../../ui/kit/choices.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { NumberField } from '../../../../ui/kit/number-field.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { SelectField } from '../../../../ui/kit/select-field.tsx';
import { TextArea } from '../../../ui/forms/text-area.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
import { languageName } from '../language-name.ts';
import { PhotoEditor } from '../photo-editor.tsx';
import { useProductMutation, useProductQuery } from '../../../core/hooks/use-product.ts';
import { useTicks } from '../../../core/hooks/areas.ts';
import { useUi } from '../../../ui/use-ui.ts';
import { onDemand } from '../../shell/on-demand.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';
import { VoiceIntro } from './voice-intro.tsx';
import styles from './woman-edit.module.css';

const LEAST_HEIGHT = 120;
const MOST_HEIGHT = 220;
const JOB_CHARACTERS = 20;

const schema = v.object({
  nickname: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, () => m.profile_nickname_missing()),
    v.maxLength(NICKNAME_CHARACTERS, () => m.field_too_long()),
  ),
  birthday: v.pipe(
    v.string(),
    v.isoDate(() => m.profile_birthday_wrong()),
  ),
  city: v.string(),
  height: v.nullable(
    v.pipe(
      v.number(),
      v.integer(() => m.profile_height_wrong()),
      v.minValue(LEAST_HEIGHT, () => m.profile_height_wrong()),
      v.maxValue(MOST_HEIGHT, () => m.profile_height_wrong()),
    ),
  ),
  job: v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(JOB_CHARACTERS, () => m.field_too_long()),
  ),
  intro: v.pipe(
    v.string(),
    v.maxLength(INTRO_CHARACTERS, () => m.field_too_long()),
  ),
  languages: v.array(v.picklist(LANGUAGES)),
  tags: v.array(v.string()),
});

// The preview is beside the form, or below it.
const { Part: PersonCard } = onDemand(
  async () => (await import('../person-card.tsx')).PersonCard,
  <Skeleton className={styles.card} />,
);

const isLanguage = (code: string): code is (typeof LANGUAGES)[number] => LANGUAGES.some((known) => known === code);

/** Edits the fields of a woman's profile, with a preview of her card. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const { dialogs } = useUi();
  const { form, isSaved } = useProfileForm(profile);
  const { isDirty } = form;
  useLeaveQuestion(isDirty);

  async function giveUp(): Promise<void> {
    const agreed = await dialogs.confirm({
      title: m.edit_discard_title(),
      confirm: m.edit_discard(),
      isDangerous: true,
    });
    if (agreed) form.reset(fieldsOf(profile));
  }

  return (
    <div className={styles.page}>
      <div className={styles.fields}>
        <h2>{m.photos_title()}</h2>
        <PhotoEditor profile={profile} most={MOST_PHOTOS} />
        <h2>{m.voice_title()}</h2>
        <VoiceIntro profile={profile} />
        <form {...form.props} className={styles.fields}>
          <Fields profile={profile} form={form} />
          <FormFailure words={form.failure} />
          <div className={styles.bar} data-dirty={isDirty || undefined}>
            <p role="status">{isDirty ? m.edit_unsaved() : isSaved ? m.edit_saved() : ''}</p>
            <Button disabled={!isDirty} onClick={() => void giveUp()}>
              {m.edit_discard()}
            </Button>
            <Button look="primary" type="submit" disabled={!isDirty} busy={form.isSending}>
              {m.profile_save()}
            </Button>
          </div>
        </form>
      </div>
      <Preview profile={profile} values={form.values} />
    </div>
  );
}

/** Returns the form of a profile, and whether its last changes are saved. */
function useProfileForm(profile: Profile) {
  const save = useProductMutation('changeProfile', { invalidates: ['myProfile', 'person'] });
  const form = useForm({
    schema,
    initial: fieldsOf(profile),
    async send(body) {
      await save.mutateAsync({ body });
    },
  });
  return { form, isSaved: save.isSuccess };
}

type ProfileFields = ReturnType<typeof useProfileForm>['form'];

/** Lets the browser ask before the user leaves the page, which would lose the changes. */
function useLeaveQuestion(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDirty]);
}

function Fields({ profile, form }: { profile: Profile; form: ProfileFields }) {
  const { data: options } = useProductQuery('options', {}, { staleTime: Infinity });
  const { values } = form;
  const cities = [...new Set([profile.city, ...(options?.cities ?? [])])];
  const tags = [...new Set([...profile.tags, ...(options?.tags ?? [])])];
  return (
    <>
      <h2>{m.edit_about()}</h2>
      <TextField label={m.profile_nickname()} {...form.field('nickname')} />
      <TextField
        label={m.profile_birthday()}
        {...form.field('birthday')}
        disabled={profile.birthday_locked}
        hint={profile.birthday_locked ? m.profile_birthday_locked() : m.profile_birthday_hint()}
      />
      <SelectField
        prompt={m.field_choose()}
        label={m.profile_city()}
        options={cities.map((city) => ({ value: city, text: city }))}
        {...form.field('city')}
      />
      <NumberField
        lessLabel={m.field_less()}
        moreLabel={m.field_more()}
        label={m.profile_height()}
        optional={m.field_optional()}
        min={LEAST_HEIGHT}
        max={MOST_HEIGHT}
        {...form.field('height')}
      />
      <TextField label={m.profile_job()} optional={m.field_optional()} {...form.field('job')} />
      <TextArea
        label={m.profile_intro()}
        optional={m.field_optional()}
        most={INTRO_CHARACTERS}
        {...form.field('intro')}
      />
      <div>
        <h3>{m.profile_languages()}</h3>
        <Chips
          label={m.profile_languages()}
          options={LANGUAGES.map((code) => ({ value: code, text: languageName(code) }))}
          chosen={values.languages}
          onChange={(chosen) => form.set('languages', [...chosen])}
        />
      </div>
      <div>
        <h3>{m.profile_tags({ most: MOST_TAGS })}</h3>
        <Chips
          label={m.profile_tags({ most: MOST_TAGS })}
          options={tags.map((tag) => ({ value: tag, text: tag }))}
          chosen={values.tags}
          most={MOST_TAGS}
          onChange={(chosen) => form.set('tags', [...chosen])}
        />
      </div>
    </>
  );
}

/** Shows how other users see the profile with its changes. */
function Preview({ profile, values }: { profile: Profile; values: ProfileFields['values'] }) {
  const { minutes } = useTicks();
  const now = useStore(minutes);
  return (
    <aside className={styles.preview} aria-label={m.edit_preview()}>
      <h2>{m.edit_preview()}</h2>
      <PersonCard
        person={{
          ...profile,
          nickname: values.nickname,
          city: values.city,
          price: 0,
          accepts_video: true,
          presence: 'online',
          last_seen_at: null,
        }}
        now={now}
        eager={false}
      />
      {values.intro !== '' && <p>{values.intro}</p>}
    </aside>
  );
}

const fieldsOf = (profile: Profile) => ({
  nickname: profile.nickname,
  birthday: profile.birthday,
  city: profile.city,
  height: profile.height,
  job: profile.job,
  intro: profile.intro,
  languages: profile.languages.filter(isLanguage),
  tags: profile.tags,
});
