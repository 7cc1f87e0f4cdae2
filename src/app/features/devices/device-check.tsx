import { MicOff, PlugZap, VideoOff, Volume2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type DeviceFault, StreamVideo, useDevices } from '../../../react/index.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { Button } from '../../../ui/kit/button.tsx';
import { StateCard } from '../../../ui/kit/state-card.tsx';
import { usePorts } from '../../core/hooks/areas.ts';
import { useCalling } from '../calling/use-calling.ts';
import { useUi } from '../../ui/use-ui.ts';
import { useStore } from '../../../ui/store/use-store.ts';
import styles from './device-check.module.css';
import { DeviceFields } from './device-fields.tsx';
import { createDeviceLook } from './device-look.ts';
import { meterLevel } from './level-meter.ts';
import { PermissionHelp } from './permission-help.tsx';
import { playTestTone } from './test-tone.ts';

interface DeviceCheckProps {
  /** True checks the camera, too. */
  camera: boolean;
}

/**
 * Shows the devices as a call would use them: the camera picture, the microphone level and a test tone, with their
 * choice.
 */
export function DeviceCheck({ camera }: DeviceCheckProps) {
  const ports = usePorts();
  const { calling } = useCalling();
  const [look] = useState(() => createDeviceLook({ calling, permissions: ports.devicePermissions }, { camera }));
  const { stream, missing, denial, isStuck } = useStore(look.state);
  const { lists, choose } = useDevices();
  useEffect(() => look.watch(), [look]);

  if (isStuck) {
    return (
      <StateCard icon={<PlugZap />} title={m.check_no_service()} hint={m.check_no_service_hint()} role="alert">
        <Button look="primary" onClick={look.again}>
          {m.retry()}
        </Button>
      </StateCard>
    );
  }
  return (
    <div className={styles.check}>
      {camera && <Preview stream={stream} fault={missing.camera} />}
      <MicrophoneLevel stream={stream} fault={missing.microphone} />
      {denial !== null && <PermissionHelp denial={denial} onRetry={look.again} />}
      <DeviceFields
        lists={lists}
        camera={camera}
        onChoose={(kind, id) => void choose(kind, id)}
        speakerTest={<SpeakerTest speakerId={lists.speaker.current ?? ''} />}
      />
    </div>
  );
}

interface SeenProps {
  /** Null until the device is open. */
  stream: MediaStream | null;
  fault: DeviceFault | undefined;
}

function Preview({ stream, fault }: SeenProps) {
  return (
    <div className={styles.preview}>
      {stream !== null && fault === undefined ? (
        <StreamVideo stream={stream} aria-label={m.call_self_view()} />
      ) : (
        <p role="status">
          {fault !== undefined && <VideoOff aria-hidden="true" />}
          {fault === undefined ? m.check_opening() : cameraWords[fault]()}
        </p>
      )}
    </div>
  );
}

/**
 * Shows the level as a style and no React state, since it changes ten times a second. The text only says whether sound
 * was heard.
 */
function MicrophoneLevel({ stream, fault }: SeenProps) {
  const ports = usePorts();
  const bar = useRef<HTMLSpanElement>(null);
  const [isHeard, setIsHeard] = useState(false);
  useEffect(() => {
    if (stream === null || fault !== undefined) return undefined;
    const stop = meterLevel(stream, ports.clock, (level) => {
      bar.current?.style.setProperty('--level', Math.min(1, level * LOUDEST).toFixed(3));
      if (level >= HEARD) setIsHeard(true);
    });
    return () => {
      stop();
      setIsHeard(false);
    };
  }, [stream, fault, ports]);

  return (
    <div className={styles.microphone}>
      <span className={styles.bar} aria-hidden="true">
        <span ref={bar} />
      </span>
      <p role="status" data-wrong={fault !== undefined || undefined}>
        {fault !== undefined && <MicOff aria-hidden="true" size={18} />}
        {fault !== undefined ? microphoneWords[fault]() : isHeard ? m.check_heard() : m.check_say_something()}
      </p>
    </div>
  );
}

/** A voice at a laptop reaches a tenth of the microphone's range. */
const LOUDEST = 6;
const HEARD = 0.02;

function SpeakerTest({ speakerId }: { speakerId: string }) {
  const ports = usePorts();
  const { toasts } = useUi();
  const [isPlaying, setIsPlaying] = useState(false);
  const playing = useRef<AbortController>(null);
  // The tone stops when the user closes the panel.
  useEffect(() => () => playing.current?.abort(), []);

  async function play(): Promise<void> {
    const end = new AbortController();
    playing.current = end;
    setIsPlaying(true);
    try {
      await playTestTone(speakerId, ports.clock, end.signal);
    } catch (error) {
      ports.logger.warn('the tone was not played', error);
      toasts.show(m.check_no_tone());
    } finally {
      setIsPlaying(false);
    }
  }

  return (
    <Button busy={isPlaying} onClick={() => void play()}>
      <Volume2 aria-hidden="true" size={18} />
      {m.check_tone()}
    </Button>
  );
}

const cameraWords: Readonly<Record<DeviceFault, () => string>> = {
  denied: m.check_camera_denied,
  absent: m.check_camera_absent,
  busy: m.check_camera_busy,
  broken: m.check_camera_broken,
};

const microphoneWords: Readonly<Record<DeviceFault, () => string>> = {
  denied: m.check_microphone_denied,
  absent: m.check_microphone_absent,
  busy: m.check_microphone_busy,
  broken: m.check_microphone_broken,
};
