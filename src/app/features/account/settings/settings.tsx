import { m } from '../../../core/i18n/generated/messages.js';
import { ThisDevice } from '../my-page/this-device.tsx';
import { LanguageChoice } from '../../shell/language-choice.tsx';
import { PageHeader } from '../../shell/page-header.tsx';
import { ThemeChoice } from '../../shell/theme-choice.tsx';
import { homePath } from '../../../core/session/home-path.ts';
import { useSignedIn } from '../../../core/hooks/areas.ts';
import { Blocked } from './blocked.tsx';
import { CallDevices } from './call-devices.tsx';
import { CallSounds } from './call-sounds.tsx';
import { CloseAccount } from './close-account.tsx';
import { Diagnostics } from './diagnostics.tsx';
import { Security } from './security.tsx';
import styles from './settings.module.css';

/**
 * Shows the settings: appearance, language, notifications, call devices, sounds, blocked users, security and
 * diagnostics.
 */
export default function Settings() {
  const me = useSignedIn();
  return (
    <>
      <PageHeader title={m.settings_title()} back={homePath(me?.genderType ?? null)} />
      <div className={styles.page}>
        <section>
          <h2>{m.settings_appearance()}</h2>
          <LanguageChoice />
          <ThemeChoice />
        </section>
        <ThisDevice />
        <CallDevices />
        <CallSounds />
        <section>
          <h2>{m.settings_blocked()}</h2>
          <Blocked />
        </section>
        <Security />
        <Diagnostics />
        <CloseAccount />
      </div>
    </>
  );
}
