import { Navigate, useSearchParams } from 'react-router-dom';
import { homePath } from '../../../core/session/home-path.ts';
import { useSignedIn } from '../../../core/hooks/areas.ts';
import { onDemand } from '../../shell/on-demand.tsx';
import { ScreenLoading } from '../../shell/screen-loading.tsx';
import { OwnPage } from './own-page.tsx';

// Only women see the profiles of men.
const { Part: PersonPage } = onDemand(async () => (await import('../person-page.tsx')).PersonPage, <ScreenLoading />);

/** Shows a man's own page. With `?id=` it shows the profile of that man to a woman. */
export default function ManInfo() {
  const [search] = useSearchParams();
  const me = useSignedIn();
  const id = search.get('id');
  const home = homePath(me?.genderType ?? null);
  if (id !== null) return <PersonPage uId={id} back={home} />;
  // A woman has a separate page.
  if (me?.genderType === 'woman') return <Navigate to={home} replace />;
  return <OwnPage />;
}
