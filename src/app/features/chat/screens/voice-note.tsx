import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { m } from '../../../core/i18n/generated/messages.js';
import { safeImageUrl } from '../../../ui/people/safe-image-url.ts';
import { useProduct } from '../../../core/hooks/areas.ts';
import { durationText } from './message-summary.ts';
import styles from './voice-note.module.css';

/** Plays a voice note. The duration comes from the message, since recorded files often have none. */
export function VoiceNote({ url, durationMs }: { url: string; durationMs: number }) {
  const { imageBase } = useProduct();
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [playedMs, setPlayedMs] = useState(0);
  const source = url.startsWith('blob:') ? url : safeImageUrl(url, imageBase);
  useEffect(() => {
    const player = audio.current;
    return () => player?.pause();
  }, []);

  function toggle(): void {
    const player = audio.current;
    if (player === null) return;
    if (isPlaying) player.pause();
    else player.play().catch(() => setIsPlaying(false));
  }

  return (
    <span className={styles.note}>
      <button type="button" aria-label={isPlaying ? m.chat_voice_pause() : m.chat_voice_play()} onClick={toggle}>
        {isPlaying ? <Pause aria-hidden="true" size={20} /> : <Play aria-hidden="true" size={20} />}
      </button>
      <progress
        className={styles.bar}
        value={Math.min(playedMs, durationMs)}
        max={Math.max(1, durationMs)}
        aria-label={m.chat_voice_progress()}
      />
      <span className={styles.length}>{durationText(isPlaying || playedMs > 0 ? playedMs : durationMs)}</span>
      <audio
        ref={audio}
        src={source ?? undefined}
        preload="none"
        onPlay={() => setIsPlaying(true)}
        onPause={() => setIsPlaying(false)}
        onEnded={() => setPlayedMs(0)}
        onTimeUpdate={({ currentTarget }) => setPlayedMs(currentTarget.currentTime * 1_000)}
      />
    </span>
  );
}
