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

interface TakePictureProps {
  step: DocumentStep;
  /** Sends the picture. The form shows the error that it throws. */
  onPicture(base64: string): Promise<unknown>;
}

/**
 * Takes one picture with the camera, with a frame for the subject. Reads it from a file when the device has no camera.
 */
export function TakePicture({ step, onPicture }: TakePictureProps) {
  const [isBusy, setIsBusy] = useState(false);
  const { camera, openCamera, taken, take, again, failure, setFailure } = usePicture(step);
  const { video, isOpen } = camera;

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
        {taken === null && isOpen && <video ref={video} autoPlay playsInline muted aria-label={m.identity_camera()} />}
        {taken === null && <span className={styles.guide} aria-hidden="true" />}
      </div>
      <div className={styles.buttons}>
        {taken === null ? (
          <CameraButton
            isOpen={isOpen}
            onOpen={() => void openCamera()}
            onShoot={() => video.current && void take(video.current)}
          />
        ) : (
          <Decision isBusy={isBusy} onAgain={again} onUse={() => void send(taken)} />
        )}
      </div>
      {taken === null && (
        <FileDrop
          wrongType={m.file_wrong_type()}
          tooLarge={m.refusal_too_large()}
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

/** Returns the picture of a step, and what takes it. */
function usePicture(step: DocumentStep) {
  const ports = usePorts();
  const [taken, setTaken] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const camera = useCamera(step === 'selfie' ? 'user' : 'environment');

  /** Performs a step. A failure is logged and shown. */
  async function attempt(work: () => Promise<void>, logged: string, shown: string): Promise<void> {
    setFailure(null);
    try {
      await work();
    } catch (error) {
      ports.logger.warn(logged, error);
      setFailure(shown);
    }
  }

  async function shrink(source: Blob | HTMLVideoElement): Promise<void> {
    setTaken(await shrinkPicture(source));
    camera.close();
  }

  return {
    camera,
    /** The picture as base64. Null before it is taken. */
    taken,
    failure,
    setFailure,
    again: () => setTaken(null),
    openCamera: () => attempt(camera.open, 'the camera did not open', m.identity_no_camera()),
    take: (source: Blob | HTMLVideoElement) =>
      attempt(() => shrink(source), 'the picture cannot be read', m.identity_no_picture()),
  };
}

/** Returns the camera of the device and the element that shows it. The camera closes when the caller unmounts. */
function useCamera(facingMode: 'user' | 'environment') {
  const video = useRef<HTMLVideoElement>(null);
  const [stream, setStream] = useState<MediaStream | null>(null);

  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
    return () => stream?.getTracks().forEach((track) => track.stop());
  }, [stream]);

  return {
    video,
    isOpen: stream !== null,
    /** Rejects when the user or the device refuses. */
    async open(): Promise<void> {
      setStream(await navigator.mediaDevices.getUserMedia({ video: { facingMode, width: { ideal: 1_600 } } }));
    },
    close: () => setStream(null),
  };
}

/** Opens the camera, and then takes the picture. */
function CameraButton({ isOpen, onOpen, onShoot }: { isOpen: boolean; onOpen(): void; onShoot(): void }) {
  return isOpen ? (
    <Button look="primary" onClick={onShoot}>
      <Camera aria-hidden="true" size={18} />
      {m.identity_shoot()}
    </Button>
  ) : (
    <Button look="primary" onClick={onOpen}>
      <Camera aria-hidden="true" size={18} />
      {m.identity_open_camera()}
    </Button>
  );
}

/** Asks whether to send the picture or to take another one. */
function Decision({ isBusy, onAgain, onUse }: { isBusy: boolean; onAgain(): void; onUse(): void }) {
  return (
    <>
      <Button onClick={onAgain}>
        <RotateCcw aria-hidden="true" size={18} />
        {m.identity_again()}
      </Button>
      <Button look="primary" busy={isBusy} onClick={onUse}>
        {m.identity_use()}
      </Button>
    </>
  );
}

const EDGE = 1_600;
const QUALITY = 0.85;

/**
 * Returns a picture as a JPEG in base64, at most 1600 pixels wide and high.
 * @throws Error when the source is not a picture.
 */
async function shrinkPicture(source: Blob | HTMLVideoElement): Promise<string> {
  const picture = await createImageBitmap(source);
  const scale = Math.min(1, EDGE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.toDataURL('image/jpeg', QUALITY).replace(/^data:[^,]*,/, '');
}
