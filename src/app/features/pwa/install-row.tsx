import { Download, Share, SquarePlus } from 'lucide-react';
import { useState } from 'react';
import { m } from '../../core/i18n/generated/messages.js';
import { Button } from '../../../ui/kit/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { usePwa } from './pwa.ts';
import { useStore } from '../../../ui/store/use-store.ts';
import styles from './install-row.module.css';

interface InstallRowProps {
  /** True shows the row before the app has proved useful. Default: false. */
  always?: boolean;
}

/** Shows how to install the app. Renders nothing when the app cannot be installed. */
export function InstallRow({ always = false }: InstallRowProps) {
  const pwa = usePwa();
  const way = useStore(always ? pwa.install.way : pwa.install.offer);
  const [showsSteps, setShowsSteps] = useState(false);
  if (way === 'none') return null;

  return (
    <section className={styles.row} aria-labelledby="install-title">
      <img src="/icons/icon-192.png" alt="" width="48" height="48" />
      <div className={styles.words}>
        <p id="install-title">{m.pwa_install_title()}</p>
        <p>{m.pwa_install_hint()}</p>
      </div>
      {way === 'prompt' ? (
        <Button className={styles.action} onClick={() => void pwa.install.prompt()}>
          <Download aria-hidden="true" size={18} />
          {m.pwa_install_action()}
        </Button>
      ) : (
        <Button className={styles.action} aria-haspopup="dialog" onClick={() => setShowsSteps(true)}>
          {m.pwa_install_how()}
        </Button>
      )}
      {showsSteps && <InstallSteps onClose={() => setShowsSteps(false)} />}
    </section>
  );
}

/** Explains the installation on iOS, where the user installs by the share sheet. */
function InstallSteps({ onClose }: { onClose(): void }) {
  return (
    <Modal label={m.pwa_ios_title()} onClose={onClose}>
      <div className={styles.sheet}>
        <h2>{m.pwa_ios_title()}</h2>
        <ol className={styles.steps}>
          <li>
            <Share aria-hidden="true" />
            <span>{m.pwa_ios_step_share()}</span>
          </li>
          <li>
            <SquarePlus aria-hidden="true" />
            <span>{m.pwa_ios_step_add()}</span>
          </li>
          <li>
            <img src="/icons/icon-192.png" alt="" width="24" height="24" />
            <span>{m.pwa_ios_step_open()}</span>
          </li>
        </ol>
      </div>
    </Modal>
  );
}
