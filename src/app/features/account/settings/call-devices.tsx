import { useState } from 'react';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { Switch } from '../../../../ui/kit/choices.tsx';
import { useCalling } from '../../calling/use-calling.ts';
import { onDemand } from '../../shell/on-demand.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';

const { Part: DeviceCheck } = onDemand(async () => (await import('../../devices/device-check.tsx')).DeviceCheck);

/**
 * Selects and tests the camera, microphone and speaker of calls. No device is opened before the user asks for a test.
 */
export function CallDevices() {
  const { dialer } = useCalling();
  const looksFirst = useStore(dialer.looksFirst);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section aria-labelledby="settings-calls">
      <h2 id="settings-calls">{m.settings_calls()}</h2>
      <Switch
        label={m.settings_look_first()}
        hint={m.settings_look_first_hint()}
        checked={looksFirst}
        onChange={dialer.setLooksFirst}
      />
      <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? m.settings_test_end() : m.settings_test()}
      </Button>
      {isOpen && <DeviceCheck camera />}
    </section>
  );
}
