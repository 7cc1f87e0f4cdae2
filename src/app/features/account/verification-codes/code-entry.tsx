import { Mailbox } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { OtpField } from '../../../../ui/kit/otp-field.tsx';
import type { FieldControl } from '../../../../ui/kit/text-field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { useTicks } from '../../../core/hooks/areas.ts';
import { useDemoUsers } from '../demo-users-store.ts';
import { onDemand } from '../../shell/on-demand.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';
import styles from './code-entry.module.css';
import { type CodeRequest, secondsUntil } from './code-request.ts';

const { Part: Letters } = onDemand(async () => (await import('./letters.tsx')).Letters);

interface CodeEntryProps extends FieldControl<string> {
  request: CodeRequest;
  /** The address or number that receives the code. Null while it is unknown. */
  to: string | null;
  /** True when `to` hides a part of the address. Default: false. */
  isMasked?: boolean;
  /** The label of the field, for a form with two codes. Default: a general label. */
  label?: string;
  error?: string | null | undefined;
}

/** Requests a code and reads it: typed, pasted or filled in by the device. */
export function CodeEntry({ request, to, isMasked = false, label, ...field }: CodeEntryProps) {
  const demoUsers = useDemoUsers();
  const { seconds } = useTicks();
  const now = useStore(seconds);
  const { phase, to: sentTo, again, failure } = useStore(request.state);
  const isDemo = useStore(demoUsers.state).kind === 'ready';
  const [showsMailbox, setShowsMailbox] = useState(false);
  const isSent = sentTo !== '' && sentTo === to;
  const wait = secondsUntil(again, now);

  return (
    <div className={styles.entry}>
      <div className={styles.send}>
        <Button
          busy={phase === 'sending'}
          disabled={to === null || (isSent && wait > 0)}
          onClick={() => to !== null && void request.send(to)}
        >
          {isSent ? m.code_send_again() : m.code_send()}
        </Button>
        <p aria-live="polite">{isSent ? m.code_sent({ to: sentTo }) : ''}</p>
        {isSent && wait > 0 && <p className={styles.wait}>{m.code_wait({ seconds: formatNumber(wait) })}</p>}
      </div>
      {/* The error of a form that is submitted without a code appears where the code would be. */}
      <FormFailure words={failure ?? (isSent ? null : (field.error ?? null))} />
      {isSent && <OtpField label={label ?? m.code_label()} hint={m.code_hint()} {...field} />}
      {isSent && isDemo && (
        <Button look="plain" className={styles.mailbox ?? ''} onClick={() => setShowsMailbox(true)}>
          <Mailbox aria-hidden="true" size={18} />
          {m.mailbox_open()}
        </Button>
      )}
      {showsMailbox && (
        <Modal label={m.mailbox_title()} onClose={() => setShowsMailbox(false)}>
          <div className={styles.sheet}>
            <h2>{m.mailbox_title()}</h2>
            <Letters {...(isMasked ? {} : { to: sentTo })} />
          </div>
        </Modal>
      )}
    </div>
  );
}
