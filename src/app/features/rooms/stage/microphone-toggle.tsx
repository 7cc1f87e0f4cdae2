import { Mic, MicOff } from 'lucide-react';
import { resting } from '../../../../ui/kit/resting.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import type { RoomVisit, VisitState } from '../../../../react/index.ts';

/** Renders the microphone button of a small window. Its parent gives it the look. */
export function MicrophoneToggle({ visit, state }: { visit: RoomVisit; state: VisitState }) {
  const isMissing = state.missing.microphone !== undefined;
  const on = state.microphoneOn && !isMissing;
  return (
    <button
      type="button"
      aria-label={m.control_microphone()}
      aria-pressed={on}
      title={m.control_state({ name: m.control_microphone(), state: on ? m.control_on() : m.control_off() })}
      {...resting(isMissing || state.stage.name !== 'inside', visit.toggleMicrophone)}
    >
      {on ? <Mic aria-hidden="true" /> : <MicOff aria-hidden="true" />}
    </button>
  );
}
