import { ServerOff } from 'lucide-react';
import { m } from '../../core/i18n/generated/messages.js';
import { StateCard } from '../../../ui/kit/state-card.tsx';

/** Shows that the page has no valid settings. The console names the faulty ones. */
export function ConfigBroken() {
  return (
    <main>
      <StateCard
        level={1}
        icon={<ServerOff />}
        title={m.config_broken_title()}
        hint={m.config_broken_hint()}
        role="alert"
      />
    </main>
  );
}
