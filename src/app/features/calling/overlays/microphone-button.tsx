import { Mic, MicOff } from 'lucide-react';
import { m } from '../../../core/i18n/generated/messages.js';
import { resting } from '../../../../ui/kit/resting.ts';
import type { CallViewModel } from './call-view/call-view-model.ts';

/** Renders the button without text that mutes and unmutes the microphone of a call. */
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
