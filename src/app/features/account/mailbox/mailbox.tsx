import { Link } from 'react-router-dom';
import { Letters } from '../verification-codes/letters.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { Brand } from '../../shell/brand.tsx';
import styles from '../register/page.module.css';

/** Shows the messages that the demo world would send by SMS and e-mail. */
export default function MailboxPage() {
  return (
    <main className={styles.page}>
      <Link to="/home" className={styles.back}>
        <Brand />
      </Link>
      <header>
        <h1>{m.mailbox_title()}</h1>
        <p>{m.mailbox_lede()}</p>
      </header>
      <Letters />
    </main>
  );
}
