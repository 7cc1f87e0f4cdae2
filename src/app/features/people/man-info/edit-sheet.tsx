import * as v from 'valibot';
import { INTRO_CHARACTERS, NICKNAME_CHARACTERS } from '../../../../protocol/product/profile-limits.ts';
import type { Profile } from '../../../../protocol/product/profiles.ts';
import { useForm } from '../../../ui/forms/use-form.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { SelectField } from '../../../../ui/kit/select-field.tsx';
import { TextArea } from '../../../ui/forms/text-area.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
import { PhotoEditor } from '../photo-editor.tsx';
import { useProductMutation, useProductQuery } from '../../../core/hooks/use-product.ts';
import styles from './edit-sheet.module.css';

const schema = v.object({
  nickname: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, () => m.profile_nickname_missing()),
    v.maxLength(NICKNAME_CHARACTERS, () => m.field_too_long()),
  ),
  city: v.string(),
  intro: v.pipe(
    v.string(),
    v.maxLength(INTRO_CHARACTERS, () => m.field_too_long()),
  ),
});

/** Edits the public profile of a man. */
export function EditSheet({ profile, onClose }: { profile: Profile; onClose(): void }) {
  const { data: options } = useProductQuery('options', {}, { staleTime: Infinity });
  const save = useProductMutation('changeProfile', { invalidates: ['myProfile', 'person'] });
  const form = useForm({
    schema,
    initial: { nickname: profile.nickname, city: profile.city, intro: profile.intro },
    async send(body) {
      await save.mutateAsync({ body });
      onClose();
    },
  });
  const cities = [...new Set([profile.city, ...(options?.cities ?? [])])];

  return (
    <Modal label={m.own_edit()} onClose={onClose}>
      <form {...form.props} className={styles.sheet}>
        <h2>{m.own_edit()}</h2>
        <PhotoEditor profile={profile} most={3} />
        <TextField label={m.profile_nickname()} {...form.field('nickname')} />
        <SelectField
          prompt={m.field_choose()}
          label={m.profile_city()}
          options={cities.map((city) => ({ value: city, text: city }))}
          {...form.field('city')}
        />
        <TextArea
          label={m.profile_intro()}
          optional={m.field_optional()}
          most={INTRO_CHARACTERS}
          {...form.field('intro')}
        />
        <FormFailure words={form.failure} />
        <Button look="primary" type="submit" busy={form.isSending}>
          {m.profile_save()}
        </Button>
      </form>
    </Modal>
  );
}
