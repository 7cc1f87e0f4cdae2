import { useParams } from 'react-router-dom';
import { PersonPage } from '../person-page.tsx';
import { homePath } from '../../../core/session/home-path.ts';
import { useSignedIn } from '../../../core/hooks/areas.ts';

/** Shows a woman's profile to men. A woman sees her own profile as men see it. */
export default function WomanInfo() {
  const { id = '' } = useParams();
  const me = useSignedIn();
  return <PersonPage uId={id} back={homePath(me?.genderType ?? null)} />;
}
