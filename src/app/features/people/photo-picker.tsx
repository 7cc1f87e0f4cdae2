import { ImagePlus } from 'lucide-react';
import { useState } from 'react';
import { PHOTO_BYTES, PHOTO_TYPES } from '../../../protocol/product/media.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { FileDrop } from '../../../ui/kit/file-drop.tsx';
import { FormFailure } from '../../../ui/kit/form-failure.tsx';
import { usePorts } from '../../core/hooks/areas.ts';
import { onDemand } from '../shell/on-demand.tsx';
import type { ChosenPhoto } from './chosen-photo.ts';

const { Part: PhotoCropper } = onDemand(async () => (await import('./photo-cropper.tsx')).PhotoCropper);

/** The file may be larger than a photo, since the app shrinks it before it is sent. */
const MOST_BYTES = PHOTO_BYTES * 4;

interface PhotoPickerProps {
  label: string;
  photo: ChosenPhoto | null;
  busy?: boolean;
  onPhoto(photo: ChosenPhoto): void;
}

/** Selects one picture and crops it to 3:4. */
export function PhotoPicker({ label, photo, busy = false, onPhoto }: PhotoPickerProps) {
  const ports = usePorts();
  const [failure, setFailure] = useState<string | null>(null);

  async function read(file: File): Promise<void> {
    setFailure(null);
    try {
      const { readPhoto } = await import('./chosen-photo.ts');
      onPhoto(await readPhoto(file));
    } catch (error) {
      ports.logger.warn('the picture cannot be read', error);
      setFailure(m.identity_no_picture());
    }
  }

  return (
    <>
      {photo !== null && <PhotoCropper photo={photo} onView={(view) => onPhoto({ ...photo, view })} />}
      <FileDrop
        wrongType={m.file_wrong_type()}
        tooLarge={m.refusal_too_large()}
        label={photo === null ? label : m.photo_other()}
        hint={m.photo_hint()}
        icon={<ImagePlus />}
        accept={PHOTO_TYPES}
        most={MOST_BYTES}
        busy={busy}
        onFile={(file) => void read(file)}
      />
      <FormFailure words={failure} />
    </>
  );
}
