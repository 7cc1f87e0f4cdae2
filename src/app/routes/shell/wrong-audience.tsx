import { DoorClosed } from 'lucide-react';
import { Link } from 'react-router-dom';
import { m } from '../../core/i18n/generated/messages.js';
import { buttonClass } from '../../../ui/kit/button.tsx';
import { StateCard } from '../../../ui/kit/state-card.tsx';
import { homePath } from '../../core/session/home-path.ts';
import { useSignedIn } from '../../core/hooks/areas.ts';

/** Replaces a screen that is for the other kind of user. */
export function WrongAudience({ framed }: { framed: boolean }) {
  const kind = useSignedIn()?.genderType ?? null;
  const card = (
    <StateCard
      level={1}
      icon={<DoorClosed />}
      title={kind === 'woman' ? m.other_kind_for_men() : m.other_kind_for_women()}
      hint={m.other_kind_hint()}
    >
      <Link to={homePath(kind)} className={buttonClass('primary')}>
        {m.landing_go_home()}
      </Link>
    </StateCard>
  );
  return framed ? card : <main>{card}</main>;
}
