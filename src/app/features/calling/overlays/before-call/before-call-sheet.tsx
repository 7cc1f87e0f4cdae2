import { Phone, Video } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Quote } from '../../../../../protocol/product/calls.ts';
import type { BeforeCall } from '../../dialer.ts';
import { DeviceCheck } from '../../../devices/device-check.tsx';
import { depositPath } from '../../../gifts/deposit-path.ts';
import { formatNumber } from '../../../../core/i18n/format.ts';
import { m } from '../../../../core/i18n/generated/messages.js';
import { Button, LinkButton } from '../../../../../ui/kit/button.tsx';
import { Checkbox } from '../../../../../ui/kit/choices.tsx';
import { Modal } from '../../../../ui/modal.tsx';
import { useCalling } from '../../use-calling.ts';
import { useStore } from '../../../../../ui/store/use-store.ts';
import { displayName } from '../../call-state.ts';
import { quoteText } from '../quote-text.ts';
import styles from './before-call-sheet.module.css';

/** Shows the check of the devices or the refusal before a call. Shows nothing when the dialer has neither. */
export function BeforeCallSheet() {
  const { dialer } = useCalling();
  const before = useStore(dialer.before);
  if (before === null) return null;
  return before.step === 'check' ? <Check before={before} /> : <Refused before={before} />;
}

/** Shows the devices before the first call. The user dials from here, and can skip the check before later calls. */
function Check({ before }: { before: BeforeCall }) {
  const { dialer } = useCalling();
  const [skips, setSkips] = useState(true);
  const isVideo = before.kind === 'video';
  const name = displayName(before.party);
  const cost = quoteText(before.quote);
  return (
    <Modal label={m.before_title()} onClose={dialer.cancel}>
      <div className={styles.sheet}>
        <header>
          <h2>{m.before_title()}</h2>
          <p>{isVideo ? m.before_video({ name }) : m.before_voice({ name })}</p>
          {cost !== null && <p className={styles.cost}>{cost}</p>}
        </header>
        <DeviceCheck camera={isVideo} />
        <Checkbox label={m.before_skip()} checked={skips} onChange={setSkips} />
        <div className={styles.buttons}>
          <Button onClick={dialer.cancel}>{m.dialog_cancel()}</Button>
          <Button look="primary" onClick={() => dialer.go(!skips)}>
            {isVideo ? <Video aria-hidden="true" size={20} /> : <Phone aria-hidden="true" size={20} />}
            {m.before_dial()}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

/** Shows why the call is refused and what the user can do. */
function Refused({ before }: { before: BeforeCall }) {
  const { dialer } = useCalling();
  const { pathname } = useLocation();
  const { quote, kind } = before;
  const isShort = quote?.reason === 'insufficient_coins';
  const title = isShort ? m.before_short() : m.before_refused();
  return (
    <Modal label={title} onClose={dialer.cancel}>
      <div className={styles.sheet}>
        <h2>{title}</h2>
        {quote !== null && <p>{whyNot(quote, kind, displayName(before.party))}</p>}
        <div className={styles.buttons}>
          <Button onClick={dialer.cancel}>{m.dismiss()}</Button>
          {isShort && (
            <LinkButton look="primary" to={depositPath(pathname)} onClick={dialer.cancel}>
              {m.nav_deposit()}
            </LinkButton>
          )}
        </div>
      </div>
    </Modal>
  );
}

function whyNot({ reason, rate, coins }: Quote, kind: BeforeCall['kind'], name: string): string {
  switch (reason) {
    case 'insufficient_coins':
      return m.before_short_hint({ rate: formatNumber(rate), coins: formatNumber(coins ?? 0) });
    case 'not_accepted':
      return kind === 'video' ? m.before_no_video({ name }) : m.before_no_voice({ name });
    case 'unavailable':
    case null:
      return m.call_unavailable({ name });
    default:
      return reason satisfies never;
  }
}
