import { Star } from 'lucide-react';
import { useId, useRef, useState } from 'react';
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

  /** What the server has, and what was chosen last: arrow keys choose each star on their way. */
  const told = useRef<Stars | null>(null);
  const wanted = useRef<Stars | null>(null);

  /** One request at a time, the last choice last: none overtakes it. */
  async function rate(chosen: Stars): Promise<void> {
    const isTelling = wanted.current !== told.current;
    wanted.current = chosen;
    setStars(chosen);
    if (isTelling) return;
    try {
      while (wanted.current !== told.current) {
        const sent: Stars = wanted.current;
        await product.ask('rateCall', { params: { call_id: callId }, body: { stars: sent } });
        told.current = sent;
      }
      setWords(m.rate_done());
    } catch (error) {
      ports.logger.warn('the call was not rated', error);
      wanted.current = told.current;
      setStars(told.current);
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
