import { UserRound } from 'lucide-react';
import { useState } from 'react';
import { useProduct } from '../../core/hooks/areas.ts';
import styles from './picture.module.css';
import { safeImageUrl } from './safe-image-url.ts';

interface PictureProps {
  url: string;
  /** The shape: `portrait` fills a 3:4 card, `round` is an avatar. */
  shape: 'portrait' | 'round';
  /** Whether the picture is loaded at once, for the first screen. Default: false. */
  eager?: boolean;
}

/** Shows the picture of a user, or a placeholder. It is decorative: the name is always written beside it. */
export function Picture({ url, shape, eager = false }: PictureProps) {
  const { imageBase } = useProduct();
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const source = safeImageUrl(url, imageBase);
  const missing = source === null || source === failedUrl;

  return (
    <span className={`${styles.picture} ${styles[shape]}`} data-placeholder={missing || undefined}>
      {missing ? (
        <UserRound aria-hidden="true" strokeWidth={1.25} />
      ) : (
        <img
          src={source}
          alt=""
          width={600}
          height={800}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          draggable={false}
          onError={() => setFailedUrl(source)}
        />
      )}
    </span>
  );
}
