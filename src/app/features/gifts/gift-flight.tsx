import { useState } from 'react';
import { formatNumber } from '../../core/i18n/format.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { giftLook } from './gift-look.ts';
import styles from './gift-flight.module.css';

/** The app shows a banner in the chat for a gift of this many coins or more. */
const BANNER_FROM = 520;

interface GiftFlightProps {
  gift: { readonly gift_id: string; readonly name: string; readonly quantity: number; readonly coins: number };
  /** The name of the user who sends the gift. */
  giver: string;
}

/**
 * Animates a gift on its way to the avatar, with a banner for an expensive one. The messages announce it to screen
 * readers.
 */
export function GiftFlight({ gift, giver }: GiftFlightProps) {
  const [isOver, setIsOver] = useState(false);
  const { Icon, name } = giftLook(gift);
  if (isOver) return null;
  return (
    <div className={styles.flight} aria-hidden="true">
      <span className={styles.across}>
        <span className={styles.gift}>
          <Icon size={56} />
        </span>
      </span>
      {gift.coins >= BANNER_FROM && (
        <p className={styles.banner}>
          <Icon size={28} />
          {m.gifts_banner({ name: giver, gift: name, count: formatNumber(gift.quantity) })}
        </p>
      )}
      <span className={styles.end} onAnimationEnd={() => setIsOver(true)} />
    </div>
  );
}
