import { useState } from 'react';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import type { ChosenPhoto } from '../../people/chosen-photo.ts';
import { PhotoPicker } from '../../people/photo-picker.tsx';
import { refusalText } from '../../../core/product/refusal-text.ts';
import styles from './page.module.css';

interface PhotoStepProps {
  photo: ChosenPhoto | null;
  isLast: boolean;
  onPhoto(photo: ChosenPhoto | null): void;
  onBack(): void;
  onDone(): Promise<void>;
}

/** Asks for the first photo. The user can skip it. */
export function PhotoStep({ photo, isLast, onPhoto, onBack, onDone }: PhotoStepProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function finish(): Promise<void> {
    setFailure(null);
    setIsBusy(true);
    try {
      await onDone();
    } catch (error) {
      setFailure(refusalText(error));
      setIsBusy(false);
    }
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void finish();
      }}
    >
      <FormFailure words={failure} />
      <p className={styles.small}>{m.photo_step_hint()}</p>
      <PhotoPicker label={m.photo_choose()} photo={photo} busy={isBusy} onPhoto={onPhoto} />
      {photo !== null && (
        <Button look="plain" disabled={isBusy} onClick={() => onPhoto(null)}>
          {m.photo_step_without()}
        </Button>
      )}
      <div className={styles.buttons}>
        <Button onClick={onBack}>{m.register_back()}</Button>
        <Button type="submit" look="primary" busy={isBusy}>
          {photo === null ? m.photo_step_later() : isLast ? m.register_finish() : m.register_next()}
        </Button>
      </div>
    </form>
  );
}
