import { Camera, RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { PHOTO_BYTES, PHOTO_TYPES } from '../../../../protocol/product/media.ts';
import type { DocumentStep } from '../../../../protocol/product/verification.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FileDrop } from '../../../../ui/kit/file-drop.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { usePorts } from '../../../core/hooks/areas.ts';
import styles from './identity-verification.module.css';
import { shrinkPicture } from './shrink-picture.ts';

interface TakePictureProps {
  step: DocumentStep;
  /** Sends the picture. The form shows the error that it throws. */
  onPicture(base64: string): Promise<unknown>;
}

/**
 * Takes one picture with the camera, with a frame for the subject. Reads it from a file when the device has no camera.
 */
export function TakePicture({ step, onPicture }: TakePictureProps) {
  const ports = usePorts();
  const video = useRef<HTMLVideoElement>(null);
  const [stream, setStream] = useState<MediaStream | null>(null);
  const [taken, setTaken] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
    return () => stream?.getTracks().forEach((track) => track.stop());
  }, [stream]);

  async function openCamera(): Promise<void> {
    setFailure(null);
    try {
      const facingMode = step === 'selfie' ? 'user' : 'environment';
      setStream(await navigator.mediaDevices.getUserMedia({ video: { facingMode, width: { ideal: 1_600 } } }));
    } catch (error) {
      ports.logger.warn('the camera did not open', error);
      setFailure(m.identity_no_camera());
    }
  }

  async function take(source: Blob | HTMLVideoElement): Promise<void> {
    setFailure(null);
    try {
      setTaken(await shrinkPicture(source));
      setStream(null);
    } catch (error) {
      ports.logger.warn('the picture cannot be read', error);
      setFailure(m.identity_no_picture());
    }
  }

  async function send(base64: string): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      await onPicture(base64);
    } catch (error) {
      setFailure(refusalText(error));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <div className={styles.take}>
      <FormFailure words={failure} />
      <div className={styles.stage} data-step={step}>
        {taken !== null && <img src={`data:image/jpeg;base64,${taken}`} alt={m.identity_preview()} />}
        {taken === null && stream !== null && (
          <video ref={video} autoPlay playsInline muted aria-label={m.identity_camera()} />
        )}
        {taken === null && <span className={styles.guide} aria-hidden="true" />}
      </div>
      <div className={styles.buttons}>
        {taken !== null && (
          <>
            <Button onClick={() => setTaken(null)}>
              <RotateCcw aria-hidden="true" size={18} />
              {m.identity_again()}
            </Button>
            <Button look="primary" busy={isBusy} onClick={() => void send(taken)}>
              {m.identity_use()}
            </Button>
          </>
        )}
        {taken === null && (
          <>
            {stream === null ? (
              <Button look="primary" onClick={() => void openCamera()}>
                <Camera aria-hidden="true" size={18} />
                {m.identity_open_camera()}
              </Button>
            ) : (
              <Button look="primary" onClick={() => video.current && void take(video.current)}>
                <Camera aria-hidden="true" size={18} />
                {m.identity_shoot()}
              </Button>
            )}
          </>
        )}
      </div>
      {taken === null && (
        <FileDrop
          label={m.identity_upload()}
          hint={m.photo_hint()}
          accept={PHOTO_TYPES}
          most={PHOTO_BYTES * 4}
          onFile={(file) => void take(file)}
        />
      )}
    </div>
  );
}
