import { useState } from 'react';
import { formatNumber } from '../../core/i18n/format.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { giftLook } from './gift-look.ts';
import styles from './gift-flight.module.css';

/** From this many coins on everybody in the chat sees a banner. */
const BANNER_FROM = 520;

interface GiftFlightProps {
  gift: { readonly gift_id: string; readonly name: string; readonly quantity: number; readonly coins: number };
  /** Who gives it. */
  giver: string;
}

/** A gift on its way to the avatar, and a banner for a large one. It is told in words elsewhere. */
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
