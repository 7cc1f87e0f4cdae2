import { ArrowUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { m } from '../../../core/i18n/generated/messages.js';
import { IconButton } from '../../../../ui/kit/button.tsx';
import styles from './back-to-top.module.css';

/** The button appears after this many screens of scrolling. */
const SCREENS = 1.5;

/** Scrolls a long list back to its top. */
export function BackToTop() {
  const [isFar, setFar] = useState(false);
  useEffect(() => {
    const look = (): void => setFar(scrollY > SCREENS * innerHeight);
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  if (!isFar) return null;
  return (
    <IconButton
      className={styles.button}
      label={m.home_to_top()}
      icon={<ArrowUp aria-hidden="true" />}
      onClick={() => scrollTo({ top: 0 })}
    />
  );
}
