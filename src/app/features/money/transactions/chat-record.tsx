import { MessageCircle, Phone, Video } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ChargeSession } from '../../../../protocol/product/wallet.ts';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { ListRow } from '../../../../ui/kit/list-row.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { MoneyText } from '../../../ui/money/money-text.tsx';
import { Pager } from '../../../ui/data/pager.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { useProductMutation, useProductPages, useProductQuery } from '../../../core/hooks/use-product.ts';
import { useSession } from '../../../core/hooks/areas.ts';
import { useUi } from '../../../ui/use-ui.ts';
import { homePath } from '../../../core/session/home-path.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';
import { chatPath } from '../../chat/screens/chat-path.ts';
import { detailOf, endingOf, lastedText, titleOf } from './charge-words.ts';
import { wholePoints } from '../../../core/i18n/format.ts';
import { RowsLoading } from './rows-loading.tsx';
import styles from './transactions.module.css';

const ICONS = { voice: Phone, video: Video, message: MessageCircle } as const;

/** Lists the cost or income of calls and messages: by call, and by day and chat. */
export default function ChatRecord() {
  const { user } = useSession();
  const { genderType } = useStore(user.user);
  const isMan = genderType === 'man';
  const pages = useProductPages('chargeSessions', { query: {} });
  const [openId, setOpenId] = useState<string | null>(null);
  const opened = pages.data?.find(({ session_id }) => session_id === openId);
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
                      title={titleOf(session)}
                      detail={detailOf(session)}
                      end={<Money amount={session.amount} isMan={isMan} />}
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
      {opened && <Session session={opened} isMan={isMan} onClose={() => setOpenId(null)} />}
    </>
  );
}

/** Shows one session minute by minute, with a link to the other user. */
function Session({ session, isMan, onClose }: { session: ChargeSession; isMan: boolean; onClose(): void }) {
  const { toasts } = useUi();
  const navigate = useNavigate();
  const query = useProductQuery('chargeSession', { params: { session_id: session.session_id } });
  const open = useProductMutation('openChannel', {
    onError: (error) => toasts.show(refusalText(error)),
    onSuccess: ({ channel_url }) => void navigate(chatPath(channel_url)),
  });
  const { rate, with: other } = session;
  const ending = endingOf(session);
  const title = titleOf(session);
  return (
    <Modal label={title} onClose={onClose}>
      <div className={styles.sheet}>
        <h2>{title}</h2>
        <p className={styles.about}>
          <span>{lastedText(session)}</span>
          {ending !== null && <span>{ending}</span>}
          {rate !== null && <span>{m.charges_rate({ rate })}</span>}
        </p>
        <Loaded query={query} skeleton={<RowsLoading />}>
          {({ minutes }) => (
            <dl className={styles.facts}>
              {minutes.map(({ minute, amount, is_refunded }) => (
                <div key={minute} className={styles.fact}>
                  <dt>{m.charges_minute({ minute })}</dt>
                  <dd>{is_refunded ? m.charges_refunded() : <Money amount={amount} isMan={isMan} />}</dd>
                </div>
              ))}
              <div className={styles.fact}>
                <dt>{m.charges_total()}</dt>
                <dd>
                  <strong>
                    <Money amount={session.amount} isMan={isMan} />
                  </strong>
                </dd>
              </div>
            </dl>
          )}
        </Loaded>
        {other !== null && (
          <Button busy={open.isPending} onClick={() => open.mutate({ body: { u_id: other.u_id } })}>
            <MessageCircle aria-hidden="true" size={20} />
            {m.charges_chat()}
          </Button>
        )}
      </div>
    </Modal>
  );
}

/** Shows the coins that a man paid, or the points that a woman received. Points are stored in hundredths. */
function Money({ amount, isMan }: { amount: number; isMan: boolean }) {
  if (isMan) return <MoneyText amount={-amount} unit="coins" signed />;
  return <MoneyText amount={wholePoints(amount)} unit="points" signed />;
}
