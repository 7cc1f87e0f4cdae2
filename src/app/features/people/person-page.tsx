import { BadgeCheck, Heart, MapPin, MessageCircle, Phone, ServerOff, UserRoundX, Video } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import type { PersonDetail } from '../../../protocol/product/people.ts';
import type { CallKind } from '../../../react/index.ts';
import { GiftButton } from '../gifts/gift-button.tsx';
import { GiftWall } from '../gifts/gift-wall.tsx';
import { m } from '../../core/i18n/generated/messages.js';
import { Button, LinkButton } from '../../../ui/kit/button.tsx';
import { CoinPrice } from '../../ui/money/coin-price.tsx';
import { PresenceChip } from '../../ui/people/presence-chip.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { StateCard } from '../../../ui/kit/state-card.tsx';
import { refusalCode, refusalText } from '../../core/product/refusal-text.ts';
import { useProductMutation, useProductQuery } from '../../core/hooks/use-product.ts';
import { useSession, useTicks } from '../../core/hooks/areas.ts';
import { useCalling } from '../calling/use-calling.ts';
import { useUi } from '../../ui/use-ui.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useStore } from '../../../ui/store/use-store.ts';
import { useIsPaid } from '../money/wallet/use-is-paid.ts';
import { languageName } from './language-name.ts';
import { PersonMenu } from './person-menu.tsx';
import styles from './person-page.module.css';
import { PhotoPager } from './photo-pager.tsx';
import { useLivePresence } from './live-presence.ts';

/**
 * Shows a profile and its actions: chat, call, gift, like, block. A user's own profile is shown as other users see it.
 */
export function PersonPage({ uId, back }: { uId: string; back: string }) {
  const { data, error, refetch } = useProductQuery('person', { params: { u_id: uId } });
  useLivePresence();
  if (data !== undefined) return <Shown person={data} back={back} />;
  if (error === null) return <Loading back={back} />;
  const isNobody = refusalCode(error) === 'not_found';
  return (
    <>
      <PageHeader title={m.person_page_title()} back={back} />
      {isNobody ? (
        <StateCard icon={<UserRoundX />} title={m.person_unknown()} hint={m.person_unknown_hint()}>
          <LinkButton to={back}>{m.person_unknown_back()}</LinkButton>
        </StateCard>
      ) : (
        <StateCard icon={<ServerOff />} title={m.person_failed()} hint={refusalText(error)} role="alert">
          <Button look="primary" onClick={() => void refetch()}>
            {m.retry()}
          </Button>
        </StateCard>
      )}
    </>
  );
}

function Loading({ back }: { back: string }) {
  return (
    <>
      <PageHeader title={m.person_page_title()} back={back} />
      <div role="status" className={styles.page}>
        <span className="visually-hidden">{m.person_loading()}</span>
        <Skeleton className={styles.photoSkeleton} />
        <Skeleton className={styles.wordsSkeleton} />
      </div>
    </>
  );
}

function Shown({ person, back }: { person: PersonDetail; back: string }) {
  const { user } = useSession();
  const isMe = useStore(user.user).uId === person.u_id;
  const name = person.nickname || person.u_id;
  const photos = person.photos.length > 0 ? person.photos.map(({ url }) => url) : [person.profile_url];

  return (
    <>
      <PageHeader title={name} back={back} actions={isMe ? undefined : <PersonMenu person={person} back={back} />} />
      {isMe && <p className={styles.preview}>{m.person_preview()}</p>}
      <article className={styles.page} aria-label={name}>
        <PhotoPager urls={photos} name={name} />
        <div className={styles.words}>
          <Identity person={person} name={name} />
          {person.gender_type === 'woman' && <Prices person={person} />}
          {person.voice_intro !== null && (
            <audio controls preload="none" src={person.voice_intro} aria-label={m.person_voice_intro({ name })} />
          )}
          {person.intro !== '' && (
            <section>
              <h2>{m.person_about()}</h2>
              <p className={styles.intro}>{person.intro}</p>
            </section>
          )}
          <Facts person={person} />
          {person.tags.length > 0 && (
            <ul className={styles.tags} aria-label={m.person_tags()}>
              {person.tags.map((tag) => (
                <li key={tag}>{tag}</li>
              ))}
            </ul>
          )}
          {person.gender_type === 'woman' && <GiftWall gifts={person.gifts} />}
          {!isMe && <Actions person={person} />}
        </div>
      </article>
    </>
  );
}

