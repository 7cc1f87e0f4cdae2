import { Mic, Square, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { VOICE_TYPES } from '../../../../protocol/product/media.ts';
import { VOICE_INTRO_SECONDS } from '../../../../protocol/product/profile-limits.ts';
import type { Profile } from '../../../../protocol/product/profiles.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { StatusChip } from '../../../../ui/kit/status-chip.tsx';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { useProductMutation } from '../../../core/hooks/use-product.ts';
import { usePorts } from '../../../core/hooks/areas.ts';
import type { Recording } from './record-voice.ts';
import styles from './voice-intro.module.css';

/** Records and plays the voice introduction of the user. */
export function VoiceIntro({ profile: { voice_intro: kept } }: { profile: Profile }) {
  const ports = usePorts();
  const [recording, setRecording] = useState<Recording | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const upload = useProductMutation('uploadMedia');
  const change = useProductMutation('changeProfile', { invalidates: ['myProfile', 'person'] });
  const isBusy = upload.isPending || change.isPending;
  const latest = useRef<Recording | null>(null);
  useEffect(() => {
    latest.current = recording;
  }, [recording]);
  // Leaving the page releases the microphone.
  useEffect(() => () => latest.current?.stop(), []);

  async function start(): Promise<void> {
    setFailure(null);
    try {
      const { record } = await import('./record-voice.ts');
      const started = await record(VOICE_TYPES, VOICE_INTRO_SECONDS * 1_000, ports.clock);
      setRecording(started);
      const voice = await started.done;
      setRecording(null);
      const { media_id } = await upload.mutateAsync({ query: { for: 'profile' }, body: voice });
      await change.mutateAsync({ body: { voice_intro: media_id } });
    } catch (error) {
      setRecording(null);
      setFailure(error instanceof DOMException ? m.voice_no_microphone() : refusalText(error));
    }
  }

  return (
    <section className={styles.voice} aria-label={m.voice_title()}>
      <p>{m.voice_hint({ seconds: VOICE_INTRO_SECONDS })}</p>
      {kept !== null && <Kept voice={kept} />}
      <div className={styles.buttons}>
        {recording === null ? (
          <Button busy={isBusy} onClick={() => void start()}>
            <Mic aria-hidden="true" size={18} />
            {kept === null ? m.voice_record() : m.voice_again()}
          </Button>
        ) : (
          <Button look="danger" onClick={() => recording.stop()}>
            <Square aria-hidden="true" size={18} />
            {m.voice_stop()}
          </Button>
        )}
        {kept !== null && recording === null && (
          <Button busy={isBusy} onClick={() => change.mutate({ body: { voice_intro: null } })}>
            <Trash2 aria-hidden="true" size={18} />
            {m.voice_remove()}
          </Button>
        )}
      </div>
      <p role="status" className="visually-hidden">
        {recording === null ? '' : m.voice_recording()}
      </p>
      <FormFailure words={failure} />
    </section>
  );
}

/** Plays the voice introduction that the server has. */
function Kept({ voice }: { voice: NonNullable<Profile['voice_intro']> }) {
  return (
    <div className={styles.kept}>
      <audio controls preload="none" src={voice.url} aria-label={m.voice_title()} />
      {voice.status === 'pending' && <StatusChip tone="waiting">{m.photo_pending()}</StatusChip>}
    </div>
  );
}
