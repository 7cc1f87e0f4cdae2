import { Check, Search, Send } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
import { useProductPages } from '../../../core/hooks/use-product.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Modal } from '../../../ui/modal.tsx';
import { Avatar } from '../../../ui/people/avatar.tsx';
import type { RoomVisit, VisitState } from '../../../../react/index.ts';
import { type Invitable, type InviteStep, invitable } from './invitable.ts';
import { ShareLink } from './share-link.tsx';
import styles from './sheets.module.css';

interface InviteSheetProps {
  visit: RoomVisit;
  state: VisitState;
  onClose(): void;
}

/** Invites users into the room: those of the user's chats first, then the others. */
export function InviteSheet(props: InviteSheetProps) {
  return (
    <Modal label={m.invite_title()} onClose={props.onClose}>
      <div className={styles.sheet}>
        <h2>{m.invite_title()}</h2>
        <Choice {...props} />
        <ShareLink roomId={props.visit.roomId} />
      </div>
    </Modal>
  );
}

function Choice({ visit, state }: InviteSheetProps) {
  const [search, setSearch] = useState('');
  const [steps, setSteps] = useState<ReadonlyMap<string, InviteStep>>(new Map());
  const channels = useProductPages('channels', { query: { limit: '50' } });
  const discovered = useProductPages('discover', { query: {} });
  const isLoading = channels.isPending || discovered.isPending;
  const people = invitable(
    (channels.data ?? []).map(({ companion }) => companion),
    discovered.data ?? [],
    { inside: state.people.map(({ userId }) => userId), search },
  );

  async function invite(userId: string): Promise<void> {
    const mark = (step: InviteStep): void => setSteps((now) => new Map(now).set(userId, step));
    mark('busy');
    mark((await visit.invite(userId)) ? 'sent' : 'failed');
  }

  return (
    <>
      <TextField
        type="search"
        label={m.invite_search()}
        optional={m.field_optional()}
        autoComplete="off"
        value={search}
        onChange={setSearch}
      />
      <div className={styles.list} role="region" aria-label={m.invite_people()}>
        {isLoading && people.length === 0 ? (
          <span role="status">
            <span className="visually-hidden">{m.load_busy()}</span>
            <Skeleton className={styles.person} />
          </span>
        ) : people.length === 0 ? (
          <p className={styles.none}>
            <Search aria-hidden="true" size={18} /> {m.invite_nobody()}
          </p>
        ) : (
          <ul className={styles.people}>
            {people.map((person) => (
              <li key={person.u_id} className={styles.person}>
                <Avatar url={person.profile_url} size={40} presence={person.presence} />
                <span className={styles.words}>
                  <strong>{person.nickname || person.u_id}</strong>
                  <small>{person.city}</small>
                </span>
                <InviteButton person={person} step={steps.get(person.u_id)} onInvite={() => void invite(person.u_id)} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

interface InviteButtonProps {
  person: Invitable;
  step: InviteStep | undefined;
  onInvite(): void;
}

function InviteButton({ person, step, onInvite }: InviteButtonProps) {
  const name = person.nickname || person.u_id;
  const isSent = step === 'sent';
  return (
    <Button
      busy={step === 'busy'}
      disabled={isSent}
      aria-label={isSent ? m.invite_sent_to({ name }) : m.invite_one({ name })}
      onClick={onInvite}
    >
      {isSent ? <Check aria-hidden="true" size={18} /> : <Send aria-hidden="true" size={18} />}
      <span role="status">
        {isSent ? m.invite_sent_short() : step === 'failed' ? m.invite_again() : m.invite_short()}
      </span>
    </Button>
  );
}
