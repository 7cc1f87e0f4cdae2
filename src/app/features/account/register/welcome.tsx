import { BadgeCheck, CircleCheck, ImageOff, PhoneCall, ShieldCheck, Video } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { GenderType } from '../../../../protocol/product/values.ts';
import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { LinkButton } from '../../../../ui/kit/button.tsx';
import { useRules } from '../../../core/hooks/use-product.ts';
import { homePath } from '../../../core/session/home-path.ts';
import styles from './page.module.css';

interface WelcomeProps {
  kind: GenderType;
  nickname: string;
  /** True when the upload of the chosen photo failed. */
  isPhotoLost: boolean;
}

/** Shows that the account exists, and suggests the first actions. */
export function Welcome({ kind, nickname, isPhotoLost }: WelcomeProps) {
  const rules = useRules();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <header>
        <h1 ref={heading} tabIndex={-1}>
          {m.welcome_title({ nickname })}
        </h1>
        <p>{kind === 'man' ? m.welcome_man() : m.welcome_woman()}</p>
      </header>
      {kind === 'man' && rules !== undefined && (
        <p className={styles.coins}>{m.coins_amount({ amount: formatNumber(rules.bonus.welcome) })}</p>
      )}
      <ul className={styles.list}>
        {kind === 'man' ? (
          <>
            <Tip icon={<PhoneCall aria-hidden="true" />} text={m.welcome_tip_price()} />
            <Tip icon={<Video aria-hidden="true" />} text={m.welcome_tip_video()} />
            <Tip icon={<ShieldCheck aria-hidden="true" />} text={m.welcome_tip_safe()} />
          </>
        ) : (
          <>
            <Tip icon={<CircleCheck aria-hidden="true" />} text={m.welcome_done_account()} />
            <Tip icon={<BadgeCheck aria-hidden="true" />} text={m.welcome_todo_identity()} />
          </>
        )}
      </ul>
      {isPhotoLost && (
        <p role="status" className={styles.offline}>
          <ImageOff aria-hidden="true" size={18} />
          {m.welcome_photo_lost()}
        </p>
      )}
      <div className={styles.buttons}>
        <LinkButton to={homePath(kind)} look={kind === 'man' ? 'primary' : 'quiet'}>
          {m.welcome_go()}
        </LinkButton>
        {kind === 'woman' && (
          <LinkButton to="/identity-verification" look="primary">
            {m.welcome_verify()}
          </LinkButton>
        )}
      </div>
    </>
  );
}

function Tip({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <li>
      {icon}
      <span>{text}</span>
    </li>
  );
}
