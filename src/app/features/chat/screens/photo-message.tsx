import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { m } from '../../../core/i18n/generated/messages.js';
import { Modal } from '../../../ui/modal.tsx';
import { safeImageUrl } from '../../../ui/people/safe-image-url.ts';
import { useProduct } from '../../../core/hooks/areas.ts';
import styles from './photo-message.module.css';

interface PhotoMessageProps {
  url: string;
  /** Pixels. 0 before the size is known. */
  width: number;
  height: number;
}

/** Renders a photo. A press shows it large. */
export function PhotoMessage({ url, width, height }: PhotoMessageProps) {
  const { imageBase } = useProduct();
  const [isOpen, setIsOpen] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  // A photo that is being sent is shown from this page.
  const source = url.startsWith('blob:') ? url : safeImageUrl(url, imageBase);
  if (source === null || hasFailed) {
    return (
      <span className={styles.missing}>
        <ImageOff aria-hidden="true" size={20} />
        {m.chat_photo_missing()}
      </span>
    );
  }
  return (
    <>
      <button type="button" className={styles.photo} aria-label={m.chat_photo_open()} onClick={() => setIsOpen(true)}>
        <img
          src={source}
          alt=""
          style={width > 0 && height > 0 ? { aspectRatio: `${width} / ${height}` } : { aspectRatio: '4 / 3' }}
          decoding="async"
          onError={() => setHasFailed(true)}
        />
      </button>
      {isOpen && (
        <Modal label={m.chat_summary_photo()} onClose={() => setIsOpen(false)}>
          <img src={source} alt={m.chat_summary_photo()} className={styles.large} />
        </Modal>
      )}
    </>
  );
}
