import { Monitor, Smartphone } from 'lucide-react';
import type { Session } from '../../../../protocol/product/accounts.ts';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { formatAgo, formatMoment } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { ListRow } from '../../../../ui/kit/list-row.tsx';
import { Outline } from '../../../../ui/kit/skeleton.tsx';
import { StatusChip } from '../../../../ui/kit/status-chip.tsx';
import { refusalCode, refusalText } from '../../../core/product/refusal-text.ts';
import { useProductMutation, useProductQuery } from '../../../core/hooks/use-product.ts';
import { useTicks } from '../../../core/hooks/areas.ts';
import { useUi } from '../../../ui/use-ui.ts';
import { useStore } from '../../../../ui/store/use-store.ts';
import styles from './settings.module.css';

/** A placeholder session for the skeleton, about as wide as a usual one. */
const UNKNOWN: Session = { session_id: '', is_this: true, browser: null, system: null, began_at: 0, used_at: Infinity };

/** Lists the sessions of the user. Each one except the current can be ended. */
export function Sessions() {
  const query = useProductQuery('sessions', {});
  return (
    <>
      <h3 className={styles.within}>{m.settings_sessions()}</h3>
      <Loaded
        query={query}
        level={3}
        skeleton={
          <Outline>
            <SessionList sessions={[UNKNOWN]} />
          </Outline>
        }
      >
        {({ sessions }) => <SessionList sessions={sessions} />}
      </Loaded>
    </>
  );
}

function SessionList({ sessions }: { sessions: readonly Session[] }) {
  const { dialogs, toasts } = useUi();
  const { minutes } = useTicks();
  const now = useStore(minutes);
  const isAlone = !sessions.some(({ is_this }) => !is_this);
  const end = useProductMutation('endSession', {
    invalidates: ['sessions'],
    onSuccess: () => toasts.show(m.settings_session_ended()),
    // A session that has already ended counts as ended.
    onError: (error) =>
      toasts.show(refusalCode(error) === 'not_found' ? m.settings_session_ended() : refusalText(error)),
  });
  const endOthers = useProductMutation('endOtherSessions', {
    invalidates: ['sessions'],
    onSuccess: () => toasts.show(m.settings_sessions_ended()),
    onError: (error) => toasts.show(refusalText(error)),
  });

  async function askToEnd(session: Session): Promise<void> {
    const agreed = await dialogs.confirm({
      title: m.settings_session_end_title({ name: nameOf(session) }),
      text: m.settings_session_end_text(),
      confirm: m.settings_session_end(),
      isDangerous: true,
    });
    if (agreed) end.mutate({ params: { session_id: session.session_id } });
  }

  async function askToEndOthers(): Promise<void> {
    const agreed = await dialogs.confirm({
      title: m.settings_sessions_end_title(),
      text: m.settings_sessions_end_text(),
      confirm: m.settings_session_end(),
      isDangerous: true,
    });
    if (agreed) endOthers.mutate({});
  }

  return (
    <>
      <ul className={styles.list}>
        {sessions.map((session) => (
          <SessionRow
            key={session.session_id}
            session={session}
            now={now}
            isEnding={end.isPending && end.variables.params.session_id === session.session_id}
            onEnd={() => void askToEnd(session)}
          />
        ))}
      </ul>
      <p className={styles.hint}>{isAlone ? m.settings_sessions_none() : m.settings_sessions_hint()}</p>
      {!isAlone && (
        <Button look="danger" busy={endOthers.isPending} onClick={() => void askToEndOthers()}>
          {m.settings_sessions_end()}
        </Button>
      )}
    </>
  );
}

interface SessionRowProps {
  session: Session;
  now: number;
  /** True while the session is being ended. */
  isEnding: boolean;
  onEnd(): void;
}

function SessionRow({ session, now, isEnding, onEnd }: SessionRowProps) {
  const at = formatMoment(session.began_at);
  return (
    <li>
      <ListRow
        start={isPhone(session) ? <Smartphone aria-hidden="true" /> : <Monitor aria-hidden="true" />}
        title={<span className={styles.name}>{nameOf(session)}</span>}
        detail={m.settings_session_detail({ at, used: usedText(session.used_at, now) })}
        end={
          session.is_this ? (
            <StatusChip tone="good">{m.settings_session_here()}</StatusChip>
          ) : (
            <Button
              aria-label={m.settings_session_end_of({ name: nameOf(session), at })}
              busy={isEnding}
              onClick={onEnd}
            >
              {m.settings_session_end()}
            </Button>
          )
        }
      />
    </li>
  );
}

const isPhone = ({ system }: Session): boolean => ['Android', 'iPhone', 'iPad'].includes(system ?? '');

/** Returns a name such as "Chrome on Windows", from the parts that are known. */
function nameOf({ browser, system }: Session): string {
  if (browser !== null && system !== null) return m.settings_session_name({ browser, system });
  return browser ?? system ?? m.settings_session_unknown();
}

const HOUR_MS = 3_600_000;

/**
 * Returns when a session was last used. The stored time may be an hour old, so the text of the last two hours has no
 * time.
 */
const usedText = (then: number, now: number): string =>
  now - then < 2 * HOUR_MS ? m.settings_session_used_lately() : m.settings_session_used({ ago: formatAgo(then, now) });
