import { Mic, MicOff } from 'lucide-react';
import { m } from '../../../core/i18n/generated/messages.js';
import { resting } from '../../../ui/kit/resting.ts';
import type { CallViewModel } from './call-view/call-view-model.ts';

/** Mutes the microphone of a call and gives it back, where there is no room for words. */
export function MicrophoneButton({ view, onPress }: { view: CallViewModel; onPress(): void }) {
  const microphone = view.controls.find((control) => control.name === 'microphone');
  if (microphone?.name !== 'microphone') return null;
  return (
    <button
      type="button"
      aria-label={m.control_microphone()}
      aria-pressed={microphone.on}
      {...resting(microphone.disabled, onPress)}
    >
      {microphone.on ? <Mic aria-hidden="true" /> : <MicOff aria-hidden="true" />}
    </button>
  );
}
