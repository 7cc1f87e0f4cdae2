import { m } from '../../core/i18n/generated/messages.js';
import { type PagerProps, Pager as KitPager } from '../../../ui/kit/pager.tsx';

/** Renders the end of a list with the texts of the app. */
export function Pager(props: Omit<PagerProps, 'moreLabel' | 'busyLabel' | 'allText'>) {
  return <KitPager {...props} moreLabel={m.load_more()} busyLabel={m.load_more_busy()} allText={m.load_all()} />;
}
