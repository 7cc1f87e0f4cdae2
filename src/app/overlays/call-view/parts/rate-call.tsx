import { Star } from 'lucide-react';
import { useId, useState } from 'react';
import { STARS, type Stars } from '../../../../protocol/product/calls.ts';
import { m } from '../../../i18n/generated/messages.js';
import { refusalText } from '../../../product/refusal-text.ts';
import { useServices } from '../../../services/services-context.ts';
import styles from './rate-call.module.css';

/** How the call was, from one star to five. It is sent as soon as it is chosen, and may be chosen anew. */
export function RateCall({ callId }: { callId: string }) {
  const { product, ports } = useServices();
  const name = useId();
  const [stars, setStars] = useState<Stars | null>(null);
  const [words, setWords] = useState('');

  async function rate(chosen: Stars): Promise<void> {
    const before = stars;
    setStars(chosen);
    try {
      await product.ask('rateCall', { params: { call_id: callId }, body: { stars: chosen } });
      setWords(m.rate_done());
    } catch (error) {
      ports.logger.warn('the call was not rated', error);
      setStars(before);
      setWords(refusalText(error));
    }
  }

  return (
    <fieldset className={styles.rate}>
      <legend>{m.rate_title()}</legend>
      <div className={styles.stars}>
        {STARS.map((count) => (
          <label key={count} data-on={(stars !== null && count <= stars) || undefined}>
            <input
              type="radio"
              name={name}
              value={count}
              checked={count === stars}
              aria-label={m.rate_stars({ count })}
              onChange={() => void rate(count)}
            />
            <Star aria-hidden="true" />
          </label>
        ))}
      </div>
      <p role="status">{words}</p>
    </fieldset>
  );
}
