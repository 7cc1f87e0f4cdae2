import { BellRing, Gift, MessageCircle, PhoneIncoming } from 'lucide-react';
import { m } from '../../core/i18n/generated/messages.js';
import { Button } from '../../../ui/kit/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { isCallUp } from '../calling/call-state.ts';
import { useCalls } from '../../../react/index.ts';
import { usePush } from './push.ts';
import styles from './push-offer-sheet.module.css';

/** Asks the user about notifications before the browser asks. Renders nothing during a call. */
export function PushOfferSheet() {
  const push = usePush();
  const inCall = isCallUp(useCalls());
  if (inCall) return null;

  return (
    <Modal label={m.push_offer_title()} onClose={push.offer.later}>
      <div className={styles.sheet}>
        <span className={styles.bell} aria-hidden="true">
          <BellRing size={32} />
        </span>
        <header>
          <h2>{m.push_offer_title()}</h2>
          <p>{m.push_offer_text()}</p>
        </header>
        <ul className={styles.reasons}>
          <li>
            <PhoneIncoming aria-hidden="true" size={20} />
            {m.push_offer_call()}
          </li>
          <li>
            <MessageCircle aria-hidden="true" size={20} />
            {m.push_offer_chat()}
          </li>
          <li>
            <Gift aria-hidden="true" size={20} />
            {m.push_offer_gift()}
          </li>
        </ul>
        <div className={styles.answers}>
          <Button look="primary" onClick={() => void push.offer.accept()}>
            {m.push_offer_yes()}
          </Button>
          <Button onClick={push.offer.later}>{m.push_offer_later()}</Button>
        </div>
      </div>
    </Modal>
  );
}
