import { Star } from 'lucide-react';
import { useId, useState } from 'react';
import { STARS } from '../../../../../../protocol/product/calls.ts';
import { m } from '../../../../../core/i18n/generated/messages.js';
import { usePorts, useProduct } from '../../../../../core/hooks/areas.ts';
import { useStore } from '../../../../../../ui/store/use-store.ts';
import { createCallRating } from './call-rating.ts';
import styles from './rate-call.module.css';

/** Asks the user to rate the call with one to five stars. Each choice is sent at once, and the user can change it. */
export function RateCall({ callId }: { callId: string }) {
  const ports = usePorts();
  const { product } = useProduct();
  const name = useId();
  const [rating] = useState(() => createCallRating({ product, logger: ports.logger }, callId));
  const { stars, words } = useStore(rating.state);

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
              onChange={() => void rating.rate(count)}
            />
            <Star aria-hidden="true" />
          </label>
        ))}
      </div>
      <p role="status">{words}</p>
    </fieldset>
  );
}
