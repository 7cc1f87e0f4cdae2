import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Profile } from '../../../../protocol/product/profiles.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Avatar } from '../../../ui/kit/avatar.tsx';
import styles from './own-head.module.css';

/** What others see of somebody at first. */
export type Face = Pick<Profile, 'profile_url' | 'nickname' | 'age' | 'city' | 'intro'>;

/** Somebody of whom nothing has come yet. */
export const UNKNOWN: Face = { profile_url: '', nickname: '…', age: 18, city: '…', intro: '…' };

interface OwnHeadProps {
  profile: Face;
  /** Where the others' view of oneself is, where there is one. */
  preview?: string;
  /** The way to change what stands here. */
  action: ReactNode;
}

/** Who one is, to others; as high whatever they wrote of themselves. */
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
        {/* Its place stays where nothing is written. */}
        <p className={styles.intro}>{profile.intro === '' ? '\u00a0' : profile.intro}</p>
      </div>
      {action}
    </section>
  );
}
