import { Navigate, useSearchParams } from 'react-router-dom';
import { homePath } from '../../../core/session/home-path.ts';
import { useSignedIn } from '../../../services/use-signed-in.ts';
import { onDemand } from '../../shell/on-demand.tsx';
import { ScreenLoading } from '../../shell/screen-loading.tsx';
import { OwnPage } from './own-page.tsx';

// It is women who look at men here.
const { Part: PersonPage } = onDemand(async () => (await import('../person-page.tsx')).PersonPage, <ScreenLoading />);

/** A man's own page; with `?id=` his card, for women. */
export default function ManInfo() {
  const [search] = useSearchParams();
  const me = useSignedIn();
  const id = search.get('id');
  const home = homePath(me?.genderType ?? null);
  if (id !== null) return <PersonPage uId={id} back={home} />;
  // She has a page of her own.
  if (me?.genderType === 'woman') return <Navigate to={home} replace />;
  return <OwnPage />;
}
