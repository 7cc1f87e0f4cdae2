import { ImagePlus } from 'lucide-react';
import { useRef } from 'react';
import { PHOTO_BYTES, PHOTO_TYPES } from '../../../../protocol/product/media.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { IconButton } from '../../../../ui/kit/button.tsx';
import { useUi } from '../../../ui/use-ui.ts';

const MEGABYTE = 1024 * 1024;

/** Chooses a photo to send. A file of another type, or one that is too large, is refused with a notice. */
export function PhotoButton({ onPhoto }: { onPhoto(file: File): void }) {
  const { dialogs } = useUi();
  const files = useRef<HTMLInputElement>(null);

  async function choose(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    if (!PHOTO_TYPES.some((type) => type === file.type)) return dialogs.alert({ title: m.file_wrong_type() });
    if (file.size > PHOTO_BYTES)
      return dialogs.alert({ title: m.chat_photo_too_big({ megabytes: PHOTO_BYTES / MEGABYTE }) });
    onPhoto(file);
  }

  return (
    <>
      <input
        ref={files}
        type="file"
        accept={PHOTO_TYPES.join(',')}
        hidden
        onChange={({ currentTarget }) => {
          void choose(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      <IconButton
        label={m.chat_photo_send()}
        icon={<ImagePlus aria-hidden="true" />}
        onClick={() => files.current?.click()}
      />
    </>
  );
}
