import { CircleAlert, LockKeyhole, SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { m } from '../../core/i18n/generated/messages.js';
import { Button } from '../../../ui/kit/button.tsx';
import { useBrowserKind } from './browser-kind.ts';
import { type Denial, permissionSteps } from './permission-steps.ts';
import styles from './permission-help.module.css';

interface PermissionHelpProps {
  denial: Denial;
  onRetry(): void;
}

/** Explains how to permit a denied device in this browser, and offers another attempt. */
export function PermissionHelp({ denial, onRetry }: PermissionHelpProps) {
  const browser = useBrowserKind();
  return (
    <section className={styles.help} role="alert">
      <h3>
        <CircleAlert aria-hidden="true" size={18} />
        {m.permission_title()}
      </h3>
      {denial === 'page' && (browser === 'chromium' || browser === 'firefox') && (
        <AddressBar icon={browser === 'chromium' ? <SlidersHorizontal /> : <LockKeyhole />} />
      )}
      <ol>
        {permissionSteps(denial, browser).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Button onClick={onRetry}>{m.retry()}</Button>
    </section>
  );
}

/** Draws the address bar of a browser with the button to press. */
function AddressBar({ icon }: { icon: ReactNode }) {
  return (
    <div className={styles.bar} aria-hidden="true">
      <span className={styles.control}>{icon}</span>
      <span>{location.host}</span>
    </div>
  );
}
