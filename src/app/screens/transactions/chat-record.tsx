import { MessageCircle, Phone, Video } from 'lucide-react';
import { useState } from 'react';
import type { ChargeSession } from '../../../protocol/product/wallet.ts';
import { Loaded } from '../../data/loaded.tsx';
import { formatDuration, formatMoment } from '../../i18n/format.ts';
import { m } from '../../i18n/generated/messages.js';
import { ListRow } from '../../kit/list-row.tsx';
import { Modal } from '../../kit/modal.tsx';
import { MoneyText } from '../../kit/money-text.tsx';
import { Pager } from '../../kit/pager.tsx';
import { StateCard } from '../../kit/state-card.tsx';
import { useProductPages, useProductQuery } from '../../product/use-product.ts';
import { useServices } from '../../services/services-context.ts';
import { homePath } from '../../session/home-path.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { useStore } from '../../store/use-store.ts';
import { kindText, wholePoints } from './entry-words.ts';
import { RowsLoading } from './rows-loading.tsx';
import styles from './transactions.module.css';

const ICONS = { voice: Phone, video: Video, message: MessageCircle } as const;

/** What calls and messages cost or brought, by call, and by day and chat. */
export default function ChatRecord() {
  const { user } = useServices();
  const { genderType } = useStore(user.user);
  const isMan = genderType === 'man';
  const pages = useProductPages('chargeSessions', { query: {} });
  const [openId, setOpenId] = useState<string | null>(null);
  return (
    <>
      <PageHeader title={m.charges_title()} back={homePath(genderType)} />
      <Loaded
        query={pages}
        skeleton={<RowsLoading />}
        isEmpty={(sessions) => sessions.length === 0}
        empty={<StateCard icon={<Phone />} title={m.charges_none()} hint={m.charges_none_hint()} />}
      >
        {(sessions) => (
          <>
            <ul className={styles.list}>
              {sessions.map((session) => {
                const Icon = ICONS[session.kind];
                return (
                  <li key={session.session_id}>
                    <ListRow
                      start={<Icon aria-hidden="true" />}
                      title={m.transactions_with({
                        what: kindText(session.kind),
                        name: session.with?.nickname ?? m.charges_somebody(),
                      })}
                      detail={detailOf(session)}
                      end={<Amount session={session} isMan={isMan} />}
                      onPress={() => setOpenId(session.session_id)}
                    />
                  </li>
                );
              })}
            </ul>
            <Pager
              hasMore={pages.hasNextPage}
              busy={pages.isFetchingNextPage}
              onMore={() => void pages.fetchNextPage()}
            />
          </>
        )}
      </Loaded>
      {openId !== null && <Minutes sessionId={openId} isMan={isMan} onClose={() => setOpenId(null)} />}
    </>
  );
}

function Amount({ session: { amount }, isMan }: { session: ChargeSession; isMan: boolean }) {
  if (isMan) return <MoneyText amount={-amount} unit="coins" signed />;
  return <MoneyText amount={wholePoints(amount)} unit="points" signed />;
}

/** When, and how long or how many. */
function detailOf({ started_at, duration, count, kind }: ChargeSession): string {
  const at = formatMoment(started_at);
  if (kind === 'message') return m.charges_messages({ at, count });
  if (duration === null) return m.charges_going_on({ at });
  return m.charges_lasted({ at, duration: formatDuration(Math.round(duration / 1000)) });
}

/** One session, minute by minute. */
function Minutes({ sessionId, isMan, onClose }: { sessionId: string; isMan: boolean; onClose(): void }) {
  const query = useProductQuery('chargeSession', { params: { session_id: sessionId } });
  return (
    <Modal label={m.charges_minutes()} onClose={onClose}>
      <div className={styles.sheet}>
        <h2>{m.charges_minutes()}</h2>
        <Loaded query={query} skeleton={<RowsLoading />}>
          {({ session, minutes }) => (
            <>
              <p>{detailOf(session)}</p>
              {session.rate !== null && <p>{m.charges_rate({ rate: session.rate })}</p>}
              <dl className={styles.facts}>
                {minutes.map(({ minute, amount, is_refunded }) => (
                  <div key={minute} className={styles.fact}>
                    <dt>{m.charges_minute({ minute })}</dt>
                    <dd>
                      {is_refunded ? (
                        m.charges_refunded()
                      ) : (
                        <MoneyText
                          amount={isMan ? -amount : wholePoints(amount)}
                          unit={isMan ? 'coins' : 'points'}
                          signed
                        />
                      )}
                    </dd>
                  </div>
                ))}
              </dl>
            </>
          )}
        </Loaded>
      </div>
    </Modal>
  );
}
