import type { GenderType } from '../../../protocol/product/values.ts';
import { Coins, Compass, DoorOpen, House, type LucideIcon, MessageCircle, Sparkles } from 'lucide-react';
import { m } from '../../core/i18n/generated/messages.js';

/** A tab of the main navigation. */
export interface Tab {
  /** The address that the tab links to. */
  readonly to: string;
  /** The addresses, or their beginnings, at which the tab is the current one. */
  readonly owns: readonly string[];
  readonly Icon: LucideIcon;
  label(): string;
  /** The number shown beside the tab. Default: none. */
  readonly count?: 'unread';
}

const rooms: Tab = { to: '/rooms', owns: ['/rooms'], Icon: DoorOpen, label: m.rooms_title };

const menTabs: readonly Tab[] = [
  { to: '/home-man', owns: ['/home-man', '/woman-info/'], Icon: Compass, label: m.nav_explore },
  {
    to: '/man-chat-list',
    owns: ['/man-chat-list', '/chat-list'],
    Icon: MessageCircle,
    label: m.nav_chat,
    count: 'unread',
  },
  rooms,
  { to: '/purchase/deposit', owns: ['/purchase/', '/deposit-record'], Icon: Coins, label: m.nav_deposit },
];

const womenTabs: readonly Tab[] = [
  { to: '/home-woman', owns: ['/home-woman', '/woman-setting', '/man-info'], Icon: House, label: m.nav_home },
  { to: '/chat-list', owns: ['/man-chat-list', '/chat-list'], Icon: MessageCircle, label: m.nav_chat, count: 'unread' },
  rooms,
  {
    to: '/current-points',
    owns: ['/current-points', '/income-details', '/redemption-records'],
    Icon: Sparkles,
    label: m.nav_income,
  },
];

/** Returns the tabs of a kind of user that have a screen. */
export function tabsOf(kind: GenderType | null, knownPaths: ReadonlySet<string>): readonly Tab[] {
  return (kind === 'woman' ? womenTabs : menTabs).filter(({ to }) => knownPaths.has(to));
}

/** Returns whether a tab is the current one at an address. */
export function isPresent({ owns }: Tab, pathname: string): boolean {
  return owns.some((path) => pathname.startsWith(path));
}
