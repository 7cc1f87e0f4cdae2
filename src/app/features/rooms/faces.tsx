import { Picture } from '../../ui/people/picture.tsx';
import type { CallParty } from '../../../react/index.ts';
import styles from './faces.module.css';

interface FacesProps {
  people: readonly CallParty[];
  /** The most pictures. */
  most: number;
}

/** Shows the pictures of the users in a room, each user once. The number of users is always written beside them. */
export function Faces({ people, most }: FacesProps) {
  const users = [...new Map(people.map((person) => [person.userId, person])).values()];
  if (users.length === 0) return null;
  return (
    <span className={styles.faces} aria-hidden="true">
      {users.slice(0, most).map(({ userId, profileUrl }) => (
        <span key={userId}>
          <Picture url={profileUrl} shape="round" />
        </span>
      ))}
    </span>
  );
}