/** Shows who the user is and where, and whether the user is online. */
function Identity({ person, name }: { person: PersonDetail; name: string }) {
  const { minutes } = useTicks();
  const now = useStore(minutes);
  return (
    <>
      <p className={styles.who}>
        <strong>{name}</strong>
        <span>{person.age}</span>
        {person.verified && (
          <span className={styles.verified}>
            <BadgeCheck aria-hidden="true" size={20} />
            {m.person_verified()}
          </span>
        )}
      </p>
      <p className={styles.where}>
        <PresenceChip of={person} now={now} />
        <span>
          <MapPin aria-hidden="true" size={16} />
          {person.city}
        </span>
      </p>
    </>
  );
}

/** Shows the price of each kind of call, or that the user does not take this kind. */
function Prices({ person }: { person: PersonDetail }) {
  return (
    <dl className={styles.prices}>
      <div>
        <dt>{m.person_voice()}</dt>
        <dd>{person.accepts_voice ? <CoinPrice price={person.prices.voice} /> : m.person_not_taken()}</dd>
      </div>
      <div>
        <dt>{m.person_video()}</dt>
        <dd>{person.accepts_video ? <CoinPrice price={person.prices.video} /> : m.person_not_taken()}</dd>
      </div>
    </dl>
  );
}

function Facts({ person }: { person: PersonDetail }) {
  const facts = [
    person.response_rate === null ? '' : m.person_response_rate({ percent: person.response_rate }),
    person.height === null ? '' : m.person_height({ height: person.height }),
    person.job,
    person.languages.map(languageName).join(' · '),
  ].filter((fact) => fact !== '');
  if (facts.length === 0) return null;
  return (
    <ul className={styles.facts}>
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}

/** The queries that are outdated after a like or its removal. */
const LIKES = ['person', 'discover', 'favorites'] as const;

function Actions({ person }: { person: PersonDetail }) {
  const { dialer } = useCalling();
  const { toasts } = useUi();
  const navigate = useNavigate();
  const mayGive = useIsPaid(person);
  const showFailure = (error: Error): void => toasts.show(refusalText(error));
  const favorite = useProductMutation('addFavorite', { invalidates: LIKES, onError: showFailure });
  const unfavorite = useProductMutation('removeFavorite', { invalidates: LIKES, onError: showFailure });
  const open = useProductMutation('openChannel', {
    onError: showFailure,
    onSuccess: ({ channel_url }) => void navigate(`/man-chat-list/${encodeURIComponent(channel_url)}`),
  });
  const call = (kind: CallKind): void =>
    void dialer.dial({ userId: person.u_id, nickname: person.nickname, profileUrl: person.profile_url }, kind);

  return (
    <div className={styles.actions}>
      <button
        type="button"
        className={styles.round}
        aria-pressed={person.favorite}
        aria-label={m.person_favorite()}
        title={m.person_favorite()}
        onClick={() =>
          person.favorite
            ? unfavorite.mutate({ params: { u_id: person.u_id } })
            : favorite.mutate({ body: { u_id: person.u_id } })
        }
      >
        <Heart aria-hidden="true" fill={person.favorite ? 'currentColor' : 'none'} />
      </button>
      {mayGive && <GiftButton to={person.u_id} name={person.nickname || person.u_id} className={styles.round} />}
      <Button busy={open.isPending} onClick={() => open.mutate({ body: { u_id: person.u_id } })}>
        <MessageCircle aria-hidden="true" size={20} />
        {m.person_message()}
      </Button>
      <Button disabled={!person.accepts_voice} onClick={() => call('voice')} aria-label={m.person_voice()}>
        <Phone aria-hidden="true" size={20} />
        <span>{m.person_voice_short()}</span>
      </Button>
      <Button
        look="primary"
        disabled={!person.accepts_video}
        onClick={() => call('video')}
        aria-label={m.person_video()}
      >
        <Video aria-hidden="true" size={20} />
        <span>{m.person_video_short()}</span>
      </Button>
    </div>
  );
}
