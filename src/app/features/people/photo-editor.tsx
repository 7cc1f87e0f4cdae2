import { ArrowLeft, ArrowRight, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { MediaReason } from '../../../protocol/product/media.ts';
import type { Profile } from '../../../protocol/product/profiles.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { Button, IconButton } from '../../../ui/kit/button.tsx';
import { FormFailure } from '../../../ui/kit/form-failure.tsx';
import { Picture } from '../../ui/people/picture.tsx';
import { StatusChip } from '../../../ui/kit/status-chip.tsx';
import { refusalText } from '../../core/product/refusal-text.ts';
import { useProductMutation } from '../../core/hooks/use-product.ts';
import { movedTo } from './people-list.ts';
import type { ChosenPhoto } from './chosen-photo.ts';
import styles from './photo-editor.module.css';
import { PhotoPicker } from './photo-picker.tsx';

const reasons: Record<MediaReason, () => string> = { blank: m.photo_blank, too_small: m.photo_too_small };

/**
 * Adds, removes and orders the photos of a profile, by drag or by buttons. The first one is the cover. Each change is
 * saved at once.
 */
export function PhotoEditor({ profile: { photos }, most }: { profile: Profile; most: number }) {
  const [chosen, setChosen] = useState<ChosenPhoto | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const editor = useProfilePhotos(photos);
  const { isBusy } = editor;

  async function add(photo: ChosenPhoto): Promise<void> {
    if (await editor.add(photo)) setChosen(null);
  }

  return (
    <section className={styles.editor} aria-label={m.photos_title()}>
      <ul className={styles.photos}>
        {photos.map((photo, place) => (
          <li
            key={photo.media_id}
            draggable
            data-dragged={dragged === place || undefined}
            onDragStart={() => setDragged(place)}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== null && dragged !== place) void editor.move(dragged, place);
              setDragged(null);
            }}
          >
            <Picture url={photo.small ?? photo.url} shape="portrait" />
            <PhotoState photo={photo} isCover={place === 0} />
            <PhotoButtons
              place={place}
              isLast={place === photos.length - 1}
              isBusy={isBusy}
              onMove={(to) => void editor.move(place, to)}
              onRemove={() => void editor.remove(photo.media_id)}
            />
          </li>
        ))}
      </ul>
      {photos.length < most && (
        <PhotoPicker
          label={m.photo_add({ count: photos.length, most })}
          photo={chosen}
          busy={isBusy}
          onPhoto={setChosen}
        />
      )}
      {chosen !== null && <Decision isBusy={isBusy} onCancel={() => setChosen(null)} onUse={() => void add(chosen)} />}
      <FormFailure words={editor.failure} />
    </section>
  );
}

/** Asks whether to add the chosen photo. */
function Decision({ isBusy, onCancel, onUse }: { isBusy: boolean; onCancel(): void; onUse(): void }) {
  return (
    <div className={styles.decide}>
      <Button disabled={isBusy} onClick={onCancel}>
        {m.dialog_cancel()}
      </Button>
      <Button look="primary" busy={isBusy} onClick={onUse}>
        {m.photo_use()}
      </Button>
    </div>
  );
}

/** Returns the requests that change the photos of a profile, and the last failure. */
function useProfilePhotos(photos: Profile['photos']) {
  const [failure, setFailure] = useState<string | null>(null);
  const invalidates = ['myProfile', 'person', 'discover'] as const;
  const upload = useProductMutation('uploadMedia');
  const change = useProductMutation('changeProfile', { invalidates });
  const remove = useProductMutation('deleteMedia', { invalidates });
  const ids = photos.map(({ media_id }) => media_id);

  /** Performs a change. A refusal is shown below the photos. Resolves to whether the change was made. */
  async function keep(work: () => Promise<unknown>): Promise<boolean> {
    setFailure(null);
    try {
      await work();
      return true;
    } catch (error) {
      setFailure(refusalText(error));
      return false;
    }
  }

  return {
    failure,
    isBusy: upload.isPending || change.isPending || remove.isPending,
    move: (from: number, to: number) =>
      keep(() => change.mutateAsync({ body: { photos: [...movedTo(ids, from, to)] } })),
    remove: (media_id: string) => keep(() => remove.mutateAsync({ params: { media_id } })),
    add: (photo: ChosenPhoto) =>
      keep(async () => {
        const { portraitOf } = await import('./chosen-photo.ts');
        const body = await portraitOf(photo);
        const { media_id } = await upload.mutateAsync({ query: { for: 'profile' }, body });
        await change.mutateAsync({ body: { photos: [...ids, media_id] } });
      }),
  };
}

function PhotoState({ photo, isCover }: { photo: Profile['photos'][number]; isCover: boolean }) {
  return (
    <span className={styles.state}>
      {isCover && <StatusChip tone="calm">{m.photo_cover()}</StatusChip>}
      {photo.status === 'pending' && <StatusChip tone="waiting">{m.photo_pending()}</StatusChip>}
      {photo.status === 'rejected' && (
        <StatusChip tone="bad">{photo.reason === null ? m.photo_rejected() : reasons[photo.reason]()}</StatusChip>
      )}
    </span>
  );
}

interface PhotoButtonsProps {
  /** The position of the photo, from 0. */
  place: number;
  isLast: boolean;
  isBusy: boolean;
  onMove(to: number): void;
  onRemove(): void;
}

function PhotoButtons({ place, isLast, isBusy, onMove, onRemove }: PhotoButtonsProps) {
  return (
    <span className={styles.buttons}>
      <IconButton
        label={m.photo_earlier({ at: place + 1 })}
        icon={<ArrowLeft aria-hidden="true" size={18} />}
        disabled={place === 0 || isBusy}
        onClick={() => onMove(place - 1)}
      />
      <IconButton
        label={m.photo_later({ at: place + 1 })}
        icon={<ArrowRight aria-hidden="true" size={18} />}
        disabled={isLast || isBusy}
        onClick={() => onMove(place + 1)}
      />
      <IconButton
        label={m.photo_remove({ at: place + 1 })}
        icon={<Trash2 aria-hidden="true" size={18} />}
        disabled={isBusy}
        onClick={onRemove}
      />
    </span>
  );
}
