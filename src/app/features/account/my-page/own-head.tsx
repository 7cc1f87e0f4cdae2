import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Profile } from '../../../../protocol/product/profiles.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Avatar } from '../../../ui/people/avatar.tsx';
import styles from './own-head.module.css';

/** The part of a profile that other users see first. */
export type Face = Pick<Profile, 'profile_url' | 'nickname' | 'age' | 'city' | 'intro'>;

/** A placeholder shown until the profile is loaded. */
export const UNKNOWN: Face = { profile_url: '', nickname: '…', age: 18, city: '…', intro: '…' };

interface OwnHeadProps {
  profile: Face;
  /** The address of the profile as other users see it. Default: no link. */
  preview?: string;
  /** The control that edits the profile. */
  action: ReactNode;
}

/** Shows the user's profile as other users see it. Its height does not depend on the texts. */
export function OwnHead({ profile, preview, action }: OwnHeadProps) {
  const avatar = <Avatar url={profile.profile_url} size={88} />;
  return (
    <section className={styles.head}>
      {preview === undefined ? (
        avatar
      ) : (
        <Link to={preview} aria-label={m.hub_preview()}>
          {avatar}
        </Link>
      )}
      <div className={styles.words}>
        <h2>{profile.nickname}</h2>
        <p>{m.own_facts({ age: profile.age, city: profile.city })}</p>
        {/* Keeps the line of an empty introduction. */}
        <p className={styles.intro}>{profile.intro === '' ? '\u00a0' : profile.intro}</p>
      </div>
      {action}
    </section>
  );
}
