import { useEffect, useState } from 'react';
import type { ChosenPhoto } from '../../../features/people/chosen-photo.ts';
import { PhotoStep } from '../../../features/account/register/photo-step.tsx';
import { Board } from './board.tsx';

/** Shows the registration step that asks for a photo: before the choice of a photo, and after. */
export default function PhotoBoard() {
  const [none, setNone] = useState<ChosenPhoto | null>(null);
  const [photo, setPhoto] = useState<ChosenPhoto | null>(null);
  useEffect(() => {
    void fetch('/portraits/pei-han.svg')
      .then((portrait) => portrait.blob())
      .then((file) => setPhoto({ file, width: 600, height: 800, view: { zoom: 1.5, x: 0.5, y: 0.2 } }));
  }, []);
  const nothing = { onBack: () => {}, onDone: () => Promise.resolve() };
  return (
    <Board title="照片">
      <PhotoStep photo={none} isLast={false} onPhoto={setNone} {...nothing} />
      {photo !== null && <PhotoStep photo={photo} isLast onPhoto={setPhoto} {...nothing} />}
    </Board>
  );
}
