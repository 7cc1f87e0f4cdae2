import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { usePorts } from '../../../core/hooks/areas.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { useUi } from '../../../ui/use-ui.ts';
import styles from './sheets.module.css';

/** Shows the address of the room, and shares it: with the sheet of a phone, else by the clipboard. */
export function ShareLink({ roomId }: { roomId: string }) {
  const { logger } = usePorts();
  const { toasts } = useUi();
  const [isCopied, setIsCopied] = useState(false);
  const url = `${location.origin}/rooms/${encodeURIComponent(roomId)}`;

  async function share(): Promise<void> {
    try {
      if (isPhone() && 'share' in navigator) return await navigator.share({ url });
      await navigator.clipboard.writeText(url);
      setIsCopied(true);
    } catch (error) {
      // The user closed the sheet of the phone.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      logger.warn('the link of the room was not shared', error);
      toasts.show(m.room_link_failed());
    }
  }

  return (
    <div className={styles.link}>
      <span>{url}</span>
      <Button onClick={() => void share()}>
        <Link2 aria-hidden="true" size={18} />
        <span role="status">{isCopied ? m.room_link_copied() : m.room_link()}</span>
      </Button>
    </div>
  );
}

const isPhone = (): boolean => matchMedia('(pointer: coarse) and (hover: none)').matches;
