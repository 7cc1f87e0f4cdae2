import { Navigate, useSearchParams } from 'react-router-dom';
import { PersonPage } from '../../people/person-page.tsx';
import { homePath } from '../../session/home-path.ts';
import { useSignedIn } from '../../session/use-signed-in.ts';
import { OwnPage } from './own-page.tsx';

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
