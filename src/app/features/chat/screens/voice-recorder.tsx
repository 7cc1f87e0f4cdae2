import { MicOff, SendHorizontal, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { VOICE_NOTE_SECONDS } from '../../../../protocol/product/chat.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button, IconButton } from '../../../../ui/kit/button.tsx';
import { usePorts, useTicks } from '../../../core/hooks/areas.ts';
import { useStore } from '../../../../ui/store/use-store.ts';
import { durationText } from './message-summary.ts';
import { type Recording, startRecording } from './recording.ts';
import styles from './voice-recorder.module.css';

interface VoiceRecorderProps {
  onSend(note: Blob, durationMs: number): void;
  onCancel(): void;
}

type State =
  | { readonly kind: 'asking' }
  | { readonly kind: 'recording'; readonly recording: Recording; readonly startedAt: number }
  | { readonly kind: 'failed' };

/** Records a voice note from when it is mounted until the user sends or cancels it. */
export function VoiceRecorder({ onSend, onCancel }: VoiceRecorderProps) {
  const ports = usePorts();
  const { seconds } = useTicks();
  const { clock, logger } = ports;
  useStore(seconds);
  const [state, setState] = useState<State>({ kind: 'asking' });

  useEffect(() => {
    const stop = new AbortController();
    startRecording(stop.signal, clock).then(
      (recording) => setState({ kind: 'recording', recording, startedAt: clock.wallTime() }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        logger.warn('the voice note was not recorded', error);
        setState({ kind: 'failed' });
      },
    );
    return () => stop.abort();
  }, [clock, logger]);

  const recordedMs = state.kind === 'recording' ? clock.wallTime() - state.startedAt : 0;
  const most = VOICE_NOTE_SECONDS * 1_000;

  async function send(): Promise<void> {
    if (state.kind !== 'recording') return;
    const durationMs = Math.min(most, clock.wallTime() - state.startedAt);
    const note = await state.recording.finish();
    if (note.size > 0) onSend(note, durationMs);
    else setState({ kind: 'failed' });
  }

  if (state.kind === 'failed') return <Failure onDismiss={onCancel} />;
  const isFull = recordedMs >= most;
  return (
    <div className={styles.recorder}>
      <IconButton label={m.chat_voice_cancel()} icon={<Trash2 aria-hidden="true" />} onClick={onCancel} />
      <span className={styles.words} role="status">
        <span className={styles.dot} aria-hidden="true" />
        {state.kind === 'asking' ? m.chat_voice_asking() : isFull ? m.chat_voice_full() : m.chat_voice_recording()}
      </span>
      <span className={styles.length} role="timer">
        {durationText(Math.min(recordedMs, most))}
      </span>
      <button
        type="button"
        className={styles.send}
        disabled={state.kind === 'asking'}
        aria-label={m.chat_voice_send()}
        title={m.chat_voice_send()}
        onClick={() => void send()}
      >
        <SendHorizontal aria-hidden="true" size={20} />
      </button>
    </div>
  );
}

function Failure({ onDismiss }: { onDismiss(): void }) {
  return (
    <div className={styles.recorder} role="alert">
      <MicOff aria-hidden="true" size={20} />
      <span className={styles.words}>{m.chat_voice_failed()}</span>
      <Button onClick={onDismiss}>{m.dismiss()}</Button>
    </div>
  );
}
