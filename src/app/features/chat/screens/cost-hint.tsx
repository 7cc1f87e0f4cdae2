import type { Companion } from '../../../../protocol/product/chat.ts';
import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { useRules } from '../../../core/hooks/use-product.ts';
import { useIsPaid } from '../../money/wallet/use-is-paid.ts';
import styles from './composer.module.css';

/** Shows what a message to this user costs a man. Renders nothing for a free chat. */
export function CostHint({ companion }: { companion: Companion }) {
  const isPaid = useIsPaid(companion);
  const rules = useRules(isPaid);
  if (!isPaid || !rules?.billing) return null;
  const { text, photo, free } = rules.messages;
  return (
    <p className={styles.cost}>
      {m.chat_cost({ text: formatNumber(text), other: formatNumber(photo), free: formatNumber(free) })}
    </p>
  );
}
