import { ArrowLeft, MessageCircleX, RefreshCw, ServerOff, WifiOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button, LinkButton } from '../../../../ui/kit/button.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { useIsOnline, useSession } from '../../../core/hooks/areas.ts';
import { ConnectionLine } from '../../shell/connection-line.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { ProfileAside } from './profile-aside.tsx';
import type { Thread } from './thread.ts';
import type { ReadyThread } from './thread-state.ts';
import { ThreadHeader } from './thread-header.tsx';
import styles from './thread-pane.module.css';
import { useThread } from './use-thread.ts';
import type { Message } from '../../../../protocol/product/chat.ts';
import { GiftFlight } from '../../gifts/gift-flight.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';

const SKELETONS = ['theirs', 'theirs', 'mine', 'theirs', 'mine', 'mine'] as const;

/** Shows one chat: its header, its messages and the composer. */
export function ThreadPane({ channelUrl }: { channelUrl: string }) {
  const { thread, state } = useThread(channelUrl);
  switch (state.kind) {
    case 'loading':
      return (
        <Pane title={m.chat_title()}>
          <div role="status" className={styles.skeletons}>
            <span className="visually-hidden">{m.load_busy()}</span>
            {SKELETONS.map((side, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- the skeletons never change
              <span key={at} className={styles.skeleton} data-side={side}>
                <Skeleton />
              </span>
            ))}
          </div>
        </Pane>
      );
    case 'unknown':
      return (
        <Pane title={m.chat_unknown()}>
          <StateCard role="alert" icon={<MessageCircleX />} title={m.chat_unknown()} hint={m.chat_unknown_hint()}>
            <LinkButton look="primary" to="/man-chat-list">
              {m.chat_back_to_list()}
            </LinkButton>
          </StateCard>
        </Pane>
      );
    case 'failed':
      return <Failed error={state.error} onRetry={() => thread.retry()} />;
    case 'ready':
      return <Open thread={thread} state={state} />;
    default:
      return state satisfies never;
  }
}

function Failed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const isOnline = useIsOnline();
  return (
    <Pane title={m.chat_title()}>
      <StateCard
        role="alert"
        icon={isOnline ? <ServerOff /> : <WifiOff />}
        title={isOnline ? m.load_failed() : m.load_offline()}
        hint={isOnline ? refusalText(error) : m.load_offline_hint()}
      >
        <Button look="primary" onClick={onRetry}>
          <RefreshCw aria-hidden="true" />
          {m.retry()}
        </Button>
      </StateCard>
    </Pane>
  );
}

function Open({ thread, state }: { thread: Thread; state: ReadyThread }) {
  const { channel } = state;
  const [showsProfile, setShowsProfile] = useState(true);
  const name = channel.companion.nickname || channel.companion.u_id;
  return (
    <>
      <section className={styles.pane} aria-label={m.chat_thread_label({ name })}>
        <ThreadHeader
          companion={channel.companion}
          isTyping={state.isTyping}
          showsProfile={showsProfile}
          onProfile={() => setShowsProfile(!showsProfile)}
        />
        <ConnectionLine className={styles.offline} offlineText={m.chat_offline()} />
        <NewGift messages={state.messages} name={name} />
        <MessageList thread={thread} state={state} />
        <Composer thread={thread} channel={channel} />
      </section>
      {showsProfile && <ProfileAside companion={channel.companion} />}
    </>
  );
}

/** Renders the frame of a chat without messages. Its header has only the back button. */
function Pane({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.pane} aria-label={title}>
      <header className={styles.bareHead}>
        <LinkButton look="plain" to="/man-chat-list" aria-label={m.chat_back_to_list()} className={styles.back}>
          <ArrowLeft aria-hidden="true" />
        </LinkButton>
        <h1 className="visually-hidden">{title}</h1>
      </header>
      <div className={styles.middle}>{children}</div>
    </section>
  );
}

/** Animates the last gift that arrived while the chat was open. */
function NewGift({ messages, name }: { messages: readonly Message[]; name: string }) {
  const { uId } = useStore(useSession().user.user);
  const [seenBefore] = useState(messages.at(-1)?.seq ?? 0);
  const last = messages.at(-1);
  if (last?.type !== 'gift' || last.seq <= seenBefore) return null;
  return <GiftFlight key={last.seq} gift={last.data} giver={last.from === uId ? m.gifts_me() : name} />;
}
