import { ArrowUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { m } from '../../../core/i18n/generated/messages.js';
import { IconButton } from '../../../ui/kit/button.tsx';
import styles from './back-to-top.module.css';

/** After so many screens it is a long way up. */
const SCREENS = 1.5;

/** The way back to the top of a long list, once it is long. */
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
