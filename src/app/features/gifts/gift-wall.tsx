import type { GivenGift } from '../../../protocol/product/people.ts';
import { formatNumber } from '../../core/i18n/format.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { giftLook } from './gift-look.ts';
import styles from './gift-wall.module.css';

/** Shows the gifts that a user has received, with the number of each kind. */
export function GiftWall({ gifts }: { gifts: readonly GivenGift[] }) {
  return (
    <section className={styles.wall}>
      <h2>{m.gift_wall_title()}</h2>
      {gifts.length === 0 ? (
        <p className={styles.empty}>{m.gift_wall_empty()}</p>
      ) : (
        <ul className={styles.gifts} aria-label={m.gift_wall_title()}>
          {gifts.map((gift) => {
            const { Icon, name } = giftLook(gift);
            return (
              <li key={gift.gift_id}>
                <Icon aria-hidden="true" size={28} strokeWidth={1.5} />
                <span>{name}</span>
                <strong>{m.gift_wall_count({ count: formatNumber(gift.count) })}</strong>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
