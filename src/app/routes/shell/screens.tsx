import { Suspense, useEffect, useState } from 'react';
import { Navigate, Route, Routes, matchPath } from 'react-router-dom';
import { m } from '../../core/i18n/generated/messages.js';
import { useEvents } from '../../core/hooks/areas.ts';
import { useSignedIn } from '../../core/hooks/areas.ts';
import { Arrival } from './arrival.tsx';
import { type Audience, admit } from '../../features/shell/audience.ts';
import { Frame, type FrameLook } from './frame.tsx';
import { type LazyScreen, userScreen, visitorScreen } from '../../features/shell/load-screen.ts';
import { WrongAudience } from './wrong-audience.tsx';
import { ScreenErrorBoundary } from './screen-error-boundary.tsx';
import { ScreenLoading } from '../../features/shell/screen-loading.tsx';
import { type Visits, createVisits } from './visits.ts';
import { WindowTitle } from './window-title.tsx';

/** A screen at one or several addresses. */
interface ScreenRow {
  /** The addresses. All of them share one view, which stays mounted between them. */
  readonly paths: readonly string[];
  readonly who: Audience;
  /**
   * The frame: `tabs` for the roots of the tabs, `inner` for screens opened from them, `none` for pages without a
   * frame.
   */
  readonly look: FrameLook;
  /** The addresses of this row that look `inner` although the others do not. Default: none. */
  readonly innerPaths?: readonly string[];
  /** Whether the screen has neither gutter nor maximum width. Default: false. */
  readonly wide?: boolean;
  /** Returns the title of the window. */
  title(): string;
  readonly Screen: LazyScreen;
}

/** Every screen. Each is loaded when it is first shown (app-shell §2). */
const screens: readonly ScreenRow[] = [
  {
    paths: ['/', '/home'],
    who: 'anyone',
    look: 'none',
    title: m.app_title,
    Screen: visitorScreen(() => import('../landing/landing.tsx')),
  },
  {
    paths: ['/privacy'],
    who: 'anyone',
    look: 'none',
    title: m.legal_privacy_title,
    Screen: visitorScreen(() => import('../legal/privacy.tsx')),
  },
  {
    paths: ['/service'],
    who: 'anyone',
    look: 'none',
    title: m.legal_service_title,
    Screen: visitorScreen(() => import('../legal/service.tsx')),
  },
  {
    paths: ['/login'],
    who: 'anyone',
    look: 'none',
    title: m.login_window_title,
    Screen: visitorScreen(() => import('../../features/account/login/login.tsx')),
  },
  {
    paths: ['/register-man'],
    who: 'anyone',
    look: 'none',
    title: m.register_window_man,
    Screen: visitorScreen(() => import('../../features/account/register/register-man.tsx')),
  },
  {
    paths: ['/register-woman'],
    who: 'anyone',
    look: 'none',
    title: m.register_window_woman,
    Screen: visitorScreen(() => import('../../features/account/register/register-woman.tsx')),
  },
  {
    paths: ['/demo/mailbox'],
    who: 'anyone',
    look: 'none',
    title: m.mailbox_title,
    Screen: visitorScreen(() => import('../../features/account/mailbox/mailbox.tsx')),
  },
  {
    paths: ['/account-verification'],
    who: 'users',
    look: 'inner',
    title: m.account_title,
    Screen: userScreen(() => import('../../features/account/account-verification/account-verification.tsx')),
  },
  {
    paths: ['/identity-verification'],
    who: 'women',
    look: 'inner',
    title: m.identity_title,
    Screen: userScreen(() => import('../../features/account/identity-verification/identity-verification.tsx')),
  },
  {
    paths: ['/home-man'],
    who: 'men',
    look: 'tabs',
    title: m.nav_explore,
    Screen: userScreen(() => import('../../features/people/home-man/home-man.tsx')),
  },
  {
    paths: ['/home-woman', '/woman-setting'],
    who: 'women',
    look: 'tabs',
    title: m.nav_home,
    Screen: userScreen(() => import('../../features/people/home-woman/home-woman.tsx')),
  },
  {
    paths: ['/woman-info/:id'],
    who: 'users',
    look: 'inner',
    title: m.person_page_title,
    Screen: userScreen(() => import('../../features/people/woman-info/woman-info.tsx')),
  },
  {
    paths: ['/man-info'],
    who: 'users',
    look: 'tabs',
    title: m.own_title,
    Screen: userScreen(() => import('../../features/people/man-info/man-info.tsx')),
  },
  {
    paths: ['/woman-edit'],
    who: 'women',
    look: 'inner',
    title: m.edit_title,
    Screen: userScreen(() => import('../../features/people/woman-edit/woman-edit.tsx')),
  },
  {
    paths: ['/settings'],
    who: 'users',
    look: 'inner',
    title: m.settings_title,
    Screen: userScreen(() => import('../../features/account/settings/settings.tsx')),
  },
  {
    paths: ['/chat-list', '/man-chat-list', '/man-chat-list/:channelUrl'],
    who: 'users',
    look: 'tabs',
    innerPaths: ['/man-chat-list/:channelUrl'],
    wide: true,
    title: m.chat_title,
    Screen: userScreen(() => import('../../features/chat/screens/chat.tsx')),
  },
  {
    paths: ['/rooms'],
    who: 'users',
    look: 'tabs',
    title: m.rooms_title,
    Screen: userScreen(() => import('../../features/rooms/list/rooms.tsx')),
  },
  {
    paths: ['/rooms/:roomId'],
    who: 'users',
    look: 'none',
    title: m.rooms_title,
    Screen: userScreen(() => import('../../features/rooms/visit/room.tsx')),
  },
  {
    paths: ['/current-points'],
    who: 'women',
    look: 'tabs',
    title: m.points_title,
    Screen: userScreen(() => import('../../features/money/current-points/current-points.tsx')),
  },
  {
    paths: ['/income-details'],
    who: 'women',
    look: 'inner',
    title: m.income_title,
    Screen: userScreen(() => import('../../features/money/income-details/income-details.tsx')),
  },
  {
    paths: ['/redemption-records'],
    who: 'women',
    look: 'inner',
    title: m.records_title,
    Screen: userScreen(() => import('../../features/money/redemption-records/redemption-records.tsx')),
  },
  {
    paths: ['/purchase/deposit'],
    who: 'men',
    look: 'tabs',
    title: m.nav_deposit,
    Screen: userScreen(() => import('../../features/money/deposit/deposit.tsx')),
  },
  {
    paths: ['/deposit-record'],
    who: 'men',
    look: 'inner',
    title: m.deposits_title,
    Screen: userScreen(() => import('../../features/money/deposit-record/deposit-record.tsx')),
  },
  {
    paths: ['/transactions-chat-record'],
    who: 'users',
    look: 'inner',
    title: m.charges_title,
    Screen: userScreen(() => import('../../features/money/transactions/chat-record.tsx')),
  },
  {
    paths: ['/transactions-record/:type'],
    who: 'users',
    look: 'inner',
    title: m.transactions_title,
    Screen: userScreen(() => import('../../features/money/transactions/transactions-record.tsx')),
  },
  {
    paths: ['*'],
    who: 'anyone',
    look: 'none',
    title: m.not_found_title,
    Screen: visitorScreen(() => import('../not-found/not-found.tsx')),
  },
];

