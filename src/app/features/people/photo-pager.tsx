import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { m } from '../../core/i18n/generated/messages.js';
import { IconButton } from '../../../ui/kit/button.tsx';
import { Picture } from '../../ui/people/picture.tsx';
import styles from './photo-pager.module.css';

/** Shows photos side by side. The user swipes, or presses the buttons. */
export function PhotoPager({ urls, name }: { urls: readonly string[]; name: string }) {
  const strip = useRef<HTMLUListElement>(null);
  const [at, setAt] = useState(0);
  const show = (place: number): void =>
    strip.current?.scrollTo({ left: place * strip.current.clientWidth, behavior: 'smooth' });

  return (
    <section className={styles.pager} aria-label={m.person_photos({ name })}>
      <ul
        ref={strip}
        // Some browsers do not make a scrolling element focusable, which the arrow keys need.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the user scrolls the element with keys
        tabIndex={urls.length > 1 ? 0 : undefined}
        className={styles.strip}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) => setAt(Math.round(scrollLeft / clientWidth))}
      >
        {urls.map((url, place) => (
          <li key={url}>
            <Picture url={url} shape="portrait" eager={place === 0} />
          </li>
        ))}
      </ul>
      {urls.length > 1 && (
        <>
          <span className={styles.buttons}>
            <IconButton
              label={m.photo_previous()}
              icon={<ChevronLeft aria-hidden="true" />}
              disabled={at === 0}
              onClick={() => show(at - 1)}
            />
            <IconButton
              label={m.photo_next()}
              icon={<ChevronRight aria-hidden="true" />}
              disabled={at === urls.length - 1}
              onClick={() => show(at + 1)}
            />
          </span>
          <p className={styles.dots} role="status">
            <span className="visually-hidden">{m.photo_place({ at: at + 1, count: urls.length })}</span>
            {urls.map((url, place) => (
              <span key={url} aria-hidden="true" data-here={place === at} />
            ))}
          </p>
        </>
      )}
    </section>
  );
}
