import { ArrowLeftRight, Pause } from 'lucide-react';
import type { ActiveCall } from '../../../../../../react/index.ts';
import { displayName } from '../../../call-state.ts';
import { m } from '../../../../../core/i18n/generated/messages.js';
import { Picture } from '../../../../../ui/people/picture.tsx';
import styles from './held-calls.module.css';

/** Lists the held calls. A press brings one of them to the front. */
export function HeldCalls({ calls, onSwitch }: { calls: readonly ActiveCall[]; onSwitch(key: string): void }) {
  return (
    <ul className={styles.list} aria-label={m.held_calls()}>
      {calls.map((call) => (
        <li key={call.key}>
          <button
            type="button"
            aria-label={m.held_switch({ name: displayName(call.party) })}
            onClick={() => onSwitch(call.key)}
          >
            <span className={styles.avatar}>
              <Picture url={call.party.profileUrl} shape="round" eager />
            </span>
            <span className={styles.words}>
              <strong>{displayName(call.party)}</strong>
              <small>
                <Pause aria-hidden="true" size={12} />
                {m.hold_title()}
              </small>
            </span>
            <ArrowLeftRight aria-hidden="true" size={18} />
          </button>
        </li>
      ))}
    </ul>
  );
}