/** The paths that have a screen. */
export const knownPaths: ReadonlySet<string> = new Set(screens.flatMap(({ paths }) => paths));

/** Returns the screen at an address. An unknown address has one too. */
export function screenAt(address: string): ScreenRow | undefined {
  return screens.find(({ paths }) => paths.some((path) => matchPath(path, address) !== null));
}

/**
 * Returns whether a visitor may stay at an address: its screen is for anyone, and is not the landing page (ADR 0017).
 */
export function isOpenToVisitors(address: string): boolean {
  const row = screenAt(address);
  return row?.who === 'anyone' && !row.paths.includes('/home') && !row.paths.includes('*');
}

/** Renders the screen at the present address. */
export function Screens() {
  const [visits] = useState(() => createVisits(window));
  useEffect(() => {
    history.scrollRestoration = 'manual';
    return visits.watchScrolling();
  }, [visits]);
  return (
    <Routes>
      {screens.flatMap((row) =>
        row.paths.map((path) => (
          <Route key={path} path={path} element={<Stage row={row} path={path} visits={visits} />} />
        )),
      )}
    </Routes>
  );
}

/** Renders a screen in its frame, after its access check. Only the screen loads or fails: the frame stays. */
function Stage({ row, path, visits }: { row: ScreenRow; path: string; visits: Visits }) {
  const { presence } = useEvents();
  const user = useSignedIn();
  const { Screen } = row;
  const look = row.innerPaths?.includes(path) ? 'inner' : row.look;
  const answer = admit(row.who, user);
  if (answer === 'visitor') return <Navigate to="/home" replace />;

  return (
    <Frame look={look} wide={row.wide ?? false} knownPaths={knownPaths}>
      <ScreenErrorBoundary key={row.paths[0]} framed={look !== 'none'}>
        <WindowTitle title={row.title()} />
        {answer === 'otherKind' ? (
          <WrongAudience framed={look !== 'none'} />
        ) : (
          <Suspense fallback={<ScreenLoading />}>
            <Screen openPresence={presence.open} />
            <Arrival visits={visits} />
          </Suspense>
        )}
      </ScreenErrorBoundary>
    </Frame>
  );
}
